import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { MESSAGE_LIFE_SECONDS } from '../../../functions/contract/queues.ts'
import type { SourceConfig } from '../../../functions/domain/source.ts'
import { GITHUB_SECRET, type ReceiveRig, receiveRig, STRIPE_SECRET } from '../../support/receive-rig.ts'
import { begin, isDown, lastLine, neverAnswers, onlyRecord, push, where } from './rig.ts'

const LEASE = 15_000
const DAY = 86_400
const invoice = (more: object = {}) => ({ id: 'evt_1', type: 'invoice.paid', ...more })

/** Does not fit a message, however it is compressed. */
const NOISE = Array.from({ length: 40_000 }, (_, index) => createHash('sha256').update(`${index}`).digest('hex')).join(
  '',
)

describe('an owner', () => {
  it.each([0, 5_000])(
    'an owner that wakes %i ms after its lease, when another may own the event, sends nothing',
    async late => {
      const at = receiveRig()
      const claim: typeof at.world.claims.claim = async (...asked) => {
        const answer = await at.world.claims.claim(...asked)
        at.advance(LEASE + late)
        return answer
      }
      const sleepy = where(at, { claims: { claim } })
      expect((await sleepy.stripe(invoice(), { at: at.world.now() })).status).toBe(503)
      expect(lastLine(sleepy)).toMatchObject({ outcome: 'unavailable', Reason: 'lease-passed' })
      expect(at.calls).not.toHaveProperty('send')
      expect(onlyRecord(at).status).toBe('claimed')
    },
  )

  it('an owner that wakes a moment before its lease ends still sends', async () => {
    const at = receiveRig()
    const claim: typeof at.world.claims.claim = async (...asked) => {
      const answer = await at.world.claims.claim(...asked)
      at.advance(LEASE - 1)
      return answer
    }
    expect((await where(at, { claims: { claim } }).stripe(invoice(), { at: at.world.now() })).status).toBe(202)
    expect(at.messages()).toHaveLength(1)
  })
})

describe('a body too large for its message', () => {
  it('a large body that cannot be stored is a 503, and the very next delivery takes over', async () => {
    const at = receiveRig()
    const cut = where(at, { bodies: { keep: isDown } })
    expect((await cut.stripe(invoice({ NOISE }))).status).toBe(503)
    expect(lastLine(cut)).toMatchObject({ Reason: 'body-store' })
    expect(at.calls).not.toHaveProperty('send')
    expect((await at.stripe(invoice({ NOISE }))).status).toBe(202)
  })

  it('a large body that is stored after the lease of its owner has passed is not sent: another may own the event', async () => {
    const at = receiveRig()
    const keep: typeof at.world.bodies.keep = async (...asked) => {
      const answer = await at.world.bodies.keep(...asked)
      at.advance(LEASE)
      return answer
    }
    const slow = where(at, { bodies: { keep } })
    expect((await slow.stripe(invoice({ NOISE }), { at: at.world.now() })).status).toBe(503)
    expect(lastLine(slow)).toMatchObject({ outcome: 'unavailable', Reason: 'lease-passed' })
    expect(at.calls).not.toHaveProperty('send')
  })

  it('the place of a large body is in the record too, because replay looks for it there', async () => {
    const at = receiveRig()
    await at.stripe(invoice({ NOISE }))
    expect(onlyRecord(at)).toMatchObject({ status: 'queued', bodyAt: 's3:30d:2026-11-15' })
  })
})

describe('a body that was stored before the claim', () => {
  it('a body that was stored before the claim stays in the record of a source that retains nothing', async () => {
    const at = receiveRig({ sources: { github: { provider: 'github', retain: 'none' } } })
    await at.post(push('d-1'))
    expect(onlyRecord(at)).toMatchObject({ status: 'queued', bodyAt: 'dynamodb' })
    expect(at.calls.keep).toBe(1)
  })
})

describe('an accepted event', () => {
  it('an accepted event whose body was kept does not say that it was not', async () => {
    const at = receiveRig()
    await at.stripe(invoice())
    expect(lastLine(at)).toMatchObject({ Accepted: 1 })
    expect(lastLine(at)).not.toHaveProperty('BodyNotKept')
  })

  it('an accepted event that a consumer took before it was settled still learns where its body is', async () => {
    const at = receiveRig()
    const send: typeof at.world.queue.send = async (...message) => {
      const record = onlyRecord(at)
      at.records.set({ ...record, status: 'done' })
      return at.world.queue.send(...message)
    }
    expect((await where(at, { queue: { send } }).stripe(invoice())).status).toBe(202)
    expect(onlyRecord(at)).toMatchObject({ status: 'done', bodyAt: 'dynamodb' })
  })

  it('whose settling had no answer notes its body all the same, so recovery needs no help from its sender', async () => {
    const at = receiveRig()
    const settle = async () => ({ kind: 'unavailable' as const, cause: 'timeout' })
    expect((await where(at, { events: { settle } }).stripe(invoice())).status).toBe(202)
    expect(onlyRecord(at)).toMatchObject({ status: 'claimed', bodyAt: 'dynamodb' })
  })

  it.each<[string, SourceConfig, 'moved' | 'superseded']>([
    ['was settled', { provider: 'stripe' }, 'moved'],
    ['has no body to be found', { provider: 'stripe', retain: 'none' }, 'superseded'],
  ])('an accepted event that %s costs no second write', async (_name, stripe, kind) => {
    const at = receiveRig({ sources: { stripe } })
    await where(at, { events: { settle: async () => ({ kind }) } }).stripe(invoice())
    expect(at.calls).not.toHaveProperty('noteBody')
  })
})

describe('a copy for replay that takes long', () => {
  /** Bodies that are kept when a test says so, and a pause that ends when it says so. */
  const slow = () => {
    const at = receiveRig({
      sources: { stripe: { provider: 'stripe' }, gocardless: { provider: 'gocardless', storeFirst: false } },
      secrets: { stripe: [STRIPE_SECRET], gocardless: [GITHUB_SECRET] },
    })
    const bodies = Promise.withResolvers<void>()
    const patience = Promise.withResolvers<void>()
    const pauses: number[] = []
    let begun = 0
    const keep: typeof at.world.bodies.keep = async (...body) => {
      begun++
      await bodies.promise
      return at.world.bodies.keep(...body)
    }
    const pause: typeof at.world.pause = span => {
      pauses.push(span)
      return patience.promise
    }
    const world = receiveRig({ world: { ...at.world, bodies: { ...at.world.bodies, keep }, pause } })
    return { at, world, pauses, begun: () => begun, keepNow: bodies.resolve, endPatience: patience.resolve }
  }

  it('a copy for replay that takes longer than a second does not hold up the acknowledgement', async () => {
    const { at, world, pauses, endPatience } = slow()
    const answer = world.stripe(invoice())
    await begin(answer)
    expect(at.messages()).toHaveLength(1)
    expect(pauses).toEqual([1_000])
    endPatience()
    expect((await answer).status).toBe(202)
    expect(lastLine(world)).toMatchObject({ Accepted: 1, BodyNotKept: 1 })
    expect(onlyRecord(at)).toMatchObject({ status: 'queued', bodyAt: null })
  })

  it('a copy for replay that comes after the acknowledgement is noted all the same', async () => {
    const { at, world, keepNow, endPatience } = slow()
    endPatience()
    await world.stripe(invoice())
    keepNow()
    await begin(Promise.resolve())
    expect(onlyRecord(at)).toMatchObject({ status: 'queued', bodyAt: 'dynamodb' })
  })

  it('a copy for replay that comes within the second is waited for', async () => {
    const { at, world, keepNow } = slow()
    const answer = world.stripe(invoice())
    await begin(answer)
    keepNow()
    expect((await answer).status).toBe(202)
    expect(lastLine(world)).not.toHaveProperty('BodyNotKept')
    expect(onlyRecord(at)).toMatchObject({ status: 'queued', bodyAt: 'dynamodb' })
  })

  it('a message that the queue refuses is answered without waiting for the copy', async () => {
    const at = receiveRig()
    const send = async () => ({ kind: 'refused', cause: 'no' }) as const
    const cut = where(at, { queue: { send }, bodies: { keep: neverAnswers } })
    expect((await cut.stripe(invoice())).status).toBe(503)
  })

  it('the copies of many events are waited for a second together, not a second each', async () => {
    const { at, world, pauses, begun, endPatience } = slow()
    const body = JSON.stringify({ events: Array.from({ length: 25 }, (_, index) => ({ id: `EV${index}` })) })
    const headers = { 'webhook-signature': createHmac('sha256', GITHUB_SECRET).update(body).digest('hex') }
    const answer = world.post({ source: 'gocardless', body, headers })
    await begin(answer)
    expect(begun()).toBe(10)
    endPatience()
    expect((await answer).status).toBe(202)
    expect(pauses).toEqual([1_000])
    expect(at.messages()).toHaveLength(25)
    expect(at.records.values().map(({ status }) => status)).toEqual(Array.from({ length: 25 }, () => 'queued'))
    // What was not begun within the second is not begun at all.
    expect(begun()).toBe(10)
  })
})

describe('a stored body lives', () => {
  const lifeOf = async (config: SourceConfig, deliver: (at: ReceiveRig) => Promise<unknown>): Promise<number> => {
    const at = receiveRig({ sources: { [config.provider]: config } })
    const lives: number[] = []
    const keep: typeof at.world.bodies.keep = (body, now, expiresAt) => {
      lives.push(expiresAt - now / 1_000)
      return at.world.bodies.keep(body, now, expiresAt)
    }
    await deliver(where(at, { bodies: { keep } }))
    return lives[0] ?? 0
  }
  const small = (at: ReceiveRig) => at.stripe(invoice())
  const large = (at: ReceiveRig) => at.stripe(invoice({ NOISE }))

  it('a stored body lives as long as its source retains it', async () => {
    expect(await lifeOf({ provider: 'stripe', retain: '30d' }, small)).toBe(30 * DAY)
  })

  it.each(['none', '1h'] as const)(
    'a stored body lives three days if its source retains %s, because recovery needs it',
    async retain => {
      expect(await lifeOf({ provider: 'github', retain }, at => at.post(push('d-1')))).toBe(3 * DAY)
    },
  )

  it.each(['none', '7d'] as const)(
    'a stored body lives as long as the message that points to it if its source retains %s',
    async retain => {
      expect(await lifeOf({ provider: 'stripe', retain }, large)).toBe(MESSAGE_LIFE_SECONDS)
    },
  )

  it('a stored body lives longer than its message if its source says so', async () => {
    expect(await lifeOf({ provider: 'stripe', retain: '30d' }, large)).toBe(30 * DAY)
  })
})
