import { describe, expect, test } from 'vitest'
import { seconds } from '../../../functions/domain/brands.ts'
import type { Provider } from '../../../functions/domain/provider.ts'
import { isSigned } from '../../../functions/domain/scheme.ts'
import type { SourceConfig, Sources } from '../../../functions/domain/source.ts'
import { capturedId } from '../../../functions/providers/captured-id.ts'
import { providers } from '../../../functions/providers/catalogue.ts'
import { internalSources, resolveSources, validateSources } from '../../../functions/providers/sources.ts'
import { exampleSource } from '../../../lib/sender/example-source.ts'
import rootSources from '../../../sources.ts'
import { source } from './rig.ts'

const DAY = 86_400

describe('the repository', () => {
  test('the repository has sources named by the ids of their providers, three custom ones, and one of our own services', () => {
    const sources = [...resolveSources(rootSources).values()]
    expect(sources.filter(({ provider }) => provider.id === 'custom')).toHaveLength(3)
    expect(sources.filter(({ publish }) => publish).map(({ name }) => name)).toEqual(['orders'])
    for (const { name, provider } of sources.filter(each => !each.publish && each.provider.id !== 'custom'))
      expect(provider.id).toBe(name)
  })
})

describe('defaults', () => {
  test('by default, bodies of Stripe are kept for seven days and its events for thirty', () => {
    const stripe = source({ provider: 'stripe' })
    expect(stripe).toMatchObject({
      retain: 7 * DAY,
      storeFirst: false,
      inFlightStatus: 409,
      reopens: true,
      guard: false,
    })
    expect(stripe.memory).toBe(31 * DAY)
    expect(stripe.publicUrl).toBeNull()
  })

  test('memory follows the longest of window, message and body', () => {
    expect(source({ provider: 'slack' }).memory).toBe(28 * DAY + 360)
    expect(source({ provider: 'slack', replayWindow: '40d' }).memory).toBe(40 * DAY)
    expect(source({ provider: 'slack', replayWindow: '1d' }).memory).toBe(28 * DAY + 360)
    expect(source({ provider: 'slack', retain: '60d' }).memory).toBe(60 * DAY)
    expect(source({ provider: 'gitlab', retain: 'none' })).toMatchObject({ memory: seconds(28 * DAY), retain: 'none' })
  })

  test('a sender that never retries, or is not known to, has its body stored first', () => {
    expect(source({ provider: 'github' }).storeFirst).toBe(true)
    expect(source({ provider: 'gitlab' }).storeFirst).toBe(true)
    expect(source({ provider: 'github', storeFirst: false }).storeFirst).toBe(false)
  })

  test('a sender that gives up on 4xx is told 503 while its event is in flight', () => {
    expect(source({ provider: 'gitlab' }).inFlightStatus).toBe(503)
    expect(source({ provider: 'gitlab', inFlight: 409 }).inFlightStatus).toBe(409)
  })

  test('the consumer gets the headers of identity and type, never a signature', () => {
    expect(source({ provider: 'github' }).keepHeaders).toEqual([
      'content-type',
      'x-github-delivery',
      'x-github-hook-id',
      'x-github-event',
      'x-github-hook-installation-target-id',
      'x-github-hook-installation-target-type',
    ])
    for (const [id, { scheme }] of Object.entries(providers)) {
      const kept = source(exampleSource(providers[id] as Provider)).keepHeaders
      expect(
        kept.filter(name => /signature|token$|hmac|authorization/.test(name) && name !== 'i-twilio-idempotency-token'),
      ).toEqual([])
      if (isSigned(scheme)) expect(kept).not.toContain(scheme.sig.name)
    }
  })

  test('identity may be a business key, the bytes, or the JSON without some fields', () => {
    const businessKey = ['data.subscription', 'header:X-Period', 'form:Sid']
    expect(source({ provider: 'stripe', identity: { businessKey } }).identity).toEqual({
      kind: 'business',
      parts: ['json:data.subscription', 'header:x-period', 'form:Sid'],
    })
    expect(source({ provider: 'stripe', identity: 'body' }).identity).toEqual({ kind: 'body' })
    expect(source({ provider: 'stripe', identity: { body: { exclude: ['attempt'] } } }).identity).toEqual({
      kind: 'json',
      exclude: ['attempt'],
    })
  })
})

describe('a wrong source file', () => {
  const wrong = (config: unknown) => validateSources({ shop: config })

  test.each([
    [
      'provider',
      { provider: 'strpe' },
      'shop.provider: found "strpe", expected a provider of the catalogue, "custom" or "internal"; did you mean "stripe"?',
    ],
    ['provider', { provider: 'constructor' }, 'shop.provider: found "constructor"'],
    ['provider', {}, 'shop.provider: found nothing'],
    ['provider', { provider: 7 }, 'shop.provider: found 7'],
    ['field', { provider: 'stripe', replaywindow: '3d' }, 'did you mean "replayWindow"?'],
    [
      'replayWindow',
      { provider: 'stripe', replayWindow: '3 weeks' },
      'shop.replayWindow: found "3 weeks", expected a whole number and a unit',
    ],
    ['replayWindow', { provider: 'stripe', replayWindow: '0d' }, 'shop.replayWindow: found "0d"'],
    ['replayWindow', { provider: 'stripe', replayWindow: '999999999d' }, 'of at most 3650d'],
    ['retain', { provider: 'stripe', retain: '401d' }, 'shop.retain: found "401d", expected "none" or'],
    ['retain', { provider: 'stripe', retain: 7 }, 'shop.retain: found 7'],
    ['identity', { provider: 'stripe', identity: 'id' }, 'shop.identity: found "id", expected "provider", "body"'],
    ['identity', { provider: 'stripe', identity: { businessKey: [] } }, 'shop.identity.businessKey: found []'],
    ['identity', { provider: 'stripe', identity: { body: {} } }, 'shop.identity.body.exclude: found nothing'],
    ['guard', { provider: 'stripe', guard: true }, 'shop.guard: found true, expected "body"'],
    ['guard', { provider: 'telegram', guard: 'body' }, 'expected nothing: this provider does not sign the body'],
    ['guard', { provider: 'mailgun', guard: 'body' }, 'json:signature.token, which is, belongs to one event anyway'],
    ['guard', { provider: 'gitlab', guard: 'body' }, 'expected nothing, or config.variant "signature"'],
    [
      'guard',
      { provider: 'custom', guard: 'body', config: { scheme: { kind: 'token', header: 'x-token' }, id: 'json:id' } },
      'expected nothing: this provider does not sign the body',
    ],
    [
      'guard',
      { provider: 'aws-sns', guard: 'body', identity: 'body', config: { topics: ['arn'] } },
      'expected nothing: only some fields are signed: leave identity out',
    ],
    [
      'publicUrl',
      { provider: 'square', publicUrl: '/webhooks/square' },
      'shop.publicUrl: found "/webhooks/square", expected the complete URL',
    ],
    ['publicUrl', { provider: 'square', publicUrl: 'ftp://x/y' }, 'shop.publicUrl'],
    ['publicUrl', { provider: 'square', publicUrl: 'https://' }, 'shop.publicUrl'],
    ['publicUrl', { provider: 'square', publicUrl: 'https://u:p@x/y' }, 'shop.publicUrl'],
    ['publicUrl', { provider: 'square', publicUrl: 'https://x/y#z' }, 'shop.publicUrl'],
    ['unsigned', { provider: 'stripe', unsigned: true }, 'shop.unsigned: found true, expected nothing'],
    ['unsigned', { provider: 'stripe', unsigned: false }, 'shop.unsigned: found false'],
    [
      'tolerance',
      { provider: 'github', tolerance: '5m' },
      'shop.tolerance: found "5m", expected nothing: this provider signs no timestamp',
    ],
    ['tolerance', { provider: 'stripe', tolerance: '0s' }, 'shop.tolerance: found "0s"'],
    ['tolerance', { provider: 'stripe', tolerance: '30d' }, 'shop.tolerance: found "30d"'],
    ['storeFirst', { provider: 'stripe', storeFirst: 'yes' }, 'shop.storeFirst: found "yes", expected true or false'],
    [
      'resend',
      { provider: 'stripe', resend: 'again' },
      'shop.resend: found "again", expected one of "reopen", "ignore"',
    ],
    ['inFlight', { provider: 'stripe', inFlight: 200 }, 'shop.inFlight: found 200, expected one of 409, 503'],
    ['config', { provider: 'stripe', config: 'x' }, 'shop.config: found "x", expected an object'],
    ['config', { provider: 'stripe', config: { a: 1 } }, 'shop.config.a: found an unknown field'],
    ['source', 'stripe', 'shop: found "stripe", expected an object'],
    ['source', null, 'shop: found null'],
  ])('a wrong %s is refused with a sentence: %j', (_, config, sentence) => {
    expect(wrong(config).join('\n')).toContain(sentence)
  })

  test.each(['Shop', '', '-shop', 'a b', 'shop_1', 'é', 'a'.repeat(64), '__proto__', '../x'])(
    'a source with the name %j is refused',
    name => {
      const sources = JSON.parse(`{${JSON.stringify(name)}:{"provider":"stripe"}}`)
      expect(validateSources(sources).join()).toContain(`source ${JSON.stringify(name)}`)
    },
  )

  test.each([null, [], 'x', 7, undefined])('the value %j in place of sources is refused', value => {
    expect(validateSources(value)).toHaveLength(1)
  })

  test('a secret in the wrong place is named, not shown', () => {
    const mistakes = wrong({ provider: 'stripe', secret: 'whsec_c4n4ry' }).join()
    expect(mistakes).toContain('shop.secret')
    expect(mistakes).not.toContain('c4n4ry')
  })

  test('a wrong source file is one error with every mistake', () => {
    const sources = {
      'Bad Name': { provider: 'stripe' },
      shop: { provider: 'strpe', retain: '1y', guard: 'x' },
    } as unknown as Sources
    expect(() => resolveSources(sources)).toThrow(/Bad Name.*shop\.retain.*shop\.guard.*shop\.provider/s)
  })
})

describe('an internal source', () => {
  test('an internal source needs to say who may publish, and nothing that only senders have', () => {
    expect(validateSources({ orders: { provider: 'internal', allow: '*' } })).toEqual([])
    expect(validateSources({ orders: { provider: 'internal' } })).toEqual([
      'orders.allow: found nothing, expected who may publish: "*" or a list',
    ])
    const mistakes = validateSources({
      orders: { provider: 'internal', allow: [], guard: 'body', resend: 'ignore', schema: {} },
      stripe: { provider: 'stripe', allow: '*' },
    })
    expect(mistakes.map(line => line.split(':')[0])).toEqual([
      'orders.allow',
      'orders.schema',
      'orders.guard',
      'orders.resend',
      'stripe.allow',
    ])
  })

  test('an internal source remembers a key longer than its message can live, and never reopens', () => {
    const source = resolveSources({ orders: { provider: 'internal', allow: ['AIDA1'] } }).get('orders')
    expect(source).toMatchObject({ memory: 29 * 86_400, reopens: false, storeFirst: false, inFlightStatus: 409 })
    expect(source?.publish).toEqual({ allow: ['AIDA1'] })
  })

  test('internal sources are resolved alike with and without the catalogue, and the other sources are left out', () => {
    expect([...internalSources(rootSources)]).toEqual(
      [...resolveSources(rootSources)].filter(([, { publish }]) => publish),
    )
    expect(() => internalSources({ orders: { provider: 'internal' } })).toThrow('orders.allow')
  })
})

describe('a guard claims what was signed', () => {
  const guardOf = (config: SourceConfig) => resolveSources({ shop: { ...config, guard: 'body' } }).get('shop')?.guard

  test.each([
    ['the bytes', { provider: 'github' }, 'bytes'],
    ['the bytes of the way that a source names', { provider: 'gitlab', config: { variant: 'signature' } }, 'bytes'],
    ['the text that stands for a form', { provider: 'plivo' }, 'signed'],
    ['nothing more where that is the id already', { provider: 'twilio' }, false],
    [
      'nothing more where the id is among the signed fields',
      { provider: 'aws-sns', config: { topics: ['arn'] } },
      false,
    ],
  ] as const)('%s', (_, config, claims) => {
    expect(guardOf(config)).toBe(claims)
  })
})

describe('whose id a captured delivery could change', () => {
  const captured = (config: SourceConfig) => {
    const source = resolveSources({ shop: config }).get('shop')
    return source && capturedId(source)
  }
  const token = { kind: 'token', header: 'x-token' }
  const hmac = { kind: 'hmac', sig: { name: 'x-sig' } }

  test.each([
    [{ provider: 'stripe' }, null],
    [{ provider: 'github' }, { why: 'unsigned-id', stop: "guard: 'body'" }],
    [{ provider: 'github', guard: 'body' }, null],
    [{ provider: 'github', identity: 'body' }, null],
    [
      { provider: 'stripe', identity: { businessKey: ['header:x-shop'] } },
      { why: 'unsigned-id', stop: "guard: 'body'" },
    ],
    [{ provider: 'gitlab' }, { why: 'unsigned-body', stop: "config: { variant: 'signature' }, guard: 'body'" }],
    [{ provider: 'flutterwave' }, { why: 'unsigned-body', stop: "config: { variant: 'v4' }" }],
    [{ provider: 'telegram' }, { why: 'unsigned-body', stop: null }],
    [{ provider: 'mailgun' }, null],
    [{ provider: 'dropbox' }, { why: 'no-id', stop: null }],
    [{ provider: 'internal', allow: '*' }, null],
    [
      { provider: 'custom', config: { scheme: token, id: 'json:id' } },
      { why: 'unsigned-body', stop: null },
    ],
    [{ provider: 'custom', config: { scheme: hmac, id: 'json:id' } }, null],
    [
      { provider: 'custom', config: { scheme: hmac, id: 'header:x-id' } },
      { why: 'unsigned-id', stop: "guard: 'body'" },
    ],
  ] as const)('%j: %j', (config, expected) => {
    expect(captured(config as SourceConfig)).toEqual(expected)
  })
})

test('a body counts as signed only if it is in each way that its source takes', () => {
  const signed = (config: SourceConfig) => resolveSources({ shop: config }).get('shop')?.bodySigned
  const custom = (signedText: string) => ({
    provider: 'custom',
    config: {
      scheme: { kind: 'hmac', sig: { name: 'x-sig' }, signed: signedText, ts: { in: 'header', name: 'x-ts' } },
    },
  })
  expect([{ provider: 'gitlab' }, { provider: 'gitlab', config: { variant: 'signature' } }].map(signed)).toEqual([
    false,
    true,
  ])
  expect([custom('{ts}.{body}'), custom('{ts}.{crc32}'), custom('{ts}')].map(signed)).toEqual([true, false, false])
  expect(signed({ provider: 'internal', allow: '*' })).toBe(true)
})
