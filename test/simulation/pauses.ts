import type { Mappings } from '../../functions/domain/pauses.ts'
import { type PauseAnswer, pauseDestination, resumeDestination } from '../../functions/operate/pause.ts'
import type { Process } from './faults.ts'
import { DAY } from './ingredients.ts'
import type { Rig } from './rig.ts'
import { PAUSABLE } from './sim-destinations.ts'
import { NAMES } from './watch-writes.ts'

/** What Lambda is told of a destination, over a wire like any other. */
export const mappingsOf = (rig: Rig, process: Process): Mappings => ({
  names: PAUSABLE,
  enable: (destination, enabled) =>
    rig.remote({
      process,
      name: 'enableMapping',
      apply: () => {
        const changed = rig.stopped.has(destination) === enabled
        if (changed && !enabled) rig.count('paused')
        rig.stopped[enabled ? 'delete' : 'add'](destination)
        rig.wake()
        return changed
      },
    }),
})

const SPANS = [600_000, DAY, undefined] as const

/** Somebody pauses a destination; some remember to resume it, and for the others it ends by itself. */
export const pauseOne = (rig: Rig): void => {
  const { apart, timeline } = rig
  const destination = apart.pick(PAUSABLE)
  const reason = 'simulated'
  tell(rig, world => pauseDestination(world, { destination, reason, span: apart.pick(SPANS) }, 'operator'))
  if (apart.happens(0.5)) return
  rig.pending++
  timeline.after(apart.between(1_000, DAY), () => {
    rig.pending--
    tell(rig, world => resumeDestination(world, { destination, reason }, 'operator'))
  })
}

const tell = (rig: Rig, act: (world: ReturnType<Rig['world']>) => Promise<PauseAnswer>): void => {
  const process = rig.newProcess('operator')
  void act(rig.world(process)).then(
    answer => rig.ledger.note(process.name, `is told ${answer.kind}`),
    error => rig.ledger.note(process.name, `threw ${error}`),
  )
}

/** When recovery has something to do about a pause: what is on record is not so, or ends. */
export const pausesDue = ({ aws, stopped, timeline, ingredients }: Rig): number | undefined => {
  if (!ingredients.pauses) return undefined
  const known = aws.items(NAMES.eventsTable).filter(({ fingerprint }) => PAUSES.has(String(fingerprint)))
  const open = known.map(({ pause }) => pause as { destination: string; state: string; until: number; over?: true })
  const due = open
    .filter(({ over }) => !over)
    .map(({ destination, state, until }) => {
      const isPaused = state === 'paused' && timeline.now < until
      return isPaused && stopped.has(destination) ? until : timeline.now
    })
  return due.length > 0 ? Math.min(...due) : undefined
}

const PAUSES = new Set(PAUSABLE.map(name => `pause:${name}`))
