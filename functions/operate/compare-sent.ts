import type { ApiAnswer, Http } from '../domain/api-answer.ts'
import type { Millis } from '../domain/brands.ts'
import { causeOf } from '../domain/fault.ts'
import { sha256 } from '../domain/identity.ts'
import { isAbandoned } from '../domain/record.ts'
import { someAtOnce } from '../domain/some-at-once.ts'
import type { World } from '../domain/world.ts'
import type { Values } from '../senders/fill.ts'
import { findHook } from '../senders/find-hook.ts'
import { listPage } from '../senders/list-page.ts'
import { readText } from '../senders/read-path.ts'
import type { Ledger } from '../senders/sender-api.ts'
import { createdAt } from '../senders/sent-item.ts'
import { nameSent, type SentEvent } from './name-sent.ts'
import { type LedgerOrder, openLedger } from './open-ledger.ts'
import { type More, type NotTaken, type TakingSent, takeAll } from './take-sent.ts'

/** A page of the sender's own list, to be compared with our records. */
export interface CompareOrder extends LedgerOrder {
  readonly since: Millis
  /** @default no end: the sender's clock may be ahead of ours */
  readonly until?: Millis | undefined
  /** Only these; `invoice.*` are all that begin so. Empty: all. */
  readonly types: readonly string[]
  /** Where the page before this one ended. */
  readonly after: string | null
  /** Where the sender delivers to: which of its endpoints is ours. */
  readonly url: string
  /** Why what is missing is to be taken; absent: it is not. */
  readonly reason?: string | undefined
  /** Those that it was asked for a moment ago, and that are on their way. */
  readonly except: readonly string[]
}

export type SentView = Pick<SentEvent, 'id' | 'eventId' | 'type' | 'createdAt' | 'state'>

export type CompareAnswer =
  | {
      readonly kind: 'compared'
      readonly items: readonly SentView[]
      /** Of each item of the page, also of those that were not asked for. Absent: the stack is of an older version. */
      readonly digests?: readonly string[]
      /** Null: that was the last page. */
      readonly next: string | null
      /** Why some that are missing were left. */
      readonly left: NotTaken | More | null
    }
  | Exclude<ApiAnswer, { kind: 'answered' }>

export type Comparing = TakingSent & World<'sources'> & { readonly http: Http }

/** The flow: a page is listed, its events are named as their webhooks would be, our records are asked, and what is missing is taken. */
export const compareSent = async (
  world: Comparing,
  order: CompareOrder,
  actor: string,
  stop?: AbortSignal,
): Promise<CompareAnswer> => {
  try {
    const open = openLedger(world, order)
    if (open.kind === 'refused') return open
    const found = await findHook(open.api, open.row, open.account, order.url)
    if (found.kind !== 'hook') return found
    const ledger = { ...open, hook: found.hook }
    const page = await listPage(open.api, open.ledger, order.after, valuesOf(order, found.hook))
    if (page.kind !== 'listed') return page
    const meant = page.items.filter(item => isMeant(open.ledger, order, item))
    const named: SentEvent[] = []
    for (const item of meant) {
      const event = await nameSent(world, ledger, item)
      if ('kind' in event) return event
      if (isOfTypes(order, event.type)) named.push(event)
    }
    const asked = await someAtOnce(named, AT_ONCE, event => askRecords(world, event))
    const { events, left } =
      order.reason === undefined
        ? { events: asked, left: null }
        : await takeAll(world, ledger, asked, { actor, reason: order.reason, except: order.except, stop })
    const next = isPast(open.ledger, order, page.items) ? null : page.next
    return { kind: 'compared', items: events.map(viewOf), digests: page.items.map(digestOf), next, left }
  } catch (error) {
    return { kind: 'unavailable', cause: causeOf(error) }
  }
}

/** Reads at once. */
const AT_ONCE = 10

const valuesOf = ({ since, until }: CompareOrder, hook: string | null): Values => ({
  hook: hook ?? undefined,
  since: isoSeconds(since),
  'since:seconds': String(Math.floor(since / 1000)),
  ...(until !== undefined && { until: isoSeconds(until), 'until:seconds': String(Math.ceil(until / 1000)) }),
})

/** Not every sender takes fractions. */
const isoSeconds = (instant: number): string => new Date(instant).toISOString().replace(/\.\d+Z$/, 'Z')

/** Not every list can be asked for a stretch of time or for types. */
const isMeant = (ledger: Ledger, order: CompareOrder, item: unknown): boolean => {
  const { since, until } = order
  const at = createdAt(ledger, item)
  if (at !== undefined && (at < Math.floor(since / 1000) * 1000 || (until !== undefined && at > until))) return false
  return isOfTypes(order, ledger.type === null ? null : (readText(item, ledger.type) ?? ''))
}

/** Null: nobody knows yet, or it was acknowledged and nobody has asked. */
const isOfTypes = ({ types }: CompareOrder, type: string | null): boolean => type === null || isWanted(types, type)

export const isWanted = (types: readonly string[], type: string): boolean =>
  types.length === 0 ||
  types.some(wanted => (wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted))

/** Enough to see that an item was listed before. */
const digestOf = (item: unknown): string => sha256(Buffer.from(JSON.stringify(item))).slice(0, 12)

/** What comes after is older still. A single old item does not say so: the list may be in the order of its ids. */
const isPast = (ledger: Ledger, { since }: CompareOrder, items: readonly unknown[]): boolean =>
  ledger.newestFirst === true &&
  items.length > 0 &&
  items.every(item => (createdAt(ledger, item) ?? since) < since - 1000)

/** One that arrived and was left before it was queued is missing too: its sender may have given up. */
const askRecords = async (world: Comparing, event: SentEvent): Promise<SentEvent> => {
  if (event.id === null || event.state !== 'missing') return event
  const now = world.now()
  const record = await world.records.read(event.id, now)
  return record && !isAbandoned(record, now) ? { ...event, state: 'known' } : event
}

const viewOf = ({ id, eventId, type, createdAt: at, state }: SentEvent): SentView => ({
  id,
  eventId,
  type,
  createdAt: at,
  state,
})
