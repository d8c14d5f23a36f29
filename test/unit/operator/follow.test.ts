import { describe, expect, it } from 'vitest'
import { millis } from '../../../functions/domain/brands.ts'
import type { EventRecord } from '../../../functions/domain/record.ts'
import { followRecords } from '../../../lib/operator/follow.ts'
import { claimedRecord, NOON } from '../../support/events.ts'
import { memoryRig } from '../../support/memory-rig.ts'

/** Lets each step happen between two looks, and tells what was seen. */
const followed = async (before: readonly EventRecord[], ...steps: (() => void)[]) => {
  const { stores, records } = memoryRig()
  const put = records.set
  before.forEach(put)
  const looks: number[] = []
  const list: typeof stores.records.list = page => {
    looks.push(page.from)
    return stores.records.list(page)
  }
  let now = NOON
  const seen: string[] = []
  const context = { put, advance: (span: number) => (now = millis(now + span)) }
  const left = [...steps]
  const pause = async () => {
    seen.push('|')
    left.shift()?.call(context)
    return seen.filter(each => each === '|').length <= steps.length
  }
  const following = followRecords(
    { list, read: stores.records.read },
    { now: () => now, from: millis(NOON - 60_000), pause },
  )
  for await (const event of following) seen.push(`${event.eventId} ${event.status} ${event.attempts}`)
  return { seen: seen.slice(0, -1), looks }
}

interface Context {
  put(record: EventRecord): void
  advance(span: number): void
}

const record = (eventId: string, at: number, more: Partial<EventRecord> = {}) =>
  claimedRecord(millis(NOON + at), { eventId, ...more })

describe('following', () => {
  it('following reports each event when it appears, oldest first, and again when its status or attempts change', async () => {
    const first = record('first', -2_000)
    const second = record('second', -1_000)
    const { seen } = await followed(
      [second, first],
      function (this: Context) {
        this.put({ ...first, status: 'working' })
      },
      function (this: Context) {
        this.put({ ...first, status: 'working', attempts: 2 })
        this.put({ ...second, status: 'queued' })
      },
      () => {},
      function (this: Context) {
        this.put({ ...first, status: 'done', attempts: 2 })
        this.put(record('third', 0))
      },
    )
    expect(seen).toEqual([
      ...['first claimed 0', 'second claimed 0', '|'],
      ...['first working 0', '|'],
      ...['first working 2', 'second queued 0', '|'],
      '|',
      ...['first done 2', 'third claimed 0'],
    ])
  })

  it('following reports a finished event again when it is claimed again', async () => {
    const failed = record('failed', -30_000, { status: 'failed' })
    const { seen } = await followed([failed, record('newer', 0, { status: 'done' })], function (this: Context) {
      this.put({ ...failed, status: 'claimed', generation: 1, claimedAt: millis(NOON + 1_000) })
    })
    expect(seen).toEqual(['failed failed 0', 'newer done 0', '|', 'failed claimed 0'])
  })

  it('following looks back to the oldest unfinished event, and to that for at most an hour', async () => {
    const open = record('open', -50_000, { status: 'working' })
    const { looks } = await followed(
      [open, record('done', 0, { status: 'done' })],
      () => {},
      function (this: Context) {
        this.advance(3_600_000)
      },
      () => {},
    )
    expect(looks.map(from => from - NOON)).toEqual([-60_000, -50_000, -50_000, -10_000])
  })

  it('following reads every page of what is new', async () => {
    const many = Array.from({ length: 250 }, (_, number) => record(`e${number}`, number - 300))
    const { seen } = await followed(many)
    expect(seen).toHaveLength(250)
    expect(seen[0]).toBe('e0 claimed 0')
  })
})
