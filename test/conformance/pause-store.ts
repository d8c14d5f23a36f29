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
}
