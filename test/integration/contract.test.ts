import { describe, expect, inject, it } from 'vitest'
import { problemType } from '../support/problem-type.ts'
import { rigOf, stripeBody, unique } from './rig.ts'

describe.concurrent.each(inject('deployments'))('POST /webhooks/{source} through $api', deployment => {
  const rig = rigOf(deployment)

  it('a new event is answered 202 with its id, and a repeat 200 with the same id', async () => {
    const id = unique()
    const first = await rig.stripe({ id })
    expect(first).toMatchObject({
      status: 202,
      body: { status: 'accepted', id: expect.stringMatching(/^[0-9a-f]{64}$/) },
    })
    expect(await rig.stripe({ id })).toMatchObject({ status: 200, body: { status: 'duplicate', id: first.body.id } })
    const record = await rig.settled(first.body.id, 'done')
    expect(record).toMatchObject({ source: 'stripe', eventId: id, type: 'invoice.paid', generation: 0 })
    expect(await rig.stripe({ id })).toMatchObject({ status: 200, body: { id: first.body.id } })
    expect(await rig.record(first.body.id)).toEqual(record)
  })

  it('a failed event that is sent again is answered 202 and becomes a new generation', async () => {
    const id = unique()
    const { body } = await rig.stripe({ id, todo: { kind: 'refuse' } })
    await rig.settled(body.id, 'failed')
    expect(await rig.stripe({ id })).toMatchObject({ status: 202, body: { id: body.id } })
    expect(await rig.settled(body.id, 'done')).toMatchObject({ generation: 1 })
  })

  it.each([
    ['stripe', 409],
    ['gives-up-on-4xx', 503],
  ] as const)(
    '%s is answered %d with Retry-After while another delivery owns the event, and takes over after its lease',
    async (source, status) => {
      const id = unique()
      const { body } = await rig.stripe({ id }, { source })
      await rig.settled(body.id, 'done')
      await rig.amend(body.id, { status: 'claimed', leaseUntil: Date.now() + 600_000 })
      const answer = await rig.stripe({ id }, { source })
      expect(answer).toMatchObject({
        status,
        body: { type: problemType('processing'), status, state: 'processing', id: body.id },
      })
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      await rig.amend(body.id, { leaseUntil: Date.now() - 600_000 })
      expect((await rig.stripe({ id }, { source })).status).toBe(202)
      expect(await rig.settled(body.id, 'done')).toMatchObject({ generation: 0 })
    },
  )

  const good = { 'stripe-signature': 't=1,v1=00' }
  const refused: readonly (readonly [string, () => ReturnType<typeof rig.post>, number, string])[] = [
    ['no signature', () => rig.post('stripe', stripeBody({})), 401, 'signature'],
    [
      'a malformed signature',
      () => rig.post('stripe', stripeBody({}), { 'stripe-signature': 'nonsense' }),
      401,
      'signature',
    ],
    [
      'a signature of another secret',
      () => rig.stripe({}, { secret: 'whsec_somebody_elses_0123456789' }),
      401,
      'signature',
    ],
    ['a stale timestamp', () => rig.stripe({}, { age: 900 }), 401, 'timestamp'],
    ['a timestamp of the future', () => rig.stripe({}, { age: -900 }), 401, 'timestamp'],
    ['an unknown source', () => rig.post('nobody', '{}', good), 404, 'unknown-source'],
    ['a body that is not JSON', () => rig.stripeText('hello'), 400, 'identity'],
    ['JSON without an id', () => rig.stripeText('{"type":"invoice.paid"}'), 400, 'identity'],
    ['a GET', () => rig.send('stripe', { method: 'GET' }), 405, 'method'],
    ['a PUT', () => rig.send('stripe', { method: 'PUT', body: '{}' }), 405, 'method'],
    ['a body of one byte too much', () => rig.stripeText('x'.repeat(4_194_305)), 413, 'too-large'],
    ['an encoded body', () => rig.post('stripe', '{}', { 'content-encoding': 'br' }), 415, 'encoding'],
    [
      'a source whose secret nobody has set',
      () => rig.stripe({}, { source: 'without-secret', secret: 'whsec_any' }),
      503,
      'unavailable',
    ],
  ]

  it.each(refused)(
    '%s is refused with problem details that say what is wrong',
    async (_name, deliver, status, type) => {
      const answer = await deliver()
      expect(answer.body).toMatchObject({ type: problemType(type), status })
      expect(answer.status).toBe(status)
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
      expect(answer.headers.get('x-correlation-id')).toBe(answer.body.correlationId)
      if (status === 503) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    },
  )

  it('an unknown path is answered 404, or 403 if a REST API asks for credentials first', async () => {
    const { status } = await rig.elsewhere({ method: 'POST', body: '{}' })
    expect([404, 403]).toContain(status)
  })

  const notText = Buffer.concat([Buffer.from('{"id":"evt","x":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])
  const pushed = (type: string) =>
    rig.patiently(() =>
      rig.signedBytes('github', notText, {
        'content-type': type,
        'X-GitHub-Event': 'push',
        'X-GITHUB-DELIVERY': unique(''),
      }),
    )
  const isKept = async (type: string): Promise<void> => {
    const answer = await pushed(type)
    // The signature held, or it would be a 401: GitHub's id is in a header, and its body is whatever it is.
    expect(answer.status).toBe(202)
    const record = await rig.settled(answer.body.id, 'done')
    expect(await rig.body(record)).toEqual(notText)
  }

  if (deployment.keepsBytes) {
    it('headers are read in any case, and a body that is not UTF-8 is verified', () => isKept('application/json'))
  } else {
    it('a body that is not UTF-8 is verified, and refused if the gateway has replaced some of its bytes', async () => {
      await isKept('application/octet-stream')
      expect((await pushed('application/json')).status).toBe(401)
    })
  }
})
