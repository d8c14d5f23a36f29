import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { EventClaims } from '../../../functions/domain/ports.ts'
import { type ReceiveRig, receiveRig } from '../../support/receive-rig.ts'
import { begin, down, isDown, lastLine, neverAnswers, onlyRecord, push, where } from './rig.ts'

const LEASE = 15_000
const superseded = async () => ({ kind: 'superseded' }) as const
const invoice = (more: object = {}) => ({ id: 'evt_1', type: 'invoice.paid', ...more })

const forget = ({ calls }: ReceiveRig) => {
  for (const name of Object.keys(calls)) delete calls[name]
}

/** Claimed by an owner that died before it sent anything, and whose lease has passed. */
const abandoned = async (at: ReceiveRig, delivery: Parameters<ReceiveRig['post']>[0]): Promise<void> => {
  await begin(where(at, { queue: { send: neverAnswers } }).post(delivery))
  at.advance(LEASE)
  forget(at)
}

const failed = (at: ReceiveRig): void => {
  at.records.set({ ...onlyRecord(at), status: 'failed' })
  forget(at)
}

describe('a claim', () => {
  it('a claim that meets another in the same transaction is told to come again, and sends nothing', async () => {
    const at = receiveRig()
    const answer = await where(at, { claims: { claim: async () => ({ kind: 'contended' }) } }).stripe(invoice())
    expect([answer.status, answer.body]).toMatchObject([409, { state: 'processing' }])
    expect(at.messages()).toEqual([])
  })
})

describe('a take-over', () => {
  it('a takeover is marked as one in the log, and not as a reopening', async () => {
    const at = receiveRig()
    await abandoned(at, push('d-1'))
    expect((await at.post(push('d-1'))).status).toBe(202)
    expect(lastLine(at)).toMatchObject({ outcome: 'accepted', tookOver: true })
    expect(lastLine(at)).not.toHaveProperty('reopened')
  })

  it('a takeover stores the body once', async () => {
    const at = receiveRig()
    await abandoned(at, push('d-1'))
    await at.post(push('d-1'))
    expect(at.calls).toEqual({ keep: 1, claim: 1, takeOver: 1, send: 1, settle: 1 })
  })

  it('a takeover that another was quicker with is told to come again, and sends nothing', async () => {
    const at = receiveRig()
    await abandoned(at, push('d-1'))
    expect((await where(at, { events: { takeOver: superseded } }).post(push('d-1'))).status).toBe(409)
    expect(at.messages()).toEqual([])
  })

  it('a takeover that gets no answer is a 503, and sends nothing', async () => {
    const at = receiveRig()
    await abandoned(at, push('d-1'))
    const cut = where(at, { events: { takeOver: isDown } })
    expect((await cut.post(push('d-1'))).status).toBe(503)
    expect(lastLine(cut)).toMatchObject({ outcome: 'unavailable', Reason: 'event-store' })
    expect(at.messages()).toEqual([])
  })
})

describe('under a guard, the same bytes with a fresh id', () => {
  const guarded = () => receiveRig({ sources: { github: { provider: 'github', guard: 'body' } } })

  it('the same bytes with a fresh id take over the guarded event under its own name, and its body is where the message says', async () => {
    const at = guarded()
    await abandoned(at, push('d-1'))
    const { fingerprint } = onlyRecord(at)
    const keptUnder: string[] = []
    const keep: typeof at.world.bodies.keep = (body, ...when) => {
      keptUnder.push(body.fingerprint)
      return at.world.bodies.keep(body, ...when)
    }
    const answer = await where(at, { bodies: { keep } }).post(push('d-2'))
    expect([answer.status, answer.body.id]).toEqual([202, fingerprint])
    expect(at.messages()).toMatchObject([{ id: fingerprint, eventId: 'd-1' }])
    expect(keptUnder).toContain(fingerprint)
    expect(onlyRecord(at)).toMatchObject({ status: 'queued', attempts: 0 })
  })

  it.each(['claimed', 'failed'] as const)(
    'the same bytes with a fresh id touch no %s event when the body cannot be stored',
    async status => {
      const at = guarded()
      await abandoned(at, push('d-1'))
      const { fingerprint } = onlyRecord(at)
      at.records.set({ ...onlyRecord(at), status })
      const before = onlyRecord(at)
      const keep: typeof at.world.bodies.keep = async (body, ...when) =>
        body.fingerprint === fingerprint ? down : at.world.bodies.keep(body, ...when)
      expect((await where(at, { bodies: { keep } }).post(push('d-2'))).status).toBe(503)
      expect(onlyRecord(at)).toEqual(before)
      expect(at.messages()).toEqual([])
    },
  )
})

describe('a reopening', () => {
  const RESENT = JSON.stringify(invoice({ amount: 7 }))

  it('a reopening is marked as one in the log, and not as a takeover', async () => {
    const at = receiveRig()
    await at.stripe(invoice())
    expect(lastLine(at)).not.toHaveProperty('reopened')
    expect(lastLine(at)).not.toHaveProperty('tookOver')
    failed(at)
    await at.stripe(invoice())
    expect(lastLine(at)).toMatchObject({ outcome: 'accepted', reopened: true })
    expect(lastLine(at)).not.toHaveProperty('tookOver')
  })

  it('a reopening stores the body first: whoever reopens and dies leaves a record of the body that was sent last', async () => {
    const at = receiveRig()
    await at.stripe(invoice())
    failed(at)
    at.advance(86_400_000)
    const dying = where(at, { queue: { send: neverAnswers } })
    await begin(dying.stripe({}, { raw: RESENT, at: at.world.now() }))
    expect(onlyRecord(at)).toMatchObject({
      status: 'claimed',
      generation: 1,
      bodyAt: 'dynamodb',
      bodySha256: createHash('sha256').update(RESENT).digest('hex'),
      bodySize: RESENT.length,
      expiresAt: at.world.now() / 1000 + 31 * 86_400,
    })
    const { fingerprint, bodySha256 } = onlyRecord(at)
    const kept = await at.world.keptBodies.fetch(fingerprint, bodySha256, 'dynamodb', at.world.now())
    expect(Buffer.from(kept?.bytes ?? []).toString()).toBe(RESENT)
  })

  it('a reopening whose body cannot be stored is a 503, and the event stays failed', async () => {
    const at = receiveRig()
    await at.stripe(invoice())
    failed(at)
    const cut = where(at, { bodies: { keep: isDown } })
    expect((await cut.stripe(invoice())).status).toBe(503)
    expect(lastLine(cut)).toMatchObject({ Reason: 'body-store' })
    expect(onlyRecord(at)).toMatchObject({ status: 'failed', generation: 0 })
  })

  it('a reopening of a sender that never retries stores the body once', async () => {
    const at = receiveRig()
    await at.post(push('d-1'))
    failed(at)
    expect((await at.post(push('d-1'))).status).toBe(202)
    expect(at.calls).toEqual({ keep: 1, claim: 1, reopen: 1, send: 1, settle: 1 })
    expect(onlyRecord(at)).toMatchObject({ status: 'queued', generation: 1, bodyAt: 'dynamodb' })
  })

  it('a reopening that another was quicker with is told to come again, and sends nothing more', async () => {
    const at = receiveRig()
    await at.stripe(invoice())
    failed(at)
    const reopen: EventClaims['reopen'] = superseded
    expect((await where(at, { claims: { reopen } }).stripe(invoice())).status).toBe(409)
    expect(at.messages()).toHaveLength(1)
  })
})
