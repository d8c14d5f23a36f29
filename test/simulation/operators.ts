import { isOver as isOverStatus } from '../../functions/contract/status.ts'
import type { Fingerprint } from '../../functions/domain/brands.ts'
import { copyId, hasCopies } from '../../functions/domain/copies.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { ReplayAnswer } from '../../functions/operate/replay.ts'
import { type Replay, replay } from '../../functions/operate/replay.ts'
import type { Process } from './faults.ts'
import type { Ledger } from './ledger.ts'
import type { Rig } from './rig.ts'

interface Person {
  readonly actor: string
  /** Of the clock of their computer. */
  readonly skew: number
}

const MOST_TRIES = 4
/** Of what is none of our messages. */
const UNREAD_SOURCE = '(malformed)'
const PATIENCE_MS = 30_000

/** Somebody replays an event, whatever has become of it; perhaps with impatient hands, perhaps not alone. */
export const operate = (rig: Rig): void => {
  const { luck, apart, timeline, records, ingredients } = rig
  const all = [...records.values()]
  const over = all.filter(({ status }) => isOverStatus(status))
  const seen = luck.pick(over.length > 0 && luck.happens(0.8) ? over : all)
  if (!seen) return
  const id = luck.happens(0.02) ? ('f'.repeat(64) as Fingerprint) : seen.fingerprint
  const isShown = luck.happens(0.5)
  const onlyFailed = luck.happens(0.3)
  const to = ingredients.destined && apart.happens(0.3) ? apart.pick([...seen.to, 'crm']) : undefined
  const copy = to === undefined ? undefined : records.get(copyId(seen.fingerprint, to))
  const generation = isShown ? (copy ?? seen).generation : undefined
  for (const person of people(rig)) {
    const asked: Replay = { id, generation, onlyFailed, to, actor: person.actor, reason: 'simulated', job: null }
    ask(rig, person, asked)
    if (luck.happens(0.4)) timeline.after(luck.between(100, 10_000), () => ask(rig, person, asked))
  }
}

const people = ({ luck, timeline, ingredients }: Rig): Person[] =>
  Array.from({ length: luck.pick([1, 1, 2]) }, (_, index) => ({
    actor: `operator-${timeline.now}-${index}`,
    skew: luck.between(-ingredients.skew, ingredients.skew),
  }))

/** And asks again, as long as there is no answer. */
const ask = (rig: Rig, person: Person, asked: Replay, tries = 1): void => {
  const { timeline, luck, ledger } = rig
  const process = rig.newProcess('operator', person.skew)
  ledger.generations.asked.set(process.name, asked)
  const seen = rig.records.get(asked.id)
  let answered = false
  const again = (): void => {
    if (tries < MOST_TRIES) ask(rig, person, asked, tries + 1)
  }
  timeline.after(PATIENCE_MS, () => {
    if (answered) return
    process.alive = false
    again()
  })
  void replay(rig.world(process), asked).then(answer => {
    answered = true
    ledger.note(process.name, `is told ${answer.kind}`)
    judge(rig, process, asked, seen, answer)
    if (answer.kind === 'unavailable') timeline.after(luck.between(100, 10_000), again)
  })
}

const isNoDestination = (ledger: Ledger, { leads }: Process, asked: Replay, seen: EventRecord | undefined): boolean => {
  if (asked.to === undefined || !seen) return false
  const route = ledger.copies.routes.get(`${seen.source} ${seen.eventId}`)
  const led = route && leads ? leads[route] : ['worker']
  return !seen.to.includes(asked.to) || (seen.copyOf === null && led.join() !== asked.to)
}

const judge = (
  { ledger, records, counts }: Rig,
  process: Process,
  asked: Replay,
  seen: EventRecord | undefined,
  answer: ReplayAnswer,
): void => {
  const about = (): string => `${process.name}: ${JSON.stringify(answer)}, was ${seen?.status}/${seen?.generation}`
  switch (answer.kind) {
    case 'replayed':
      counts.replays++
      judgeReplayed(ledger, { process, asked, seen, answer }, about)
      break
    case 'unknown':
      // Somebody may have deleted it since.
      ledger.check(
        'an event that has a record is known',
        !seen || !records.has(asked.id) || ledger.erased.has(asked.id),
        about,
      )
      break
    case 'in-flight':
      // Between the two looks it may have begun, and ended.
      // It may be over, and one of its copies not.
      ledger.check(
        'what is over is not in flight',
        !isOver(seen) || records.get(asked.id) !== seen || (seen !== undefined && hasCopies(seen)),
        about,
      )
      break
    case 'no-body':
      ledger.check(
        'what failed can be replayed',
        seen?.status !== 'failed' || seen.bodyAt === null || records.get(asked.id) !== seen,
        about,
      )
      break
    case 'not-failed':
      ledger.check(
        'only a redrive wants a failure, or the one destination that is left',
        asked.onlyFailed === true || answer.destinations?.length === 1,
        about,
      )
      break
    case 'already-replayed':
      ledger.check(
        'who began a generation is not told that another did',
        // Who was shown no copy was shown the generation of the event, and who was shown one that was deleted by hand, that of its first life.
        (answer.generation > 0 || asked.to !== undefined || ledger.erased.has(answer.id as Fingerprint)) &&
          ledger.generations.begun(answer.id as Fingerprint, answer.generation)?.process !== process.name,
        about,
      )
      break
    case 'no-destination':
      ledger.check(
        'S15 only where an event does not go, or not alone, is no destination of it',
        isNoDestination(ledger, process, asked, seen) || (asked.to !== undefined && records.get(asked.id) !== seen),
        about,
      )
      break
    case 'no-route': {
      const route = seen && ledger.copies.routes.get(`${seen.source} ${seen.eventId}`)
      ledger.check('S15 only what no route wants has no route', route === 'none', about)
      break
    }
    case 'erased':
      ledger.check(
        'S19 only what was erased is told so',
        records.get(answer.id as Fingerprint)?.erasedAt !== undefined,
        about,
      )
      break
    case 'no-source':
      ledger.check('a source stays', seen?.source === UNREAD_SOURCE, about)
      break
    case 'unavailable':
      break
  }
}

interface Replayed {
  readonly process: Process
  readonly asked: Replay
  readonly seen: EventRecord | undefined
  readonly answer: Extract<ReplayAnswer, { kind: 'replayed' }>
}

const judgeReplayed = (ledger: Ledger, { process, asked, seen, answer }: Replayed, about: () => string): void => {
  const { generation, queued } = answer
  // What it began may have been erased by hand since, and counts as an earlier life.
  const isErased = ledger.erased.size > 0 && [...process.fences].some(each => ledger.generations.isFormer(each))
  // Of several destinations, those that failed or the one that was named: the event itself stays as it is.
  if (seen && hasCopies(seen) && (asked.onlyFailed || asked.to !== undefined)) {
    const began = ledger.generations.beganSome(process.name)
    ledger.check('who is told replayed began that generation', began || isErased, about)
    return
  }
  const begun = ledger.generations.begun(asked.id, generation)
  ledger.check('who is told replayed began that generation', begun?.process === process.name || isErased, about)
  ledger.check(
    'who is told queued has put it on the queue',
    !queued || ledger.forwarded.has(`${asked.id}/${generation}`),
    about,
  )
}

const isOver = (record: EventRecord | undefined): boolean => record !== undefined && isOverStatus(record.status)
