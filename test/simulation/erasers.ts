import { isOver } from '../../functions/contract/status.ts'
import type { Fingerprint } from '../../functions/domain/brands.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import { type EraseAnswer, erase } from '../../functions/operate/erase.ts'
import { type SimEvent, send } from './actors.ts'
import { bodiesIn } from './erasures.ts'
import type { Process } from './faults.ts'
import { bodyOf } from './kept-body-of.ts'
import { produce } from './producers.ts'
import type { Chance } from './random.ts'
import type { Rig } from './rig.ts'
import { NAMES } from './watch-writes.ts'

/** How many schedules have somebody who erases. */
const ERASING = 0.06
const MOST_TRIES = 4
const PATIENCE_MS = 60_000
/** By then nobody writes any more who began while there was trouble. */
const CALM_MS = 150_000

/** Somebody wants an event erased. */
interface Order {
  readonly luck: Chance
  readonly id: Fingerprint
  /** Nothing is in the way any more. */
  readonly isCalm: boolean
}

type Deliveries = readonly (readonly SimEvent[])[]

/** An event is erased while there are faults, and again when there are none: what died half way is finished then. Later its sender repeats it. */
export const eraseNowAndThen = (rig: Rig, luck: Chance, deliveries: Deliveries): void => {
  const { timeline, ingredients, focus, faultsEnd, troubleEnds } = rig
  // What somebody deletes by hand has a second life, of which nobody has erased anything.
  if (!luck.happens(focus.erasing ? 1 : ERASING) || ingredients.deletesEarly) return
  let chosen: Fingerprint | undefined
  for (let visits = luck.between(0, 2); visits > 0; visits--)
    timeline.at(luck.between(timeline.now + 5_000, Math.max(faultsEnd, timeline.now + 60_000)), () => {
      chosen ??= anyOf(rig, luck)
      if (chosen) ask(rig, { luck, id: chosen, isCalm: false }, () => {})
    })
  rig.pending++
  timeline.at(troubleEnds + CALM_MS + luck.between(0, 600_000), () => {
    rig.pending--
    const id = chosen ?? anyOf(rig, luck)
    if (!id) return
    ask(rig, { luck, id, isCalm: true }, told => {
      if (luck.happens(0.7)) repeat(rig, luck, deliveries, told)
    })
  })
}

/** Most often one that is over; of a copy its event is erased. */
const anyOf = ({ records }: Rig, luck: Chance): Fingerprint | undefined => {
  const all = [...records.values()].filter(({ erasedAt }) => erasedAt === undefined)
  const over = all.filter(({ status }) => isOver(status))
  const failed = over.filter(({ lastError }) => lastError !== null)
  const from = luck.pick([failed, over, over])
  return luck.pick(from.length > 0 ? from : all)?.fingerprint
}

/** And asks again if there was no answer, whoever was killed. */
const ask = (rig: Rig, order: Order, then: (erased: Fingerprint) => void, tries = 1): void => {
  const { timeline, ingredients, records, ledger } = rig
  const { luck, id, isCalm } = order
  const process = rig.newProcess('eraser', luck.between(-ingredients.skew, ingredients.skew))
  const seen = records.get(id)
  const there = bodiesIn(rig.aws, seen?.copyOf ?? id)
  rig.pending++
  let isWaiting = true
  const ended = (isOver: boolean): boolean => {
    if (!isWaiting) return false
    isWaiting = false
    rig.pending--
    if (isOver || tries >= MOST_TRIES) return true
    rig.pending++
    timeline.after(luck.between(100, isCalm ? 600_000 : 10_000), () => {
      rig.pending--
      ask(rig, order, then, tries + 1)
    })
    return true
  }
  const kill = (): void => {
    if (ended(false)) process.alive = false
  }
  timeline.after(PATIENCE_MS, kill)
  if (luck.happens(0.4)) timeline.after(luck.between(5, 600), kill)
  const asked = { id, actor: process.name, reason: 'simulated', job: null }
  void erase(rig.world(process), asked).then(answer => {
    if (!isWaiting) return
    ledger.note(process.name, `is told ${answer.kind}`)
    const isComplete = answer.kind === 'erased' || answer.kind === 'already-erased'
    judge(rig, order, { process, seen, there }, answer)
    ended(isComplete || answer.kind === 'unknown')
    if (isComplete) then(answer.id as Fingerprint)
  })
}

/** As it was when somebody began to erase it. */
interface Before {
  readonly process: Process
  readonly seen: EventRecord | undefined
  /** Its bodies. */
  readonly there: ReadonlySet<string>
}

const judge = (rig: Rig, { id, isCalm }: Order, { process, seen, there }: Before, answer: EraseAnswer): void => {
  const { ledger, records } = rig
  const about = (): string => `${process.name}: ${JSON.stringify(answer)}, was ${seen?.status}/${seen?.generation}`
  switch (answer.kind) {
    case 'erased':
    case 'already-erased':
      rig.count('erased')
      judgeErased(rig, answer.id as Fingerprint, there, about)
      if (isCalm || !ledger.erasures.told.has(answer.id as Fingerprint))
        ledger.erasures.told.set(answer.id as Fingerprint, isCalm ? 'in a calm' : 'amid trouble')
      break
    case 'in-flight':
      // It may be over, and one of its copies not.
      ledger.check(
        'S19 what is over can be erased',
        !seen || !isOver(seen.status) || records.get(id) !== seen || seen.to.length > 1 || seen.copyOf !== null,
        about,
      )
      break
    case 'unknown':
      ledger.check('an event that has a record is known', !seen || !records.has(id), about)
      break
    case 'unavailable':
      ledger.check('S19 an erasure ends when nothing is in the way', !isCalm, about)
      break
  }
}

/** Whoever is told that an event is erased finds none of what there was when they began, or when it was marked. */
const judgeErased = (rig: Rig, id: Fingerprint, there: ReadonlySet<string>, about: () => string): void => {
  const { ledger, records, aws } = rig
  const record = records.get(id)
  // It was forgotten meanwhile.
  if (!record) return
  ledger.check('S19 what is told erased is marked', record.erasedAt !== undefined, about)
  const left = bodiesIn(aws, id)
  const found = [...there, ...(ledger.erasures.marked.get(id) ?? [])].filter(body => left.has(body))
  ledger.check('S19 what is told erased has no body left', found.length === 0, () => `${about()}: ${found}`)
  const copies = copiesOf(rig, record)
  for (const { eventId, lastError, ignoredBecause } of [record, ...copies])
    ledger.check(
      'S19 what is told erased has no error left',
      lastError === null && ignoredBecause === null,
      () => `${eventId}: ${lastError ?? ignoredBecause}`,
    )
  const names = new Set<unknown>([record, ...copies].map(({ fingerprint }) => fingerprint))
  const saying = aws.items(NAMES.eventsTable).filter(({ of, before }) => names.has(of) && saysSomething(before))
  ledger.check('S19 what is told erased has no error in an audit', saying.length === 0, () => JSON.stringify(saying))
}

const saysSomething = (before: unknown): boolean =>
  ((before as { says?: string | null } | undefined)?.says ?? null) !== null

/**
 * Those for where it went last. If its sender brought it back, others may keep their last error: a known limit (docs/guarantees.md).
 */
const copiesOf = ({ records }: Rig, { fingerprint, firstSeenAt, to }: EventRecord): readonly EventRecord[] =>
  [...records.values()].filter(
    copy => copy.copyOf === fingerprint && copy.firstSeenAt === firstSeenAt && to.includes(String(copy.to[0])),
  )

/** Its sender brings it once more, and then nothing of it may be there: nobody is late any more. */
const repeat = (rig: Rig, luck: Chance, deliveries: Deliveries, id: Fingerprint): void => {
  const together = deliveries.find(events => events.some(({ fingerprint }) => fingerprint === id))
  rig.pending++
  rig.timeline.after(luck.between(0, 60_000), () => {
    rig.pending--
    if (together) (together[0]?.source === 'orders' ? produce : send)(rig, together)
  })
}

/** When all is quiet, an erased event has nothing but its record. A body that came late, while there was trouble, is no record's. */
export const judgeErasures = async (rig: Rig): Promise<void> => {
  const { ledger, records, aws } = rig
  for (const [id, when] of ledger.erasures.told) {
    const record = records.get(id)
    const { eventId } = record ?? {}
    const body = record && (await bodyOf(rig, record))
    ledger.check('S19 no record points to a body of what was erased', body === undefined, () => String(eventId))
    const left = bodiesIn(aws, id)
    ledger.check(
      'S19 nothing brings a body back',
      when !== 'in a calm' || left.size === 0,
      () => `${eventId}: ${[...left]}`,
    )
  }
}
