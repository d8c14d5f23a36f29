import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { CustomConfig } from '../../../functions/providers/custom.ts'
import { validateSources } from '../../../functions/providers/sources.ts'
import { judge, source } from './rig.ts'

const NOW = 1_760_000_000
const BODY = '{"id":"evt_1"}'

const custom = (config: CustomConfig) => source({ provider: 'custom', config: { ...config } })
const mistakes = (config: unknown, more: object = {}) =>
  validateSources({ acme: { provider: 'custom', config, ...more } }).join('\n')

describe('a custom HMAC', () => {
  test('a custom HMAC needs no more than a header', () => {
    const of = custom({ scheme: { kind: 'hmac', sig: { name: 'X-Acme-Signature' } } })
    const headers = { 'x-acme-signature': createHmac('sha256', 'test-key').update(BODY).digest('hex') }
    expect(judge(of, { headers, body: BODY }, 'test-key', NOW)).toBe('genuine')
  })

  test('a custom HMAC can set every option', () => {
    const of = custom({
      scheme: {
        kind: 'hmac',
        hash: 'sha512',
        sig: {
          name: 'x-s',
          layout: 'kv',
          pairSep: ';',
          kvSep: ':',
          sigKeys: ['a', 'b'],
          encoding: 'base64',
          many: true,
        },
        signed: '{header:x-id}|{ts}|{body}',
        key: { encoding: 'hex', stripPrefixes: ['key_'] },
        ts: { in: 'sig', name: 'at', unit: 'ms' },
      },
    })
    const signature = createHmac('sha512', Buffer.from('00ff00ff', 'hex'))
      .update(`e1|${NOW}000|${BODY}`)
      .digest('base64')
    const headers = { 'x-id': 'e1', 'x-s': `at:${NOW}000;a:AAAA;b:${signature}` }
    expect(judge(of, { headers, body: BODY }, 'key_00ff00ff', NOW)).toBe('genuine')
    expect(judge(of, { headers: { ...headers, 'x-id': 'e2' }, body: BODY }, 'key_00ff00ff', NOW)).toBe(
      'signature-mismatch',
    )
    expect(judge(of, { headers, body: BODY }, 'key_00ff00ff', NOW + 301)).toBe('timestamp-stale')
  })

  test('a custom HMAC takes one signature, unless it says that many may come', () => {
    const hex = createHmac('sha256', 'test-key').update(BODY).digest('hex')
    const sig = { name: 'x-s', layout: 'kv', sigKeys: ['v1'] } as const
    const two = { headers: { 'x-s': `v1=${hex},v1=${hex}` }, body: BODY }
    expect(judge(custom({ scheme: { kind: 'hmac', sig } }), two, 'test-key', NOW)).toBe('header-repeated')
    expect(judge(custom({ scheme: { kind: 'hmac', sig: { ...sig, many: true } } }), two, 'test-key', NOW)).toBe(
      'genuine',
    )
  })

  test('a custom HMAC takes several signatures behind one prefix, as a sender that rotates its keys writes them', () => {
    const [right, other] = ['test-key', 'another-key'].map(secret =>
      createHmac('sha256', secret).update(BODY).digest('hex'),
    )
    const sig = { name: 'x-outpost-signature', layout: 'prefix', prefix: 'v0=', many: true } as const
    const of = custom({ scheme: { kind: 'hmac', sig } })
    const one = custom({ scheme: { kind: 'hmac', sig: { name: sig.name, layout: 'prefix', prefix: 'v0=' } } })
    const ask = (header: string, by = of) =>
      judge(by, { headers: { 'x-outpost-signature': header }, body: BODY }, 'test-key', NOW)
    for (const header of [`v0=${right}`, `v0=${right},${other}`, `v0=${other},${other},${right}`]) {
      expect(ask(header), header).toBe('genuine')
    }
    expect(ask(`v0=${other},${other}`)).toBe('signature-mismatch')
    for (const header of [`${right},${other}`, `v0=${right}, ${other}`, `v0=${right},`, 'v0=']) {
      expect(ask(header), header).toBe('header-malformed')
    }
    expect(ask(`v0=${Array(17).fill(right).join()}`)).toBe('header-malformed')
    expect(ask(`v0=${right},${other}`, one)).toBe('header-malformed')
  })

  test('a custom HMAC can have a prefix or a list of versions', () => {
    const hex = createHmac('sha256', 'test-key').update(BODY).digest('hex')
    const prefixed = custom({ scheme: { kind: 'hmac', sig: { name: 'x-s', layout: 'prefix', prefix: 'v9=' } } })
    expect(judge(prefixed, { headers: { 'x-s': `v9=${hex}` }, body: BODY }, 'test-key', NOW)).toBe('genuine')
    const listed = custom({
      scheme: { kind: 'hmac', sig: { name: 'x-s', layout: 'list', versions: ['v9'], many: true } },
    })
    expect(judge(listed, { headers: { 'x-s': `v8,00 v9,${hex}` }, body: BODY }, 'test-key', NOW)).toBe('genuine')
  })
})

describe('what a custom sender says about itself', () => {
  const scheme = { kind: 'basic' } as const

  test('a custom sender that says nothing of itself is identified by its bytes, and its retries are not known', () => {
    expect(custom({ scheme })).toMatchObject({ identity: { kind: 'body' }, type: [], storeFirst: true })
  })

  test('a custom sender may say where its ids and types are and how long it retries', () => {
    const of = custom({
      scheme,
      id: ['header:X-Id', 'json:id'],
      integerIds: true,
      type: 'json:kind',
      retryWindow: '30d',
    })
    expect(of.identity).toEqual({ kind: 'id', id: ['header:x-id', 'json:id'], integer: true })
    expect(of).toMatchObject({ type: ['json:kind'], storeFirst: false, memory: (28 + 30) * 86_400 })
    expect(custom({ scheme, retryWindow: 'none' }).provider.retry.windowSeconds).toBe(0)
  })
})

describe('a wrong custom config', () => {
  const sig = { name: 'x-s' }
  test.each([
    [undefined, 'acme.config: found nothing, expected an object with scheme, id'],
    [{}, 'acme.config.scheme: found nothing'],
    [{ scheme: { kind: 'hmca' } }, 'acme.config.scheme.kind: found "hmca", expected one of "hmac", "token", "basic"'],
    [{ scheme: { kind: 'none' } }, 'acme.config.scheme.kind: found "none"'],
    [{ scheme: { kind: 'hmac' } }, 'acme.config.scheme.sig: found nothing'],
    [{ scheme: { kind: 'hmac', sig: {} } }, 'acme.config.scheme.sig.name: found nothing'],
    [
      { scheme: { kind: 'hmac', sig, hash: 'md5' } },
      'acme.config.scheme.hash: found "md5", expected one of "sha1", "sha256", "sha512"',
    ],
    [{ scheme: { kind: 'hmac', sig: { ...sig, layout: 'prefix' } } }, 'acme.config.scheme.sig.prefix: found nothing'],
    [{ scheme: { kind: 'hmac', sig: { ...sig, layout: 'kv' } } }, 'acme.config.scheme.sig.sigKeys: found nothing'],
    [{ scheme: { kind: 'hmac', sig: { ...sig, layout: 'list' } } }, 'acme.config.scheme.sig.versions: found nothing'],
    [{ scheme: { kind: 'hmac', sig: { ...sig, encodng: 'hex' } } }, 'did you mean "encoding"?'],
    [{ scheme: { kind: 'hmac', sig, signed: '{boddy}' } }, '{boddy} is not a token of a signed template'],
    [{ scheme: { kind: 'hmac', sig, signed: '{config:app}{body}' } }, 'expected the value itself'],
    [
      { scheme: { kind: 'hmac', sig, ts: { in: 'header', name: 'x-t' } } },
      'a timestamp that is not signed proves nothing',
    ],
    [{ scheme: { kind: 'hmac', sig, key: { encoding: 'rot13' } } }, 'acme.config.scheme.key.encoding: found "rot13"'],
    [{ scheme: { kind: 'token' } }, 'acme.config.scheme.header: found nothing'],
    [
      { scheme: { kind: 'basic' }, id: 'id' },
      'acme.config.id: found "id", expected a selector such as header:x-event-id',
    ],
    [{ scheme: { kind: 'basic' }, type: [] }, 'acme.config.type: found []'],
    [{ scheme: { kind: 'basic' }, retryWindow: 'never' }, 'acme.config.retryWindow: found "never", expected "none" or'],
  ])('the custom config %j is refused with a sentence', (config, sentence) => {
    expect(mistakes(config)).toContain(sentence)
  })

  test('a custom config may have no tolerance without a timestamp, and not be unsigned', () => {
    expect(mistakes({ scheme: { kind: 'basic' } }, { tolerance: '5m' })).toContain('acme.tolerance')
    expect(mistakes({ scheme: { kind: 'basic' } }, { unsigned: true })).toContain('acme.unsigned')
  })
})
