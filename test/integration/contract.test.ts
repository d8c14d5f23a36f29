import { describe, expect, inject, it } from 'vitest'
import { siteOf, stripeBody, unique } from './site.ts'

describe.concurrent.each(inject('deployments'))('POST /webhooks/{source} through $api', deployment => {
  const site = siteOf(deployment)

  it('answers a new event with 202 and its id, and a repeat with 200 and the same id', async () => {
    const id = unique()
    const first = await site.stripe({ id })
    expect(first).toMatchObject({
      status: 202,
      body: { status: 'accepted', id: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    expect(await site.stripe({ id })).toMatchObject({ status: 200, body: { status: 'duplicate', id: first.body.id } })
    const record = await site.settled(first.body.id, 'done')
    expect(record).toMatchObject({ source: 'stripe', eventId: id, type: 'invoice.paid', generation: 0 })
    expect(await site.stripe({ id })).toMatchObject({ status: 200, body: { id: first.body.id } })
    expect(await site.record(first.body.id)).toEqual(record)
  })

  it('answers an event that failed for good, and is sent again, with 202: a new generation', async () => {
    const id = unique()
    const { body } = await site.stripe({ id, todo: { kind: 'refuse' } })
    await site.settled(body.id, 'failed')
    expect(await site.stripe({ id })).toMatchObject({ status: 202, body: { id: body.id } })
    expect(await site.settled(body.id, 'done')).toMatchObject({ generation: 1 })
  })

  it.each([
    ['stripe', 409],
    ['gives-up-on-4xx', 503],
  ] as const)(
    'answers %s with %d and Retry-After while another delivery owns the event, and takes over after its lease',
    async (source, status) => {
      const id = unique()
      const { body } = await site.stripe({ id }, { source })
      await site.settled(body.id, 'done')
      await site.amend(body.id, { status: 'claimed', leaseUntil: Date.now() + 600_000 })
      const answer = await site.stripe({ id }, { source })
      expect(answer).toMatchObject({ status, body: { type: 'processing', status: 'processing', id: body.id } })
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      await site.amend(body.id, { leaseUntil: Date.now() - 600_000 })
      expect((await site.stripe({ id }, { source })).status).toBe(202)
      expect(await site.settled(body.id, 'done')).toMatchObject({ generation: 0 })
    },
  )

  const good = { 'stripe-signature': 't=1,v1=00' }
  const refused: readonly (readonly [string, () => ReturnType<typeof site.post>, number, string])[] = [
    ['no signature', () => site.post('stripe', stripeBody({})), 401, 'signature'],
    [
      'a malformed signature',
      () => site.post('stripe', stripeBody({}), { 'stripe-signature': 'nonsense' }),
      401,
      'signature',
    ],
    [
      'a signature of another secret',
      () => site.stripe({}, { secret: 'whsec_somebody_elses_0123456789' }),
      401,
      'signature',
    ],
    ['a stale timestamp', () => site.stripe({}, { age: 900 }), 401, 'timestamp'],
    ['a timestamp of the future', () => site.stripe({}, { age: -900 }), 401, 'timestamp'],
    ['an unknown source', () => site.post('nobody', '{}', good), 404, 'unknown-source'],
    ['a body that is not JSON', () => site.stripeText('hello'), 400, 'identity'],
    ['JSON without an id', () => site.stripeText('{"type":"invoice.paid"}'), 400, 'identity'],
    ['a GET', () => site.send('stripe', { method: 'GET' }), 405, 'method'],
    ['a PUT', () => site.send('stripe', { method: 'PUT', body: '{}' }), 405, 'method'],
    ['a body of one byte too much', () => site.stripeText('x'.repeat(4_194_305)), 413, 'too-large'],
    ['an encoded body', () => site.post('stripe', '{}', { 'content-encoding': 'br' }), 415, 'encoding'],
    [
      'a source whose secret nobody has set',
      () => site.stripe({}, { source: 'without-secret', secret: 'whsec_any' }),
      503,
      'unavailable',
    ],
  ]

  it.each(refused)('refuses %s as a problem that says what is wrong', async (_name, deliver, status, type) => {
    const answer = await deliver()
    expect(answer.body).toMatchObject({ type, status })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.headers.get('x-correlation-id')).toBe(answer.body.correlationId)
    if (status === 503) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('answers a path that is none of its own with 404, or with 403 where a REST API asks for credentials first', async () => {
    const { status } = await fetch(`${deployment.base}/elsewhere`, { method: 'POST', body: '{}' })
    expect([404, 403]).toContain(status)
  })

  it('reads headers whatever their case, and verifies bytes that are no UTF-8', async () => {
    const notText = Buffer.concat([Buffer.from('{"id":"evt","x":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])
    const headers = { 'X-GitHub-Event': 'push', 'X-GITHUB-DELIVERY': unique('') }
    const answer = await site.patiently(() => site.signedBytes('github', notText, headers))
    // The signature held, or it would be a 401: GitHub's id is in a header, and its body is whatever it is.
    expect(answer.status).toBe(202)
    const record = await site.settled(answer.body.id, 'done')
    expect(await site.body(record)).toEqual(notText)
  })
})
