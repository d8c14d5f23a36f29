import { setTimeout as sleep } from 'node:timers/promises'
import { iso, millis } from '../../../functions/domain/brands.ts'
import type { CompareOrder, SentView } from '../../../functions/operate/compare-sent.ts'
import { type Arrival, doubtOf } from '../../../functions/operate/doubt.ts'
import { type Reconciled, type Reconciling, reconcile } from '../../../functions/operate/reconcile.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import { noteRun } from '../../operator/note-run.ts'
import type { Operator } from '../../operator/open-operator.ts'
import { confirm } from '../../terminal/confirm.ts'
import { jsonLines, type Terminal } from '../../terminal/terminal.ts'
import { printMissing } from '../print/missing-table.ts'
import { statusLine } from '../print/progress-bar.ts'
import { type How, readReason } from './how.ts'

interface ReconcileHow extends How {
  readonly stop: AbortSignal
}

/** Something that its sender has and we do not is left. */
const LEFT = 3

/** The flow: the list is compared, what is missing is shown, and, if that is wanted, taken. */
export const reconcileSource = async (
  operator: Operator,
  order: CompareOrder,
  how: ReconcileHow,
  terminal: Terminal,
): Promise<number | Refusal> => {
  const compared = await walk(operator, order, how, 'comparing')
  const missing = compared.events.filter(({ state }) => state === 'missing')
  if (!how.json) tell(compared, missing, terminal)
  const doubtful = missing.length > 0 ? await whyDoubtful(operator, order, compared) : undefined
  for (const remark of [whySilent(compared.events), doubtful]) if (remark !== undefined) terminal.err(remark)
  const told = reportOf(operator, order, compared)
  await note(operator, order, told, doubtful ?? compared.why)
  if (how.dryRun || missing.length === 0 || doubtful !== undefined)
    return conclude(told, missing.length, compared.why, how, terminal)
  const reason = readReason(how.reason)
  if (isRefusal(reason)) return reason
  const refused = how.yes ? undefined : await confirm(`Take the ${missing.length} that are missing? [y/N]`, 'y')
  if (refused) return refused
  const took = await walk(operator, { ...order, after: compared.from, reason }, how, 'taking')
  const left = await leftOf(operator, missing, took, how)
  const { taken, redelivered } = took.report
  if (!how.json) terminal.out(`${taken} taken, ${redelivered} delivered again, ${left} left.`)
  const next = took.report.next ?? told.next
  const done = { ...told, taken, redelivered, next }
  const why = took.why ?? compared.why
  await note(operator, order, done, why)
  return conclude(done, left, why, how, terminal)
}

/** One that went on where another ended has seen a part of the list only. */
const note = async (operator: Operator, order: CompareOrder, report: Reconciled['report'], why: string | null) => {
  if (order.after === null) await noteRun(operator, order, report, why)
}

const walk = async (
  operator: Operator,
  order: CompareOrder,
  { json, stop }: ReconcileHow,
  what: string,
): Promise<Reconciled> => {
  const line = statusLine(json)
  const desk: Reconciling = {
    compare: operator.compareSent,
    pause: span => sleep(span, undefined, { signal: stop }).catch(() => {}),
    stop,
    onProgress: ({ listed, missing, taken, redelivered }, says = '') =>
      line.show(`${what}: ${listed} listed, ${missing.length} missing, ${taken + redelivered} taken. ${says}`),
  }
  const reconciled = await reconcile(desk, order)
  line.end()
  return reconciled
}

const tell = ({ report }: Reconciled, missing: readonly SentView[], terminal: Terminal): void => {
  printMissing(missing, terminal)
  const unnamed = report.unknown === 0 ? '' : `, ${report.unknown} without an id that a webhook could have`
  terminal.out(`${report.listed} listed by the sender, ${report.known} known, ${missing.length} missing${unnamed}.`)
}

const whyDoubtful = async (
  operator: Operator,
  order: CompareOrder,
  { report }: Reconciled,
): Promise<string | undefined> =>
  report.known > 0 ? undefined : doubtOf(arrivals(operator, order), order, report.listed)

async function* arrivals(
  operator: Operator,
  { source, since, until }: CompareOrder,
): AsyncGenerator<readonly Arrival[]> {
  let after: string | null | undefined
  while (after !== null) {
    const page = await operator.list({ source, from: since, until, limit: 100, after })
    const came = page.events.filter(({ via }) => via === null)
    yield came.map(event => ({ ...event, firstSeenAt: millis(Date.parse(event.firstSeenAt)) }))
    after = page.next
  }
}

/** Of some types everything is missing, while events of others came: the endpoint may not be subscribed to them. */
const whySilent = (events: readonly SentView[]): string | undefined => {
  const typesOf = (wanted: SentView['state']) =>
    new Set(events.flatMap(({ type, state }) => (type && state === wanted ? [type] : [])))
  const came = typesOf('known')
  const silent = [...typesOf('missing')].filter(type => !came.has(type))
  return came.size === 0 || silent.length === 0
    ? undefined
    : `Nothing of these types ever came: ${silent.join(', ')}. If your endpoint is not subscribed to them, leave them out with --types.`
}

const ARRIVE_WITHIN_MS = 60_000
const LOOK_EVERY_MS = 500

/** What was delivered again is watched until it is here. */
const leftOf = async (
  operator: Operator,
  missing: readonly SentView[],
  { events }: Reconciled,
  { stop }: ReconcileHow,
): Promise<number> => {
  const states = new Map(events.map(({ id, state }) => [id, state]))
  const settled = ({ id }: SentView) => states.get(id) === 'taken' || states.get(id) === 'known'
  let waiting = missing.filter(event => states.get(event.id) === 'redelivered')
  const lost = missing.filter(event => !settled(event)).length - waiting.length
  for (const until = performance.now() + ARRIVE_WITHIN_MS; waiting.length > 0 && performance.now() < until; ) {
    const here = await Promise.all(waiting.map(({ id }) => id !== null && operator.isKnown(id)))
    waiting = waiting.filter((_, index) => here[index] !== true)
    if (stop.aborted) break
    if (waiting.length > 0) await sleep(LOOK_EVERY_MS, undefined, { signal: stop }).catch(() => {})
  }
  return lost + waiting.length
}

const reportOf = (operator: Operator, { source, since, until }: CompareOrder, { report }: Reconciled) => ({
  source,
  since: iso(since),
  until: iso(until ?? operator.now()),
  ...report,
})

/** 0 if nothing is left, 3 if something is, 1 if nobody knows since the list could not be read. */
const conclude = (
  report: ReturnType<typeof reportOf>,
  left: number,
  why: string | null,
  { json }: ReconcileHow,
  terminal: Terminal,
): number | Refusal => {
  if (json) terminal.out(jsonLines(report))
  if (why !== null) return refuse(report.next === null ? `${why}.` : `${why}. Go on with --next ${quoted(report.next)}`)
  return left > 0 ? LEFT : 0
}

/** For a shell: a cursor is the sender's text. */
const quoted = (text: string): string => (/^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
