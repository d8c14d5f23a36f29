import { describe, expect, it } from 'vitest'
import { millis } from '../../functions/domain/brands.ts'
import { Unprocessable } from '../../functions/domain/event.ts'
import type { EventMoves, Queue } from '../../functions/domain/ports.ts'
import { replay } from '../../functions/operate/replay.ts'
import { type ReceiveRig, receiveRig } from '../support/receive-rig.ts'
import { type WholeRig, wholeRig } from '../support/whole-rig.ts'

const FIRST = { id: 'evt_1', type: 'invoice.paid', pending_webhooks: 1 }
const AGAIN = { ...FIRST, pending_webhooks: 2 }

/** The sender renders its event anew for each delivery: the first receiver dies with its claim, the second one takes over. */
const takenOver = async (at: WholeRig, settle: EventMoves['settle']): Promise<void> => {
  const dies: Queue['send'] = () => new Promise(() => {})
  const dying = receiveRig({ world: { ...at.world, queue: { ...at.world.queue, send: dies } } })
  void dying.stripe(FIRST)
  await new Promise(resolve => setTimeout(resolve, 5))
  at.advance(16_000)
  const second = receiveRig({ world: { ...at.world, events: { ...at.world.events, settle } } })
  expect((await second.stripe(AGAIN, { at: at.world.now() })).status).toBe(202)
}

const replayed = async (at: WholeRig): Promise<unknown[]> => {
  const [record] = at.records.values()
  if (!record) throw new Error('there is no record')
  const answer = await replay(at.world, { id: record.fingerprint, actor: 'me', reason: 'fixed', job: null })
  expect(answer).toMatchObject({ kind: 'replayed', generation: 1, queued: true })
  const bodies: unknown[] = []
  await at.deliver(async event => void bodies.push(await event.json()), at.texts().slice(-1))
  return bodies
}

describe('an event whose body changed between two deliveries', () => {
  const [KEY, SIGNS_NOTHING] = ['telegram-0123456789', 'x-telegram-bot-api-secret-token']
  const telegram = () => receiveRig({ sources: { telegram: { provider: 'telegram' } }, secrets: { telegram: [KEY] } })

  it.each([
    ['whose sender signs every byte', receiveRig, (at: ReceiveRig, body: object) => at.stripe({ ...FIRST, ...body })],
    [
      'whose sender signs no body at all, and could as well send another event',
      telegram,
      (at: ReceiveRig, body: object) =>
        at.post({
          source: 'telegram',
          body: JSON.stringify({ update_id: 1, ...body }),
          headers: { [SIGNS_NOTHING]: KEY },
        }),
    ],
  ])('and %s is taken over, and reopened once it failed', async (_, open, send) => {
    const at = open()
    for (const [index, status] of (['claimed', 'failed'] as const).entries()) {
      await send(at, { tries: index })
      const [record] = at.records.values()
      if (record) at.records.set({ ...record, status, leaseUntil: millis(0) })
      expect((await send(at, { tries: index + 1 })).status).toBe(202)
    }
  })

  const refuses = () => {
    throw new Unprocessable('no such plan')
  }

  it('and that fails before it is settled is replayed with the bytes that its handler had', async () => {
    const at = wholeRig()
    await takenOver(at, async (...call) => {
      await at.deliver(refuses, at.texts())
      return at.world.events.settle(...call)
    })
    expect(await replayed(at)).toEqual([AGAIN])
  })

  it('and whose settling was never answered is replayed with the bytes that its handler had', async () => {
    const at = wholeRig()
    await takenOver(at, async () => ({ kind: 'unavailable', cause: 'timeout' }))
    await at.deliver(refuses, at.texts())
    expect(await replayed(at)).toEqual([AGAIN])
  })
})
