import { describe, expect, test } from 'vitest'
import { readBody } from '../../functions/providers/read-body.ts'
import { delivery, judge, source } from '../unit/providers/given.ts'
import firstSet from './first-set.json' with { type: 'json' }

interface Vector {
  readonly id: string
  readonly provider: string
  readonly expect: string
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string
  readonly secret: string
  readonly now: number
}

interface Handshaking {
  readonly provider: string
  readonly variant?: string
  readonly request: { readonly body: string }
  readonly response: { readonly status: number; readonly body?: string; readonly json?: unknown }
}

const vectors = firstSet.vectors as unknown as readonly Vector[]
const handshakes = firstSet.handshakes as unknown as readonly Handshaking[]

describe('vectors of the first set', () => {
  test.each(vectors.filter(vector => vector.expect === 'valid'))('$id is genuine', vector => {
    expect(judge(source({ provider: vector.provider }), vector, vector.secret, vector.now)).toBe('genuine')
  })

  test.each(vectors.filter(vector => vector.expect === 'invalid'))('$id is distrusted', vector => {
    const expected = vector.id.endsWith('--stale') ? 'timestamp-stale' : 'signature-mismatch'
    expect(judge(source({ provider: vector.provider }), vector, vector.secret, vector.now)).toBe(expected)
  })

  test('every provider of the first set has both kinds', () => {
    const seen = (kind: string) =>
      new Set(vectors.filter(vector => vector.expect === kind).map(vector => vector.provider))
    expect(seen('valid').size).toBe(11)
    expect(seen('invalid')).toEqual(seen('valid'))
  })

  test.each(handshakes)('$provider $variant handshake is answered as it asks', ({ provider, request, response }) => {
    const posted = delivery(request)
    const json = readBody(posted.body).json()
    const reply = source({ provider }).provider.handshake?.(posted, json.kind === 'parsed' ? json.value : undefined)
    expect(reply?.status).toBe(response.status)
    if (response.json) expect(JSON.parse(reply?.body ?? '')).toEqual(response.json)
    else expect(reply?.body).toBe(response.body)
  })
})
