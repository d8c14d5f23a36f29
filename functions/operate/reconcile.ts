import { millis } from '../domain/brands.ts'
import type { Pause } from '../domain/ports.ts'
import type { CompareAnswer, CompareOrder, SentView } from './compare-sent.ts'
import { openTally, type Report } from './reconcile-tally.ts'
import type { NotTaken } from './take-sent.ts'

export interface Reconciling {
  readonly compare: (order: CompareOrder) => Promise<CompareAnswer>
  readonly pause: Pause
  /** `says`: why it is not going on right now. */
  readonly onProgress?: (report: Report, says?: string) => void
  /** What was found so far is written down: `next` is where to go on. */
  readonly save?: (report: Report) => Promise<void>
  readonly stop?: AbortSignal
  /** @default 10,000 */
  readonly mostPages?: number
  /** How long a sender is waited for at once. @default 120 */
  readonly longestWaitSeconds?: number
}

export interface Reconciled {
  readonly report: Report
  /** Why the list was not read to its end; null: it was. */
  readonly why: string | null
  /** Whether it makes sense to go on from `next` later: not if the sender refused, or its list has no end. */
  readonly resumable: boolean
  /** Each of them once. */
  readonly events: readonly SentView[]
  /** Where the first page with something missing begins. */
  readonly from: string | null
}

/** A million events: no list that ends is longer. */
const MOST_PAGES = 10_000
/** Pages one after the other that list nothing that was not listed before: such a list goes in circles. */
const STALE_PAGES = 5

/** Reads a sender's list page by page, and has what is missing taken if the order has a reason. What it has done stays done. */
export const reconcile = async (desk: Reconciling, order: CompareOrder): Promise<Reconciled> => {
  const tally = openTally()
  const ask = patiently(desk, tally)
  const circling = circles(desk.mostPages ?? MOST_PAGES, order.after)
  let { after } = order
  for (;;) {
    const before = tally.met()
    const page = await ask({ ...order, after })
    if (page.kind === 'given-up') return endedAt(tally, after, order, page)
    if (page.next === null) return endedAt(tally, null, order, AT_ITS_END)
    const why = circling(page.next, tally.met() > before)
    if (why !== undefined) return endedAt(tally, after, order, { why, resumable: false })
    after = page.next
    await desk.save?.(tally.report(after))
    await desk.pause(millis(1000 / order.rate))
  }
}

type Tally = ReturnType<typeof openTally>

const AT_ITS_END = { why: null, resumable: false } as const

const endedAt = (
  tally: Tally,
  next: string | null,
  order: CompareOrder,
  { why, resumable }: Pick<Reconciled, 'why' | 'resumable'>,
): Reconciled => ({
  report: tally.report(next),
  events: tally.events(),
  from: tally.from() ?? order.after,
  why,
  resumable,
})

/** Why a list is not read any further: it comes back to where it was, or does not end. */
const circles = (mostPages: number, first: string | null) => {
  const met = new Set([first])
  let stale = 0
  return (next: string, isFresh: boolean): string | undefined => {
    stale = isFresh ? 0 : stale + 1
    if (met.has(next) || stale === STALE_PAGES) return 'The list of the sender repeats itself'
    if (met.size === mostPages) return `The list of the sender does not end: ${mostPages} pages were read`
    met.add(next)
    return undefined
  }
}

type Page =
  | { readonly kind: 'page'; readonly next: string | null }
  | { readonly kind: 'given-up'; readonly why: string; readonly resumable: boolean }

/** One page, however often it has to be asked for. */
const patiently = (desk: Reconciling, tally: Tally) => {
  const patience = patienceWith(desk)
  return async (order: CompareOrder): Promise<Page> => {
    while (!desk.stop?.aborted) {
      const answer = await desk.compare({ ...order, except: onTheirWay(tally.events()) })
      const { items, digests, next, left } = answer.kind === 'compared' ? answer : { ...NOTHING, left: answer }
      tally.add(items, order.after, digests)
      const report = tally.report(order.after)
      desk.onProgress?.(report)
      if (left === null) return { kind: 'page', next }
      const why = left.kind === 'more' ? undefined : await patience(left, report)
      if (why !== undefined) return { kind: 'given-up', why, resumable: left.kind !== 'refused' }
      await desk.save?.(report)
    }
    return { kind: 'given-up', why: 'It was stopped', resumable: true }
  }
}

const NOTHING = { items: [], digests: [], next: null } as const

/** Those that were asked for last: a list has them beside each other. */
const onTheirWay = (events: readonly SentView[]): readonly string[] =>
  events.flatMap(({ id, state }) => (state === 'redelivered' && id !== null ? [id] : [])).slice(-1_000)

/** A sender that says how long to wait is waited for: up to so long at once, and in all. */
const LONGEST_WAIT_SECONDS = 120
const MOST_WAIT_SECONDS = 900
/** What may pass by itself is tried again so often. */
const TRIES = 4

/** Waits until a fault may have passed; if it will not, a sentence that says so. */
const patienceWith = ({ pause, onProgress, stop, longestWaitSeconds = LONGEST_WAIT_SECONDS }: Reconciling) => {
  let waited = 0
  let tries = 0
  return async (fault: NotTaken, report: Report): Promise<string | undefined> => {
    if (fault.kind === 'refused') return fault.why
    const says = fault.kind === 'wait' ? fault.why : fault.cause
    tries = fault.kind === 'wait' ? 0 : tries + 1
    const seconds = fault.kind === 'wait' ? Math.max(1, fault.seconds) : 2 ** tries
    if (tries === TRIES) return says
    if (seconds > longestWaitSeconds || waited + seconds > MOST_WAIT_SECONDS) {
      return `${says}, for ${seconds} seconds more: try again later`
    }
    waited += seconds
    onProgress?.(report, `${says}: waiting ${seconds} s`)
    if (!stop?.aborted) await pause(millis(seconds * 1000))
    return undefined
  }
}
