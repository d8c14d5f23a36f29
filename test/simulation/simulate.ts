import { isOver } from '../../functions/contract/status.ts'
import { sha256 } from '../../functions/domain/identity.ts'
import { buryOne, consumeOne, intrude, type Mode, recoverOnce, rotateSecrets, type SimEvent, send } from './actors.ts'
import type { Injected } from './faults.ts'
import { operate } from './operators.ts'
import { produce, saidBy } from './producers.ts'
import type { Chance } from './random.ts'
import { makeRig, type Rig, type Run } from './rig.ts'
import { sourcesOf } from './sim-sources.ts'
import { judgeTheEnd } from './the-end.ts'
import { NAMES } from './watch-writes.ts'

export interface Result {
  readonly seed: number
  readonly violations: readonly string[]
  readonly checks: number
  readonly faults: readonly Injected[]
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
  const rig = makeRig(run)
  const { timeline, luck, ledger } = rig
  const deliveries = someDeliveries(rig)
  const events = deliveries.flat()
  const modes = new Map(events.map(event => [event.id, event.mode]))

  for (const together of deliveries) post(rig, together)
  if (luck.happens(OPERATORS))
    for (let visit = luck.between(1, 2); visit > 0; visit--)
      timeline.after(luck.between(5_000, rig.faultsEnd - timeline.now), () => operate(rig))
  if (luck.happens(0.3)) timeline.after(luck.between(0, 20_000), () => intrude(rig))
  if (luck.happens(0.3)) rotateSecrets(rig)
  if (luck.happens(0.2))
    timeline.after(luck.between(1_000, 100_000), () => {
      rig.sources = sourcesOf(luck)
    })
  whileItLasts(rig, modes)

  let quiet = false
  return {
    step: () => {
      do {
        if (!quiet && !rig.failing && isQuiet(rig, events)) quiet = true
        if (quiet || ledger.violations.length > 0 || !timeline.step()) return false
      } while (timeline.still)
      return true
    },
    result: async () => {
      if (ledger.violations.length === 0) await judgeTheEnd(rig, events)
      return {
        seed: run.seed,
        violations: ledger.violations,
        checks: ledger.checks,
        faults: rig.faults,
        faultsSeen: rig.faultsSeen,
        hash: ledger.hash >>> 0,
        trace: ledger.trace,
      }
    },
  }
}

const MODES: readonly Mode[] = ['effect', 'effect', 'commit', 'commit', 'flaky', 'poison', 'unprocessable']

/** Of those that fail at once, every second one is ignored instead: by its number, so the luck of all others stays as it is. */
const modeOf = (mode: Mode, index: number): Mode => (mode === 'unprocessable' && index % 2 === 1 ? 'ignore' : mode)

/** Many events at once take as many steps: one delivery in eleven is enough to see each of their faults. */
const SENDERS = [
  ...Array(4).fill('stripe'),
  ...Array(4).fill('github'),
  'gocardless',
  'orders',
  'orders',
] as readonly SimEvent['source'][]

/** How many schedules have operators. */
const OPERATORS = 0.3

/** One to three deliveries, some of them with several events. */
const someDeliveries = ({ luck }: Rig): SimEvent[][] =>
  Array.from({ length: luck.between(1, 3) }, (_, index) => {
    const source = luck.pick(SENDERS)
    if (source === 'orders') return somePublications(luck, `order-${index}`)
    const count = source === 'gocardless' ? 2 : 1
    const one = (item: number): SimEvent => {
      const id = `${source}-${index}-${item}`
      return {
        ...NEW,
        source,
        id,
        body: `{ "id": "${id}", "type": "simulated" }`,
        mode: modeOf(luck.pick(MODES), index),
      }
    }
    return [Array.from({ length: count }, (_, item) => one(item))]
  }).flat()

/** A service's events; perhaps it has used a key twice; perhaps another service has the same keys. */
const somePublications = (luck: Chance, id: string): SimEvent[][] => {
  const mode = luck.pick(MODES)
  const one = (caller: string, key: string, total: number): SimEvent => {
    const body = `{ "by": "${caller}", "key": "${key}", "total": ${total} }`
    return { ...NEW, source: 'orders', caller, id: key, body, mode }
  }
  const keys = [`${id}-0`, `${id}-1`].slice(0, luck.between(1, 2))
  const publications = [keys.map(key => one('billing', key, 1))]
  const [key] = keys as [string]
  if (luck.happens(0.4)) publications.push([one('billing', key, 2)])
  if (luck.happens(0.3)) publications.push([one('shop', key, 1)])
  return publications
}

const NEW = { fingerprint: undefined, acknowledged: false, refused: false, tries: 0, flying: 0 } as const

/** Some are sent several times; and somebody presses "resend", perhaps more than once, whatever became of it. */
const post = (rig: Rig, together: readonly SimEvent[]): void => {
  const { timeline, luck, ledger } = rig
  for (const event of together) {
    if (event.source === 'orders') ledger.publications.said.set(sha256(Buffer.from(event.body)), saidBy(event))
    else ledger.bodies.set(event.id, event.body)
  }
  const source = together[0]?.source
  const once = source === 'orders' ? produce : send
  const copies = source === 'github' ? 1 : luck.between(1, 3)
  for (let copy = 0; copy < copies; copy++) timeline.after(luck.between(0, 5_000), () => once(rig, together))
  for (let press = luck.below(3); press > 0; press--)
    timeline.after(luck.between(1_000, 400_000), () => once(rig, together))
}

/** Workers poll, dead letters are buried and recovery runs: often while there is trouble, then at the hours that matter. */
const whileItLasts = (rig: Rig, modes: ReadonlyMap<string, Mode>): void => {
  const { timeline, luck } = rig
  const start = timeline.now
  const busyUntil = rig.faultsEnd + 20 * MINUTE
  const every = (from: number, until: number, gap: () => number, act: () => unknown): void => {
    const again = (at: number): void => {
      if (at > until) return
      timeline.at(at, () => {
        const said = act()
        again(timeline.now + gap())
        return said
      })
    }
    again(from)
  }
  const consume = () => consumeOne(rig, modes)
  every(start, busyUntil, () => luck.between(200, 4_000), consume)
  every(start + 100, busyUntil, () => luck.between(200, 4_000), consume)
  every(
    start,
    busyUntil,
    () => luck.between(5_000, 30_000),
    () => buryOne(rig),
  )
  every(
    start + luck.below(MINUTE),
    busyUntil,
    () => MINUTE,
    () => recoverOnce(rig),
  )
  if (luck.happens(0.3))
    every(
      start + luck.below(MINUTE),
      busyUntil,
      () => MINUTE,
      () => recoverOnce(rig),
    )
  for (const later of [75 * MINUTE, 150 * MINUTE, 4 * DAY + 2 * HOUR, 4 * DAY + 3 * HOUR, 5 * DAY]) {
    every(
      busyUntil + later,
      busyUntil + later + 3 * MINUTE,
      () => MINUTE,
      () => recoverOnce(rig),
    )
    every(busyUntil + later + 1_000, busyUntil + later + 10 * MINUTE, () => 5_000, consume)
    every(
      busyUntil + later + 1_000,
      busyUntil + later + 10 * MINUTE,
      () => 20_000,
      () => buryOne(rig),
    )
  }
}

const isQuiet = (rig: Rig, events: readonly SimEvent[]): boolean =>
  rig.aws.messages(NAMES.queueUrl).length === 0 &&
  rig.aws.messages(NAMES.deadLettersUrl).length === 0 &&
  events.every(event => event.flying === 0 && (event.acknowledged || event.refused || event.source === 'github')) &&
  allOver(rig.records)

const allOver = (records: Rig['records']): boolean => {
  for (const { status } of records.values()) if (!isOver(status)) return false
  return true
}
