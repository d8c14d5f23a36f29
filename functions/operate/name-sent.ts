import type { ApiAnswer } from '../domain/api-answer.ts'
import { type Fingerprint, iso } from '../domain/brands.ts'
import type { Delivery } from '../domain/delivery.ts'
import type { Verified } from '../domain/evidence.ts'
import { ended } from '../domain/outcome.ts'
import type { Source } from '../domain/source.ts'
import type { TakingIn } from '../domain/world.ts'
import { identify } from '../receive/identify.ts'
import { split } from '../receive/split.ts'
import { readText } from '../senders/read-path.ts'
import { asWebhook, createdAt, isAcknowledged } from '../senders/sent-item.ts'
import type { OpenLedger } from './open-ledger.ts'

/** `unknown`: it has no id that a webhook could have. */
export type SentState = 'known' | 'missing' | 'taken' | 'redelivered' | 'unknown'

/** An event in its sender's list. */
export interface SentEvent {
  readonly id: Fingerprint | null
  readonly eventId: string | null
  readonly type: string | null
  readonly createdAt: string | null
  readonly state: SentState
  /** As it can be taken; null: the list does not have it whole. */
  readonly verified: Verified | null
  /** By which the sender delivers it again. */
  readonly item: string | null
}

export interface HookLedger extends OpenLedger {
  readonly hook: string | null
}

type Fault = Exclude<ApiAnswer, { kind: 'answered' }>

/** Which event an item of the list is: named as its webhook would be, by the same rules. */
export const nameSent = async (world: TakingIn, open: HookLedger, listed: unknown): Promise<SentEvent | Fault> => {
  const { ledger, hook } = open
  const at = createdAt(ledger, listed)
  const seen = {
    type: ledger.type === null ? null : (readText(listed, ledger.type) ?? null),
    createdAt: at === undefined ? null : iso(at),
    item: ledger.redeliver ? (readText(listed, ledger.redeliver.id) ?? null) : null,
    verified: null,
    id: null,
    eventId: null,
  }
  // Where the list has too little to name it, the sender's word that we acknowledged it is enough.
  if (ledger.whole && isAcknowledged(ledger, listed)) return { ...seen, state: 'known' }
  const whole = await wholeOf(open, listed)
  if (whole.kind !== 'answered') return whole
  const webhook = asWebhook(ledger.delivery, whole.json, hook)
  if (!webhook) return { ...seen, state: 'unknown' }
  const verified = fetched(open.source, {
    ...webhook,
    method: 'POST',
    source: open.source.name,
    url: '',
    receivedAt: world.now(),
    correlationId: world.newFence(),
    trace: {},
    via: 'reconcile',
  })
  const identified = await identify(world, verified)
  if (ended(identified)) {
    return identified.outcome === 'unavailable'
      ? { kind: 'unavailable', cause: identified.cause }
      : { ...seen, state: 'unknown' }
  }
  const { fingerprint, eventId, type } = identified
  return {
    ...seen,
    id: fingerprint,
    eventId,
    type: type ?? seen.type,
    state: 'missing',
    verified: ledger.delivery.body === null ? null : verified,
  }
}

const wholeOf = async ({ api, ledger: { whole } }: OpenLedger, listed: unknown) => {
  if (!whole) return { kind: 'answered', json: listed } as const
  const item = readText(listed, whole.id)
  return api.call(whole, { item })
}

/**
 * An event that its sender itself told us over TLS, when we asked with our key: as good as a signature. Nothing of it was signed, so
 * nothing is guarded; it is stored first, since nobody will send it again; and it reopens nothing.
 */
const fetched = (source: Source, delivery: Delivery): Verified => {
  const asTaken = { ...source, guard: false, unique: null, storeFirst: true, reopens: false } as const
  const verified = { delivery, source: asTaken, matched: 0 } as unknown as Verified
  const [only = verified] = split(verified) ?? []
  return only
}
