import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { SourceConfig } from '../../../functions/domain/source.ts'
import { judge, source } from './rig.ts'

const NOW = 1_760_000_000
const SECRET = '8f742231b10e8888abcd99yyyzzz85a5'
const BODY = '{"event_id":"Ev1"}'

const slackAt = (timestamp: string, now = NOW, config: Partial<SourceConfig> = {}) => {
  const signature = createHmac('sha256', SECRET).update(`v0:${timestamp}:${BODY}`).digest('hex')
  const headers = { 'x-slack-signature': `v0=${signature}`, 'x-slack-request-timestamp': timestamp }
  return judge(source({ provider: 'slack', ...config }), { headers, body: BODY }, SECRET, now)
}

const stripeHeader = (...parts: readonly string[]) => {
  const signature = createHmac('sha256', SECRET).update(`${NOW}.${BODY}`).digest('hex')
  const headers = { 'stripe-signature': parts.map(part => part.replace('SIG', signature)).join(',') }
  return judge(source({ provider: 'stripe' }), { headers, body: BODY }, SECRET, NOW)
}

describe('a signed timestamp', () => {
  test('a signed timestamp is fresh up to the tolerance, both ways', () => {
    expect(slackAt(String(NOW - 300))).toBe('genuine')
    expect(slackAt(String(NOW + 300))).toBe('genuine')
  })

  test('a signed timestamp is stale or in the future one second beyond the tolerance', () => {
    expect(slackAt(String(NOW - 301))).toBe('timestamp-stale')
    expect(slackAt(String(NOW + 301))).toBe('timestamp-future')
  })

  test('a signed timestamp ten years ahead, which the Stripe SDK accepts, is refused', () => {
    expect(slackAt(String(NOW + 315_360_000))).toBe('timestamp-future')
  })

  test.each([
    'text',
    '-1760000000',
    '+1760000000',
    '1760000000.0',
    '1.76e9',
    '0x68e77a00',
    '1760000000abc',
    ' 1760000000',
    '1760000000 ',
    '01760000000',
    '1760000000,1760000000',
    '17600000000000000000',
    'NaN',
    'Infinity',
    '１７６０００００００',
  ])('the timestamp %j is malformed even if it is rightly signed', timestamp => {
    expect(slackAt(timestamp)).toBe('timestamp-malformed')
  })

  test('a timestamp that is missing, empty or repeated is refused before anything is computed', () => {
    const headers = { 'x-slack-signature': `v0=${'0'.repeat(64)}` }
    const of = source({ provider: 'slack' })
    expect(judge(of, { headers, body: BODY }, SECRET, NOW)).toBe('timestamp-missing')
    for (const [timestamp, reason] of [
      ['', 'timestamp-missing'],
      [[String(NOW), String(NOW)], 'header-repeated'],
    ] as const) {
      const posted = { headers: { ...headers, 'x-slack-request-timestamp': timestamp }, body: BODY }
      expect(judge(of, posted, SECRET, NOW)).toBe(reason)
    }
  })

  test('a timestamp is looked at only after the signature: a forger learns nothing about the clock', () => {
    const headers = { 'x-slack-signature': `v0=${'0'.repeat(64)}`, 'x-slack-request-timestamp': '1' }
    expect(judge(source({ provider: 'slack' }), { headers, body: BODY }, SECRET, NOW)).toBe('signature-mismatch')
  })

  test('a source may choose the tolerance of its timestamps', () => {
    expect(slackAt(String(NOW - 31), NOW, { tolerance: '30s' })).toBe('timestamp-stale')
    expect(slackAt(String(NOW - 3000), NOW, { tolerance: '1h' })).toBe('genuine')
  })
})

describe('a timestamp inside the signature header', () => {
  test('a timestamp inside the signature header is read wherever it stands', () => {
    expect(stripeHeader(`t=${NOW}`, 'v1=SIG')).toBe('genuine')
    expect(stripeHeader('v1=SIG', `t=${NOW}`)).toBe('genuine')
  })

  test('a timestamp inside the signature header may not come twice, in either order', () => {
    expect(stripeHeader(`t=${NOW}`, 't=1', 'v1=SIG')).toBe('header-repeated')
    expect(stripeHeader('t=1', `t=${NOW}`, 'v1=SIG')).toBe('header-repeated')
    expect(stripeHeader(`t=${NOW}`, 'v1=SIG', `t=${NOW}`)).toBe('header-repeated')
  })

  test('a timestamp inside the signature header may not be left out', () => {
    expect(stripeHeader('v1=SIG')).toBe('timestamp-missing')
    expect(stripeHeader('t=', 'v1=SIG')).toBe('timestamp-missing')
  })
})

describe('other units', () => {
  const config = (unit: 's' | 'ms' | 'iso8601', place: 'header' | 'json'): SourceConfig => ({
    provider: 'custom',
    config: {
      scheme: { kind: 'hmac', sig: { name: 'x-sig' }, signed: '{ts}{body}', ts: { in: place, name: 'at', unit } },
    },
  })
  const at = (unit: 's' | 'ms' | 'iso8601', timestamp: string) => {
    const signature = createHmac('sha256', SECRET)
      .update(timestamp + BODY)
      .digest('hex')
    return judge(
      source(config(unit, 'header')),
      { headers: { 'x-sig': signature, at: timestamp }, body: BODY },
      SECRET,
      NOW,
    )
  }

  test('a timestamp may be in milliseconds', () => {
    expect(at('ms', `${NOW}000`)).toBe('genuine')
    expect(at('ms', String(NOW))).toBe('timestamp-stale')
  })

  test('a timestamp may be in ISO 8601, with a zone only', () => {
    expect(at('iso8601', '2025-10-09T08:53:20Z')).toBe('genuine')
    expect(at('iso8601', '2025-10-09T10:53:20.123456789+02:00')).toBe('genuine')
    for (const text of [
      '2025-10-09T08:53:20',
      '2025-10-09',
      '2025-13-09T08:53:20Z',
      'Thu, 09 Oct 2025 08:53:20 GMT',
      '1760000000',
    ]) {
      expect(at('iso8601', text), text).toBe('timestamp-malformed')
    }
  })

  test('a timestamp may be a JSON number, once the body is known to be genuine', () => {
    const body = `{"at":${NOW}}`
    const signature = createHmac('sha256', SECRET).update(`${NOW}${body}`).digest('hex')
    expect(judge(source(config('s', 'json')), { headers: { 'x-sig': signature }, body }, SECRET, NOW)).toBe('genuine')
  })
})
