import { millis } from '../domain/brands.ts'
import { durationSeconds } from '../domain/duration.ts'
import { causeOf } from '../domain/fault.ts'
import {
  type ListComparison,
  type ListCounts,
  ON_ITS_WAY_MS,
  type ReconciledSource,
  type ReconcilePass,
} from '../domain/reconciler.ts'
import type { Secret } from '../domain/secret.ts'
import type { ReconcileSchedule, Source } from '../domain/source.ts'
import type { World } from '../domain/world.ts'
import { type CompareOrder, type Comparing, compareSent } from '../operate/compare-sent.ts'
import { whyDoubtful } from '../operate/doubt.ts'
import { type Reconciled, reconcile } from '../operate/reconcile.ts'
import type { Report } from '../operate/reconcile-tally.ts'
import { rememberedSeconds } from '../senders/check-schedule.ts'
import { findApi } from '../senders/find-api.ts'
import type { Memory } from './memory.ts'
import { spareSender } from './spare-sender.ts'

export interface Reconciling extends Comparing, World<'reconciler'> {
  /** The key for the API of a source's sender; undefined: there is none. Throws if nobody could say. */
  readonly apiKey: (source: Source) => Promise<Secret | undefined>
  /** Where its sender delivers to. */
  readonly urlOf: (source: string) => string
  /** For tests: instead of the sender's host. */
  readonly origin?: string | undefined
}

/** Who had it taken, for the record. */
export const SCHEDULE = 'the schedule'

/** A sender that asks for more patience than this is asked again by the next run. */
const LONGEST_WAIT_SECONDS = 30
/** Of each page: what it has done is written down before its lease ends. */
const SHARE_MS = 30_000

/** One source: its pass goes on where the last run ended, or begins. Undefined: its time is over, and the next run goes on. */
export const runSource = async (
  world: Reconciling,
  source: Source,
  memory: Memory,
  stop: AbortSignal,
): Promise<ListComparison | undefined> => {
  const seen = memory.state().sources[source.name]
  const startedAt = world.now()
  const pass = seen?.pass ?? beginPass(world, source, seen)
  const keep = (more: Partial<ReconciledSource>): Promise<void> => {
    const known = memory.state().sources[source.name] ?? { startedAt, comparedUntil: null, pass }
    return memory.change({ sources: { [source.name]: { ...known, ...more } } })
  }
  await keep({ startedAt, pass })
  const run = { world, source, memory, stop, keep: (next: ReconcilePass) => keep({ pass: next }) }
  const ended = await walk(run, pass).catch(
    (error): Ended => ({ pass, why: causeOf(error), resumable: true, isWhole: false }),
  )
  // Not even the list was at its end, and nothing is wrong: there is nothing to tell.
  if (ended.resumable && stop.aborted) return void (await keep({ pass: ended.pass }))
  const comparedUntil = ended.isWhole ? pass.until : (seen?.comparedUntil ?? null)
  await keep({ pass: ended.resumable ? ended.pass : null, comparedUntil })
  const { since, until, counts } = ended.pass
  const name = source.name
  const told = { source: name, at: world.now(), since, until, actor: SCHEDULE, why: ended.why, ...counts }
  await world.reconciler.note(told)
  return told
}

/** From where the last one ended, if that is further back: the reconciler itself may have been down. */
const beginPass = ({ now }: Reconciling, source: Source, seen: ReconciledSource | undefined): ReconcilePass => {
  const { back } = source.reconcile as ReconcileSchedule
  const found = findApi(source.provider.id, source.account)
  const listed = found.kind === 'found' && found.api.ledger ? durationSeconds(found.api.ledger.back) : back
  const furthest = Math.min(listed, rememberedSeconds(source))
  const since = Math.min(now() - back * 1000, seen?.comparedUntil ?? Number.POSITIVE_INFINITY)
  return {
    since: millis(Math.max(since, now() - furthest * 1000)),
    until: millis(now() - ON_ITS_WAY_MS),
    phase: 'comparing',
    after: null,
    counts: NONE,
  }
}

const NONE: ListCounts = { listed: 0, known: 0, missing: 0, taken: 0, redelivered: 0, unknown: 0 }

interface Run {
  readonly world: Reconciling
  readonly source: Source
  readonly memory: Memory
  readonly stop: AbortSignal
  readonly keep: (pass: ReconcilePass) => Promise<void>
}

interface Ended {
  readonly pass: ReconcilePass
  readonly why: string | null
  readonly resumable: boolean
  /** Everything was compared, and taken if it is to be. */
  readonly isWhole: boolean
}

/** The list is compared as a whole before anything of it is taken. */
const walk = async (run: Run, begun: ReconcilePass): Promise<Ended> => {
  const { world, source } = run
  const { reportOnly, types, every } = source.reconcile as ReconcileSchedule
  const key = await world.apiKey(source)
  if (key === undefined) return ended(begun, `No API key is set: npx hooklatch secrets set ${source.name} --api-key`)
  const order = {
    source: source.name,
    apiKey: key.reveal(),
    origin: world.origin,
    since: begun.since,
    until: begun.until,
    types,
    url: source.publicUrl ?? world.urlOf(source.name),
    rate: rateOf(source),
    except: [],
  }
  const compared = begun.phase === 'taking' ? begun : await compare(run, begun, order)
  if ('why' in compared) return compared
  const { counts } = compared
  if (counts.missing === 0 || reportOnly) return { ...ended(compared, null), isWhole: true }
  const isNew = begun.phase === 'comparing'
  const doubt = isNew && counts.known === 0 ? await whyDoubtful(world, order, counts.listed) : undefined
  if (doubt !== undefined) return ended(compared, doubt)
  const taking: ReconcilePass = isNew ? { ...compared, phase: 'taking', after: compared.from ?? null } : begun
  await run.keep(taking)
  const reason = `every ${Math.round(every / 60)} minutes`
  const took = await reconcile(deskOf(run, taking), { ...order, after: taking.after, reason })
  const left = advanced(taking, took.report)
  return { pass: left, why: took.why, resumable: took.resumable, isWhole: took.why === null }
}

const ended = (pass: ReconcilePass, why: string | null): Ended => ({ pass, why, resumable: false, isWhole: false })

const compare = async (
  run: Run,
  begun: ReconcilePass,
  order: Omit<CompareOrder, 'after'>,
): Promise<ReconcilePass | Ended> => {
  const compared: Reconciled = await reconcile(deskOf(run, begun), { ...order, after: begun.after })
  const grown = advanced(begun, compared.report)
  const isFirst = begun.from === undefined && grown.from !== undefined
  const pass = isFirst ? { ...grown, from: compared.from } : grown
  return compared.why === null ? pass : { pass, why: compared.why, resumable: compared.resumable, isWhole: false }
}

/** What a report of this run adds to a pass that others began. */
const advanced = (begun: ReconcilePass, { next, ...report }: Report): ReconcilePass => {
  const { counts, phase } = begun
  const grown =
    phase === 'taking'
      ? { ...counts, taken: counts.taken + report.taken, redelivered: counts.redelivered + report.redelivered }
      : {
          ...counts,
          listed: counts.listed + report.listed,
          known: counts.known + report.known,
          missing: counts.missing + report.missing.length,
          unknown: counts.unknown + report.unknown,
        }
  const isFirst = phase === 'comparing' && begun.from === undefined && report.missing.length > 0
  return { ...begun, after: next, counts: grown, ...(isFirst && { from: begun.after }) }
}

const deskOf = ({ world, source, memory, stop, keep }: Run, begun: ReconcilePass) => ({
  compare: spareSender(
    order => compareSent(world, order, SCHEDULE, AbortSignal.any([stop, AbortSignal.timeout(SHARE_MS)])),
    { memory, sender: source.provider.id, callsPerHour: Math.floor(rateOf(source) * 1800), now: world.now },
  ),
  pause: world.pause,
  stop,
  longestWaitSeconds: LONGEST_WAIT_SECONDS,
  save: (report: Report) => keep(advanced(begun, report)),
})

const rateOf = ({ provider, account }: Source): number => {
  const found = findApi(provider.id, account)
  return found.kind === 'found' ? found.api.rate : 1
}
