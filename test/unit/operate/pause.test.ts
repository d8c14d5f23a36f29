import { describe, expect, it } from 'vitest'
import { millis } from '../../../functions/domain/brands.ts'
import { isPaused } from '../../../functions/domain/pauses.ts'
import { actsOf } from '../../../functions/operate/acts.ts'
import { pauseDestination, resumeDestination } from '../../../functions/operate/pause.ts'
import { keepPauses } from '../../../functions/recover/keep-pauses.ts'
import { pauseLine } from '../../../functions/recover/recover-line.ts'
import { NOON } from '../../support/events.ts'
import { wholeRig } from '../../support/whole-rig.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** The acts of ada over a receiver whose mappings are played. */
const setUp = () => {
  const at = wholeRig({ sources: { stripe: { provider: 'stripe' } } })
  const enabled: Record<string, boolean> = { worker: true, crm: true }
  const broken = new Set<string>()
  const mappings = {
    names: Object.keys(enabled),
    enable: async (destination: string, value: boolean) => {
      if (broken.has(destination)) throw new Error('Lambda is away')
      const changed = enabled[destination] !== value
      enabled[destination] = value
      return changed
    },
  }
  const world = { ...at.world, mappings, http: () => Promise.reject(new Error('no API was to be called')) }
  return { at, enabled, broken, world, acts: actsOf(world, 'ada'), keep: () => keepPauses(world) }
}

describe('a pause', () => {
  it('a pause stops what hands messages to one destination, and is recorded with who and why', async () => {
    const { acts, enabled, world } = setUp()
    expect(await acts.pauseDestination({ destination: 'crm', reason: 'CRM is down', span: HOUR })).toEqual({
      kind: 'paused',
      destination: 'crm',
      until: new Date(NOON + HOUR).toISOString(),
    })
    expect(enabled).toEqual({ worker: true, crm: false })
    expect(await world.pauses.recent(NOON, millis(NOON + 1), 10)).toMatchObject([
      { destination: 'crm', state: 'paused', actor: 'ada', reason: 'CRM is down' },
    ])
  })

  it('a pause that cannot see whether there is one already is refused: it could go on for more than seven days', async () => {
    const { acts, world, at } = setUp()
    await acts.pauseDestination({ destination: 'crm', reason: 'CRM is down' })
    at.advance(6 * DAY)
    const read = () => Promise.reject(new Error('throttled'))
    const blind = { ...world, pauses: { ...world.pauses, read } }
    const order = { destination: 'crm', reason: 'still down' }
    expect(await pauseDestination(blind, order, 'ada')).toEqual({ kind: 'unavailable', cause: 'Error: throttled' })
    expect(await acts.pauseDestination(order)).toMatchObject({ until: new Date(NOON + 7 * DAY).toISOString() })
  })

  it('a resume lets it go on, and is recorded too', async () => {
    const { acts, enabled, world, at } = setUp()
    await acts.pauseDestination({ destination: 'crm', reason: 'CRM is down' })
    at.advance(60_000)
    expect(await acts.resumeDestination({ destination: 'crm', reason: 'back' })).toEqual({
      kind: 'resumed',
      destination: 'crm',
    })
    expect(enabled.crm).toBe(true)
    expect(await world.pauses.recent(NOON, world.now(), 10)).toHaveLength(2)
  })

  it('a name that is no destination is refused with those that are, and nothing is recorded', async () => {
    const { acts, world } = setUp()
    expect(await acts.pauseDestination({ destination: 'crn', reason: 'x' })).toEqual({
      kind: 'no-destination',
      destinations: ['worker', 'crm'],
    })
    expect(await world.pauses.read('crn')).toBeUndefined()
  })

  it('a pause that is paused again and again ends seven days after it began', async () => {
    const { acts, enabled, world, at, keep } = setUp()
    for (const _ of [0, 1, 2]) {
      await acts.pauseDestination({ destination: 'crm', reason: 'still down' })
      at.advance(2 * DAY)
    }
    expect(await world.pauses.read('crm')).toMatchObject({ since: NOON, until: NOON + 7 * DAY })
    expect(await keep()).toMatchObject([{ destination: 'crm', pausedMillis: 6 * DAY }])
    at.advance(DAY)
    await keep()
    expect(enabled.crm).toBe(true)
  })

  it('a pause that comes too soon after one of seven days is refused until what waited has had seven days to be handled', async () => {
    const { acts, enabled, world, at, keep } = setUp()
    const order = { destination: 'crm', reason: 'down again' }
    await acts.pauseDestination(order)
    at.advance(7 * DAY)
    await keep()
    const again = new Date(NOON + 14 * DAY).toISOString()
    for (const wait of [0, 60_000, 7 * DAY - 60_001]) {
      at.advance(wait)
      expect(await acts.pauseDestination(order)).toEqual({ kind: 'too-soon', destination: 'crm', again })
    }
    expect(enabled.crm).toBe(true)
    expect(await world.pauses.recent(NOON, world.now(), 10)).toHaveLength(1)
    at.advance(1)
    expect(await acts.pauseDestination(order)).toMatchObject({ until: new Date(NOON + 21 * DAY).toISOString() })
  })

  it('a pause soon after a resume gets what is left of the seven days, and one that was resumed for long enough gets all', async () => {
    const { acts, at } = setUp()
    const order = { destination: 'crm', reason: 'x' }
    const pausedUntil = async () => {
      const answer = await acts.pauseDestination(order)
      return answer.kind === 'paused' ? (Date.parse(answer.until) - NOON) / DAY : answer
    }
    await acts.pauseDestination(order)
    at.advance(2 * DAY)
    await acts.resumeDestination(order)
    at.advance(DAY)
    // Neither who resumes what is not paused nor recovery makes that time any longer.
    await acts.resumeDestination(order)
    at.advance(DAY - 1)
    expect(await pausedUntil()).toBe(7)
    at.advance(1)
    await acts.resumeDestination(order)
    at.advance(4 * DAY)
    expect(await pausedUntil()).toBe(15)
  })

  it('a resume after the end of a pause does not make that pause longer', async () => {
    const { acts, at } = setUp()
    const order = { destination: 'crm', reason: 'x', span: DAY }
    await acts.pauseDestination(order)
    at.advance(1.5 * DAY)
    await acts.resumeDestination(order)
    at.advance(DAY / 2)
    expect(await acts.pauseDestination({ ...order, span: 7 * DAY })).toMatchObject({
      until: new Date(NOON + 9 * DAY).toISOString(),
    })
  })

  it('a resume that an older version wrote down, without how long the pause was, is followed by a pause of seven days', async () => {
    const { acts, world, at } = setUp()
    const resumed = { destination: 'crm', state: 'resumed', reason: 'x', actor: 'ada', at: NOON, until: NOON } as const
    await world.pauses.note(resumed)
    at.advance(1)
    expect(await acts.pauseDestination({ destination: 'crm', reason: 'x' })).toMatchObject({
      until: new Date(NOON + 1 + 7 * DAY).toISOString(),
    })
  })

  it('a resume that cannot see how long the pause was is refused: the next pause could come too soon', async () => {
    const { acts, world } = setUp()
    await acts.pauseDestination({ destination: 'crm', reason: 'x' })
    const read = () => Promise.reject(new Error('throttled'))
    const blind = { ...world, pauses: { ...world.pauses, read } }
    const answer = await resumeDestination(blind, { destination: 'crm', reason: 'back' }, 'ada')
    expect(answer).toEqual({ kind: 'unavailable', cause: 'Error: throttled' })
  })

  it('no pause is longer than seven days, and recovery ends it', async () => {
    const { acts, enabled, world, at, keep } = setUp()
    await acts.pauseDestination({ destination: 'crm', reason: 'for ever', span: 400 * DAY })
    expect((await world.pauses.read('crm'))?.until).toBe(NOON + 7 * DAY)
    at.advance(7 * DAY - 1)
    await keep()
    expect(enabled.crm).toBe(false)
    at.advance(1)
    await keep()
    expect(enabled.crm).toBe(true)
    expect(isPaused(await world.pauses.read('crm'), world.now())).toBe(false)
  })

  it('what Lambda did not carry out is on record, and recovery carries it out', async () => {
    const { acts, enabled, broken, keep } = setUp()
    broken.add('crm')
    expect(await acts.pauseDestination({ destination: 'crm', reason: 'x' })).toMatchObject({
      kind: 'noted',
      cause: 'Error: Lambda is away',
    })
    expect(await keep()).toMatchObject([{ destination: 'crm', failed: 'Error: Lambda is away' }])
    broken.clear()
    await keep()
    expect(enabled.crm).toBe(false)
  })

  it('a pause that is over is resumed whenever Lambda answers again, and then left alone', async () => {
    const { acts, enabled, broken, world, at, keep } = setUp()
    await acts.pauseDestination({ destination: 'crm', reason: 'x', span: HOUR })
    broken.add('crm')
    at.advance(30 * DAY)
    expect(await keep()).toMatchObject([{ destination: 'crm', pausedMillis: 0, failed: 'Error: Lambda is away' }])
    broken.clear()
    await keep()
    expect(enabled.crm).toBe(true)
    expect(await keep()).toEqual([])
    expect(await world.pauses.recent(NOON, world.now(), 10)).toHaveLength(1)
    expect(await acts.pauseDestination({ destination: 'crm', reason: 'again' })).toMatchObject({ kind: 'paused' })
    expect(await keep()).toMatchObject([{ destination: 'crm', pausedMillis: 0 }])
    expect(enabled.crm).toBe(false)
  })

  it('a recovery whose clock is behind, and that stops again what another has resumed, is put right by the next one', async () => {
    const { acts, enabled, at, keep } = setUp()
    await acts.pauseDestination({ destination: 'crm', reason: 'x', span: HOUR })
    at.advance(HOUR)
    await keep()
    expect(enabled.crm).toBe(true)
    // It has read the pause before that, and Lambda hears it after that.
    enabled.crm = false
    at.advance(60_000)
    await keep()
    expect(enabled.crm).toBe(true)
  })

  it.each(['paused', 'resumed'] as const)(
    'what was %s while recovery told Lambda otherwise stays so',
    async becomes => {
      const { acts, enabled, world, at } = setUp()
      const order = { destination: 'crm', reason: 'x' }
      const [before, after] =
        becomes === 'paused'
          ? [acts.resumeDestination, acts.pauseDestination]
          : [acts.pauseDestination, acts.resumeDestination]
      await before(order)
      at.advance(60_000)
      let isFirst = true
      const enable = async (destination: string, value: boolean) => {
        if (isFirst) {
          isFirst = false
          await after(order)
        }
        return world.mappings.enable(destination, value)
      }
      const kept = await keepPauses({ ...world, mappings: { names: ['crm'], enable } })
      expect(kept).toEqual([{ destination: 'crm', pausedMillis: 0 }])
      expect(enabled.crm).toBe(becomes === 'resumed')
    },
  )

  it('recovery reads a pause twice only if it changed something, and follows an operator three times at most', async () => {
    const { acts, world, at } = setUp()
    const order = { destination: 'crm', reason: 'x' }
    await acts.pauseDestination(order)
    const asked: string[] = []
    const read = (destination: string) => {
      asked.push('read')
      return world.pauses.read(destination)
    }
    const pauses = { ...world.pauses, read }
    await keepPauses({ ...world, pauses, mappings: { ...world.mappings, names: ['crm'] } })
    expect(asked).toEqual(['read'])
    const enable = async (_: string, value: boolean) => {
      asked.push(String(value))
      at.advance(1)
      await acts[value ? 'pauseDestination' : 'resumeDestination'](order)
      return true
    }
    await keepPauses({ ...world, pauses, mappings: { names: ['crm'], enable } })
    expect(asked.slice(1)).toEqual(['read', 'false', 'read', 'true', 'read', 'false'])
  })

  it('a resume that Lambda refused is carried out by recovery, however long that takes', async () => {
    const { acts, enabled, broken, at, keep } = setUp()
    await acts.pauseDestination({ destination: 'crm', reason: 'x' })
    broken.add('crm')
    expect(await acts.resumeDestination({ destination: 'crm', reason: 'back' })).toMatchObject({ kind: 'noted' })
    at.advance(3 * DAY)
    broken.clear()
    await keep()
    expect(enabled.crm).toBe(true)
    expect(await keep()).toEqual([])
  })

  it('a deployment that enables a paused destination is undone by recovery', async () => {
    const { acts, enabled, keep } = setUp()
    await acts.pauseDestination({ destination: 'worker', reason: 'x' })
    enabled.worker = true
    await keep()
    expect(enabled).toEqual({ worker: false, crm: true })
  })

  it('recovery says how long a destination has been paused, and leaves alone what nobody paused', async () => {
    const { acts, at, keep } = setUp()
    expect(await keep()).toEqual([])
    await acts.pauseDestination({ destination: 'crm', reason: 'x' })
    at.advance(DAY)
    const [kept] = await keep()
    const line = JSON.parse(pauseLine('production', kept as NonNullable<typeof kept>, NOON))
    expect(line).toMatchObject({ Destination: 'crm', PausedSeconds: 86_400 })
    expect(line._aws.CloudWatchMetrics[0].Dimensions).toContainEqual(['Environment', 'Destination'])
  })
})
