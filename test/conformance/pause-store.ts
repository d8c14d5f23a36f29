import { expect, it } from 'vitest'
import { millis } from '../../functions/domain/brands.ts'
import type { DestinationPause, PauseStore } from '../../functions/domain/pauses.ts'
import { NOON } from '../support/events.ts'

const pause = (fields: Partial<DestinationPause> = {}): DestinationPause => ({
  destination: 'crm',
  state: 'paused',
  reason: 'CRM is down',
  actor: 'ada',
  at: NOON,
  until: millis(NOON + 3_600_000),
  ...fields,
})

/** The law of pauses. */
export const pauseStoreLaw = (open: () => Promise<PauseStore>): void => {
  it('what was said last of a destination counts, for that destination alone', async () => {
    const pauses = await open()
    expect(await pauses.read('crm')).toBeUndefined()
    expect(await pauses.note(pause())).toEqual({ kind: 'noted' })
    expect(await pauses.read('crm')).toEqual(pause())
    const resumed = pause({ state: 'resumed', reason: 'back', at: millis(NOON + 60_000), until: millis(NOON + 60_000) })
    await pauses.note(resumed)
    expect(await pauses.read('crm')).toEqual(resumed)
    expect((await pauses.note(pause())).kind).toBe('unavailable')
    expect(await pauses.read('crm')).toEqual(resumed)
    expect(await pauses.read('crm2')).toBeUndefined()
  })

  it('everything that was said of destinations stays in the log, newest first', async () => {
    const pauses = await open()
    const later = pause({ state: 'resumed', at: millis(NOON + 60_000) })
    const other = pause({ destination: 'billing', at: millis(NOON + 120_000) })
    for (const each of [pause(), later, other]) await pauses.note(each)
    expect(await pauses.recent(NOON, millis(NOON + 200_000), 10)).toEqual([other, later, pause()])
  })

  it('what two operators said in one millisecond is both in the log, and once each', async () => {
    const pauses = await open()
    const said = [pause(), pause({ actor: 'bob' }), pause({ state: 'resumed', until: NOON }), pause({ reason: 'CRM' })]
    for (const each of [...said, ...said]) await pauses.note(each)
    const recent = await pauses.recent(NOON, NOON, 10)
    expect(recent).toHaveLength(said.length)
    expect(recent).toEqual(expect.arrayContaining(said))
  })

  it('what came too late to count is in the log as overtaken', async () => {
    const pauses = await open()
    const later = pause({ state: 'resumed', at: millis(NOON + 1) })
    await pauses.note(later)
    expect((await pauses.note(pause())).kind).toBe('unavailable')
    expect(await pauses.recent(NOON, millis(NOON + 1), 10)).toEqual([later, pause({ overtaken: true })])
  })

  it('that a pause is over is on record, and not in the log', async () => {
    const pauses = await open()
    await pauses.note(pause())
    expect(await pauses.note(pause({ over: true }))).toEqual({ kind: 'noted' })
    expect(await pauses.read('crm')).toEqual(pause({ over: true }))
    const next = pause({ at: millis(NOON + 1) })
    await pauses.note(next)
    expect((await pauses.note(pause({ over: true }))).kind).toBe('unavailable')
    expect(await pauses.recent(NOON, millis(NOON + 1), 10)).toEqual([next, pause()])
  })
}
