import { describe, expect, it } from 'vitest'
import { type PublisherOptions, publisher } from '../../lib/client/publisher.ts'

interface Sent {
  readonly key: string
  readonly body: string
}

type Told = number | Error | { readonly status: number; readonly headers: Record<string, string> }

/** A server that says what it is told, one after the other. */
const against = (told: readonly Told[], options: Partial<PublisherOptions> = {}) => {
  const sent: Sent[] = []
  const pauses: number[] = []
  const say = [...told]
  const client = publisher({
    url: 'https://api.example.com/publish/orders',
    sign: ({ headers }) => ({ ...headers, host: 'api.example.com', authorization: `signature ${sent.length}` }),
    fetch: (async (_url: URL, { headers, body }: { headers: Record<string, string>; body: string }) => {
      sent.push({ key: headers['idempotency-key'] ?? '', body })
      const next = say.shift() ?? 202
      if (next instanceof Error) throw next
      const { status, headers: more } = typeof next === 'number' ? { status: next, headers: {} } : next
      return new Response('{"status":"accepted"}', { status, headers: more })
    }) as unknown as typeof fetch,
    sleep: async milliseconds => void pauses.push(milliseconds),
    random: () => 0.5,
    ...options,
  })
  return { client, sent, pauses }
}

describe('the client', () => {
  it('the publisher makes a key, and sends it in quotes', async () => {
    const { client, sent } = against([202])
    const answer = await client.publish({ orderId: 1 })
    expect(answer).toMatchObject({ status: 202, replayed: false, tries: 1 })
    expect(sent).toEqual([{ key: `"${answer.key}"`, body: '{"orderId":1}' }])
    expect((await client.publish({ orderId: 1 })).key).not.toBe(answer.key)
  })

  it('the publisher tries again with the same key and the same bytes when nobody answers, and on 409, 429 and 5xx', async () => {
    const { client, sent } = against([new Error('reset'), 409, 429, 500, 503, 202])
    expect(await client.publish({ a: 1 }, 'mine')).toMatchObject({ key: 'mine', status: 202, tries: 6 })
    expect(sent).toEqual(Array.from({ length: 6 }, () => ({ key: '"mine"', body: '{"a":1}' })))
  })

  it.each([400, 403, 404, 413, 422])('the publisher does not try again after a %d', async status => {
    const { client, sent } = against([status])
    expect(await client.publish({})).toMatchObject({ status, tries: 1 })
    expect(sent).toHaveLength(1)
  })

  it('the publisher waits a random part of a time that doubles with each try', async () => {
    const { client, pauses } = against([500, 500, 500, 500])
    await client.publish({})
    expect(pauses).toEqual([100, 200, 400, 800])
  })

  it('the publisher never comes back sooner than it is asked to, and never waits for ever', async () => {
    const comeIn = (seconds: string) => ({ status: 503, headers: { 'retry-after': seconds } })
    const { client, pauses } = against([comeIn('2'), comeIn('86400'), comeIn('Wed, 21 Oct 2026 07:28:00 GMT')])
    await client.publish({})
    expect(pauses).toEqual([2_100, 20_200, 400])
  })

  it('the publisher gives up after its tries, and tells the key for later', async () => {
    const { client, sent } = against([500, 500, 500], { tries: 2 })
    expect(await client.publish({}, 'mine')).toMatchObject({ key: 'mine', status: 500, tries: 2 })
    expect(sent).toHaveLength(2)
    const nobody = against([new Error('refused')], { tries: 1 })
    expect(await nobody.client.publish({})).toMatchObject({ status: 0, body: expect.stringContaining('refused') })
  })

  it('the publisher says when the event was there already', async () => {
    const { client } = against([{ status: 202, headers: { 'Idempotent-Replayed': 'true' } }])
    expect((await client.publish({})).replayed).toBe(true)
  })
})
