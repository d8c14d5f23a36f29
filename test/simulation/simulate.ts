import { buryOne, consumeOne, intrude, type Mode, recoverOnce, rotateSecrets, type SimEvent, send } from './actors.ts'
import type { Fault } from './faults.ts'
import type { Chance } from './random.ts'
import { type Run, Stage, sourcesOf } from './stage.ts'
import { judgeTheEnd } from './the-end.ts'

export interface Result {
  readonly seed: number
  readonly violations: readonly string[]
  readonly checks: number
  readonly faults: Readonly<Record<string, Partial<Record<Fault, number>>>>
  readonly faultsSeen: number
  readonly hash: number
  readonly trace: readonly string[]
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A schedule that is under way; `step` is false when it has ended. */
export interface Schedule {
  step(): boolean
  result(): Promise<Result>
}

/** One schedule: a few events, every actor of the system, faults for a while, then none until all is quiet. */
export const schedule = (run: Run): Schedule => {
  const stage = new Stage(run)
  const { timeline, luck, ledger } = stage
  const deliveries = someDeliveries(stage)
  const events = deliveries.flat()
  const modes = new Map(events.map(event => [event.id, event.mode]))

  for (const together of deliveries) {
    const copies = together[0]?.source === 'github' ? 1 : luck.between(1, 3)
    for (let copy = 0; copy < copies; copy++) timeline.after(luck.between(0, 5_000), () => send(stage, together))
    // Somebody presses "resend", perhaps more than once, whatever became of it.
    for (let press = luck.below(3); press > 0; press--)
      timeline.after(luck.between(1_000, 400_000), () => send(stage, together))
  }
  for (const event of events) ledger.bodies.set(event.id, event.body)
  if (luck.happens(0.3)) timeline.after(luck.between(0, 20_000), () => intrude(stage))
  if (luck.happens(0.3)) rotateSecrets(stage)
  if (luck.happens(0.2))
    timeline.after(luck.between(1_000, 100_000), () => {
      stage.sources = sourcesOf(luck)
    })
  whileItLasts(stage, modes)

  let quiet = false
  return {
    step: () => {
      if (!quiet && !stage.failing && isQuiet(stage, events)) quiet = true
      return !quiet && ledger.violations.length === 0 && timeline.step()
    },
    result: async () => {
      if (ledger.violations.length === 0) await judgeTheEnd(stage, events)
      return {
        seed: run.seed,
        violations: ledger.violations,
        checks: ledger.checks,
        faults: stage.faults,
        faultsSeen: stage.faultsSeen,
        hash: ledger.hash >>> 0,
        trace: ledger.trace,
      }
    },
  }
}

const MODES: readonly Mode[] = ['effect', 'effect', 'commit', 'commit', 'flaky', 'poison', 'unprocessable']

/** Many events at once take as many steps: one delivery in nine is enough to see each of their faults. */
const SENDERS = [...Array(4).fill('stripe'), ...Array(4).fill('github'), 'gocardless'] as readonly SimEvent['source'][]

/** One to three deliveries, some of them with several events. */
const someDeliveries = ({ luck }: Stage): SimEvent[][] =>
  Array.from({ length: luck.between(1, 3) }, (_, index) => {
    const source = luck.pick(SENDERS)
    const count = source === 'gocardless' ? 2 : 1
    return Array.from({ length: count }, (_, item) => someEvent(luck, source, `${source}-${index}-${item}`))
  })

const someEvent = (luck: Chance, source: SimEvent['source'], id: string): SimEvent => ({
  source,
  id,
  body: `{ "id": "${id}", "type": "simulated" }`,
  mode: luck.pick(MODES),
  fingerprint: undefined,
  acknowledged: false,
  tries: 0,
  flying: 0,
})

/** Workers poll, dead letters are buried and recovery runs: often while there is trouble, then at the hours that matter. */
const whileItLasts = (stage: Stage, modes: ReadonlyMap<string, Mode>): void => {
  const { timeline, luck } = stage
  const start = timeline.now
  const busyUntil = stage.faultsEnd + 20 * MINUTE
  const every = (from: number, until: number, gap: () => number, act: () => void): void => {
    const again = (at: number): void => {
      if (at > until) return
      timeline.at(at, () => {
        act()
        again(timeline.now + gap())
      })
    }
    again(from)
  }
  const consume = () => consumeOne(stage, modes)
  every(start, busyUntil, () => luck.between(200, 4_000), consume)
  every(start + 100, busyUntil, () => luck.between(200, 4_000), consume)
  every(
    start,
    busyUntil,
    () => luck.between(5_000, 30_000),
    () => buryOne(stage),
  )
  every(
    start + luck.below(MINUTE),
    busyUntil,
    () => MINUTE,
    () => recoverOnce(stage),
  )
  if (luck.happens(0.3))
    every(
      start + luck.below(MINUTE),
      busyUntil,
      () => MINUTE,
      () => recoverOnce(stage),
    )
  for (const later of [75 * MINUTE, 150 * MINUTE, 4 * DAY + 2 * HOUR, 4 * DAY + 3 * HOUR, 5 * DAY]) {
    every(
      busyUntil + later,
      busyUntil + later + 3 * MINUTE,
      () => MINUTE,
      () => recoverOnce(stage),
    )
    every(busyUntil + later + 1_000, busyUntil + later + 10 * MINUTE, () => 5_000, consume)
    every(
      busyUntil + later + 1_000,
      busyUntil + later + 10 * MINUTE,
      () => 20_000,
      () => buryOne(stage),
    )
  }
}

const isQuiet = (stage: Stage, events: readonly SimEvent[]): boolean =>
  stage.queue.size === 0 &&
  stage.deadLetters.size === 0 &&
  events.every(event => event.flying === 0 && (event.acknowledged || event.source === 'github')) &&
  [...stage.records.values()].every(({ status }) => status === 'done' || status === 'failed')
