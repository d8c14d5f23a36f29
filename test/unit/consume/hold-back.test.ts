import { describe, expect, it } from 'vitest'
import { holdBack } from '../../../functions/consume/hold-back.ts'
import type { Message } from '../../../functions/contract/message.ts'
import { type Millis, millis } from '../../../functions/domain/brands.ts'
import type { EventRecord } from '../../../functions/domain/record.ts'
import { NOON } from '../../support/events.ts'

const SECOND = 1_000

/** An event whose last try, an hour ago, did not come back; beside others that leave it so much of a function's five seconds. */
const hungOnce = async ({ left, receiveCount = 2, attempts = 1 }: Readonly<Record<string, number>>) => {
  const updatedAt = NOON - 3_600 * SECOND
  const known = { generation: 0, status: 'working', attempts, updatedAt, leaseUntil: updatedAt + 10 * SECOND }
  const world = { records: { read: async () => known as unknown as EventRecord }, now: () => millis(NOON) }
  let remaining = 5 * SECOND
  let waited = false
  const held = await holdBack(
    world,
    { id: 'x', generation: 0 } as Message,
    { receiveCount: receiveCount as number, group: null },
    {
      tries: 16,
      get remaining() {
        return remaining as Millis
      },
      turn: async () => {
        waited = true
        remaining = left ?? remaining
      },
    },
  )
  return { held, waited }
}

describe('an event that hung once, behind others of its batch', () => {
  it('an event that hung once is tried if the others leave it half of the time', async () => {
    expect(await hungOnce({ left: 2.5 * SECOND })).toEqual({ held: undefined, waited: true })
  })

  it('an event that hung once comes again, with no try used up, if the others leave it less', async () => {
    expect(await hungOnce({ left: 2 * SECOND })).toEqual({
      held: { work: 'busy', leaseUntil: NOON + 10 * SECOND },
      waited: true,
    })
  })

  it('an event that was put off five times is tried beside the others, with all of the time', async () => {
    expect(await hungOnce({ left: 0, receiveCount: 6 })).toMatchObject({ held: { work: 'busy' } })
    expect(await hungOnce({ left: 0, receiveCount: 7 })).toEqual({ held: undefined, waited: false })
  })
})
