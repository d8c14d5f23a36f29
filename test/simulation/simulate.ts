import { QUEUE } from '../../functions/contract/queues.ts'
import { sha256 } from '../../functions/domain/identity.ts'
import { intrude, recoverOnce, rotateSecrets, type SimEvent, send } from './actors.ts'
import { replayInBulk } from './bulk-operators.ts'
import { eraseNowAndThen } from './erasers.ts'
import type { Injected } from './faults.ts'
import { forgeOne } from './forgeries.ts'
import type { Modes } from './handlers.ts'
import { shakeHands } from './handshakes.ts'
import { isSettled } from './is-settled.ts'
import { modeAt } from './judge-copies.ts'
import { operate } from './operators.ts'
import { pauseOne, pausesDue } from './pauses.ts'
import { dueOf, poll } from './poll.ts'
import { produce, saidBy } from './producers.ts'
import { heldOf, holdAndAccept } from './quarantines.ts'
import { chance } from './random.ts'
import { listed, reconcileOnce } from './reconcilers.ts'
import { makeRig, type Rig, type Run } from './rig.ts'
import { DESTINATION_URLS, deadLettersOf, destinationAt } from './sim-destinations.ts'
import { someDeliveries, someMissed } from './sim-events.ts'
import { sourcesOf } from './sim-sources.ts'
import { judgeTheEnd, queuesOf } from './the-end.ts'
import { eraseOne, meetAgain } from './vanish.ts'
import { NAMES } from './watch-writes.ts'
import { burySome, consumeSome } from './workers.ts'
import type { WorldCounts } from './world-counts.ts'

export interface Result {
  readonly seed: number
  readonly violations: readonly string[]
  readonly checks: number
  readonly faults: readonly Injected[]
  readonly faultsSeen: number
  readonly hash: number
  readonly trace: readonly string[]
  readonly world: Readonly<WorldCounts>
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
  const missed = someMissed(rig)
  const heldLuck = chance(run.seed ^ HELD)
  const held = heldOf(heldLuck)
  const events = [...deliveries.flat(), ...missed, ...held]
  const byId = new Map(events.map(event => [event.id, event]))
  const modes: Modes = (eventId, destination) => {
    const event = byId.get(eventId)
    return event ? modeAt(event, destination) : 'effect'
  }

  for (const together of deliveries) post(rig, together)
  visit(rig)
  // After a deployment routes may lead elsewhere.
  if (rig.ingredients.destined && rig.aside.happens(0.4)) visitLater(rig)
  if (luck.happens(0.3)) timeline.after(luck.between(0, 20_000), () => intrude(rig))
  changeSecrets(rig)
  if (luck.happens(rig.focus.redeploys ? 1 : 0.2))
    timeline.after(luck.between(1_000, 100_000), () => {
      rig.sources = sourcesOf(luck, rig.ingredients)
    })
  const { deletesEarly, weeks, unreadable } = rig.ingredients
  if (deletesEarly) timeline.after(luck.between(1_000, luck.pick([20_000, 400_000])), () => eraseOne(rig))
  if (weeks) meetAgain(rig, deliveries)
  if (unreadable) timeline.after(luck.between(1_000, 60_000), () => hide(rig))
  if (rig.ingredients.reconciles) reconcileNowAndThen(rig, events)
  for (const event of held) {
    noteSaid(ledger, event)
    holdAndAccept(rig, heldLuck, event)
  }
  if (rig.ingredients.pauses)
    timeline.after(rig.apart.between(1_000, rig.faultsEnd - timeline.now), () => pauseOne(rig))
  replayInBulk(rig, chance(run.seed ^ BULK))
  eraseNowAndThen(rig, chance(run.seed ^ ERASING), deliveries)
  forgeOne(rig, chance(run.seed ^ FORGED))
  whileItLasts(rig, modes)

  let quiet = false
  return {
    step: () => {
      do {
        if (!quiet && !rig.troubled && isQuiet(rig, events)) quiet = true
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
        world: timed(rig),
      }
    },
  }
}

const visitLater = (rig: Rig): void => {
  rig.pending++
  rig.timeline.after(rig.aside.between(100_000, 400_000), () => {
    rig.pending--
    operate(rig)
  })
}

const reconcileNowAndThen = (rig: Rig, events: readonly SimEvent[]): void => {
  const { timeline, aside, ledger, ingredients, troubleEnds, faultsEnd } = rig
  for (const event of events) {
    if (event.isMissed) noteSaid(ledger, event)
    if (event.source === 'stripe') ledger.signed.add(event.id, listed(ingredients, event))
  }
  for (let run = aside.between(1, 3); run > 0; run--)
    timeline.after(aside.between(1_000, faultsEnd - timeline.now), () => reconcileOnce(rig, events))
  rig.pending++
  timeline.at(troubleEnds + MINUTE, () => {
    rig.pending--
    reconcileOnce(rig, events, true)
  })
}

/** From now on nobody can read its body: no permission, no key. It matters most to one that nobody has finished yet. */
const hide = (rig: Rig): void => {
  const all = [...rig.records.values()]
  rig.unreadable = (all.find(({ status }) => status === 'claimed') ?? all[0])?.fingerprint
}

const timed = ({ counts, timeline, isLean, ingredients: { startsAt } }: Rig): WorldCounts => {
  const dayOf = (at: number): number => Math.floor(at / DAY)
  return {
    ...counts,
    leanClient: isLean ? 1 : 0,
    midnights: dayOf(timeline.now) - dayOf(startsAt),
    days: Math.floor((timeline.now - startsAt) / DAY),
  }
}

/** Any numbers that are far from the seeds: chance of their own. */
const HELD = 0x3ad8025f
const BULK = 0x1b56c4e9
const ERASING = 0x6e2a91d7
const FORGED = 0x49d1b3f3

/** How many schedules have operators. */
const OPERATORS = 0.3

const visit = (rig: Rig): void => {
  const { luck, timeline, faultsEnd, focus } = rig
  if (!luck.happens(focus.operators ? 1 : OPERATORS)) return
  for (let visits = luck.between(1, 2); visits > 0; visits--)
    timeline.after(luck.between(5_000, faultsEnd - timeline.now), () => operate(rig))
}

const changeSecrets = (rig: Rig): void => {
  if (rig.focus.handshakes) shakeHands(rig)
  else if (rig.luck.happens(0.3)) rotateSecrets(rig)
}

/** Some are sent several times; and somebody presses "resend", perhaps more than once, whatever became of it. */
const post = (rig: Rig, together: readonly SimEvent[]): void => {
  const { timeline, luck, ledger } = rig
  for (const event of together) noteSaid(ledger, event)
  const source = together[0]?.source
  const once = source === 'orders' ? produce : send
  const isTwin = together[0]?.id.startsWith('twin') === true
  const isLarge = rig.ingredients.size === 'large'
  const copies = source === 'github' || isLarge ? 1 : luck.between(1, 3)
  if (isTwin) rig.count('equalBodies')
  for (let copy = 0; copy < copies; copy++) timeline.after(luck.between(0, 5_000), () => once(rig, together))
  for (let press = rig.focus.resends ?? luck.below(isLarge ? 2 : 3); press > 0; press--)
    timeline.after(luck.between(rig.focus.resendsFrom ?? 1_000, 400_000), () => once(rig, together))
}

/** What the ledger has to know of an event before it is sent. */
const noteSaid = (ledger: Rig['ledger'], event: SimEvent): void => {
  const { source, id, route, body, renderings } = event
  if (route) ledger.copies.routes.set(`${source} ${id}`, route)
  if (source === 'orders') ledger.publications.said.set(sha256(Buffer.from(body)), saidBy(event))
  else for (const each of renderings) ledger.signed.add(id, each)
}

/** Workers poll, dead letters are buried and recovery runs: often while there is trouble, later when there is something to do. */
const whileItLasts = (rig: Rig, modes: Modes): void => {
  const { luck } = rig
  const { queueUrl, orderedQueueUrl, deadLettersUrl, orderedDeadLettersUrl } = NAMES
  const { ordered, destined } = rig.ingredients
  const destinations = destined ? Object.values(DESTINATION_URLS) : []
  for (const url of [queueUrl, queueUrl, ...(ordered ? [orderedQueueUrl, orderedQueueUrl] : []), ...destinations])
    poll(rig, {
      gap: () => luck.between(200, 4_000),
      due: () => (rig.stopped.has(destinationAt(url)) ? undefined : unlessAway(rig, dueOf(rig, url))),
      act: () => consumeSome(rig, modes, url),
    })
  const dead = [deadLettersUrl, ...(ordered ? [orderedDeadLettersUrl] : []), ...destinations.map(deadLettersOf)]
  for (const url of dead)
    poll(rig, { gap: () => luck.between(5_000, 30_000), due: () => dueOf(rig, url), act: () => burySome(rig, url) })
  for (let count = luck.happens(0.3) ? 2 : 1; count > 0; count--)
    poll(rig, { gap: () => recoveryGap(rig), due: () => recoveryDue(rig), act: () => recoverOnce(rig) })
}

const unlessAway = ({ timeline, ingredients: { workersAway }, counts }: Rig, due: number | undefined) => {
  const { from = 0, until = 0 } = workersAway ?? {}
  if (due === undefined || timeline.now < from || timeline.now >= until) return due
  counts.workersAway ||= 1
  return Math.max(due, until)
}

/** Every minute while there is trouble and something to do, then less and less often: what it has to do, it finds whenever it comes. */
const recoveryGap = (rig: Rig): number => {
  const { timeline, faultsEnd, troubleEnds } = rig
  const { now } = timeline
  const busyUntil = faultsEnd + 20 * MINUTE
  if (now < faultsEnd && allOver(rig)) return 3 * MINUTE
  if (now < busyUntil || (now >= troubleEnds && now < troubleEnds + 20 * MINUTE)) return MINUTE
  if (now < troubleEnds) return Math.max(MINUTE, (troubleEnds - now) / 8)
  return Math.min(DAY, Math.max(30 * MINUTE, (now - troubleEnds) / 2))
}

/** It finishes claims, and much later marks what has lost its message: with nothing of either, there is nothing to do. */
const recoveryDue = (rig: Rig): number | undefined => {
  const { timeline, ledger } = rig
  if (rig.failing || ledger.received === 0) return timeline.now
  return earlier(pausesDue(rig), recordsDue(rig))
}

const earlier = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)

const recordsDue = (rig: Rig): number | undefined => {
  const { timeline, troubleEnds, records } = rig
  // Whoever writes wakes it.
  const open = [...records.values()].filter(record => !isSettled(rig, record))
  if (open.length === 0) return undefined
  const newest = Math.max(...open.map(({ claimedAt }) => claimedAt))
  const isUseless = timeline.now > Math.max(newest + LOST_AFTER + 2 * DAY, troubleEnds + 20 * MINUTE)
  if (isUseless) return undefined
  if (open.some(({ status }) => status === 'claimed')) return timeline.now
  return Math.max(timeline.now, Math.min(...open.map(({ claimedAt }) => claimedAt)) + LOST_AFTER)
}

/** When nobody can be waiting for a message any more. */
const LOST_AFTER = QUEUE.retentionSeconds * 1000

const isQuiet = (rig: Rig, events: readonly SimEvent[]): boolean =>
  rig.pending === 0 &&
  events.every(event => event.flying === 0 && (event.acknowledged || event.refused || !comesAgain(event))) &&
  allOver(rig) &&
  queuesOf(rig).every(url => rig.aws.messages(url).length === 0)

const comesAgain = ({ source, isMissed }: SimEvent): boolean => source !== 'github' && !isMissed

const allOver = (rig: Rig): boolean => {
  for (const record of rig.records.values()) if (!isSettled(rig, record)) return false
  return true
}
