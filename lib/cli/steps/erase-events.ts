import { millis } from '../../../functions/domain/brands.ts'
import type { EraseAnswer } from '../../../functions/operate/erase.ts'
import { LONGEST_MEMORY_MS } from '../../../functions/operate/start-job.ts'
import { type Refusal, refuse } from '../../connect/refusal.ts'
import type { Operator } from '../../operator/open-operator.ts'
import type { EraseFilter, ErasePlan } from '../../operator/plan-erase.ts'
import type { EventSeen } from '../../operator/show.ts'
import { confirm } from '../../terminal/confirm.ts'
import { jsonLines, type Terminal } from '../../terminal/terminal.ts'
import { eraseSentence, isErased, REMAINS } from '../print/erase-sentence.ts'
import { tellDone } from '../print/tell-done.ts'
import type { How } from './how.ts'
import { type Amount, agree, isCounted, resume, span } from './replay-bulk.ts'

interface OneEvent {
  readonly id: string
  readonly source?: string | undefined
}

/** One event, by any of its ids. */
export const eraseOne = async (
  operator: Operator,
  one: OneEvent,
  how: How,
  terminal: Terminal,
): Promise<number | Refusal> => {
  const from = millis(operator.now() - LONGEST_MEMORY_MS)
  const event = await operator.find({ ...one, from, copies: true })
  if (how.dryRun) return event ? tellOne(event, how.json, terminal) : refuse(eraseSentence({ kind: 'unknown' }, one.id))
  const refused = event && !how.yes ? await confirm(questionOn(event), 'y') : undefined
  if (refused) return refused
  // What was shown is erased, whatever has come under the same id since.
  const answer: EraseAnswer = event ? await operator.erase({ id: event.id, reason: how.reason }) : { kind: 'unknown' }
  const message = eraseSentence(answer, one.id)
  const erased = isErased(answer)
  const { kind: result, ...rest } = answer
  const told = { result, message, ...rest, ...(erased && { remains: REMAINS }) }
  const exitCode = tellDone(erased, told, message, how.json, terminal)
  if (!how.json && erased) tellRemains(terminal)
  return exitCode
}

const tellOne = (event: EventSeen, json: boolean, terminal: Terminal): number => {
  const { id, eventId, status, erasedAt } = event
  terminal.out(
    json ? jsonLines({ result: 'dry-run', id, eventId, status, erasedAt }) : `Would be erased: ${nameOf(event)}.`,
  )
  return 0
}

const questionOn = (event: EventSeen): string =>
  `Erase the body, headers and errors of ${nameOf(event)}? This cannot be undone. [y/N]`

const nameOf = ({ source, eventId, type, status, bodySize, erasedAt }: EventSeen): string =>
  `${source} ${eventId} (${type ?? 'no type'}), ${status}, ${bodySize} bytes${erasedAt === null ? '' : `, erased at ${erasedAt}`}`

/** Counts first, asks, writes the job down, and erases. */
export const eraseBefore = async (
  operator: Operator,
  filter: EraseFilter,
  { rate, count }: Amount,
  { reason, yes, json, dryRun }: How,
  terminal: Terminal,
): Promise<number | Refusal> => {
  const plan = await operator.planErase(filter)
  if (dryRun) {
    if (json) terminal.out(jsonLines({ result: 'dry-run', ...plan }))
    else for (const line of planLines(plan, rate)) terminal.out(line)
    return 0
  }
  const refused =
    isCounted(plan, count, yes, 'erased') ??
    (yes ? undefined : await agree(plan, [...planLines(plan, rate), 'This cannot be undone.'], 'erase', terminal))
  if (refused) return refused
  const { id } = await operator.startEraseJob({ ...filter, reason, rate, expected: plan.count })
  return resumeErase(operator, id, json, terminal)
}

export const resumeErase = async (
  operator: Operator,
  id: string,
  json: boolean,
  terminal: Terminal,
): Promise<number | Refusal> => {
  const ended = await resume(operator, id, json, terminal, 'erase')
  if (!json && ended === 0) tellRemains(terminal)
  return ended
}

const tellRemains = (terminal: Terminal): void => {
  terminal.out('What is left, and where:')
  for (const line of REMAINS) terminal.out(`  ${line}`)
}

const planLines = ({ count, alreadyErased, inFlight, oldest, newest }: ErasePlan, rate: number): string[] => [
  `${count} ${count === 1 ? 'event' : 'events'} would be erased, and what quarantine and captures hold of that time.`,
  ...(count > 0
    ? [`They were first seen from ${oldest} to ${newest}; at ${rate} a second it takes ${span(count / rate)}.`]
    : []),
  ...(alreadyErased > 0 ? [`${alreadyErased} more are erased already.`] : []),
  ...(inFlight > 0 ? [`${inFlight} more are in flight: they would be refused. Erase them when they have ended.`] : []),
]
