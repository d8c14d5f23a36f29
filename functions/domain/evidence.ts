import type { Ordering } from '../contract/message.ts'
import type { Fingerprint, Millis, Seconds, Sha256 } from './brands.ts'
import type { Delivery, Trace, Via } from './delivery.ts'
import type { KeepAnswer } from './ports.ts'
import type { BodyPlace, EventRecord } from './record.ts'
import type { Source } from './source.ts'

declare const proof: unique symbol
/** A mark that only a cast can make, and each cast stands in the one verb that earns it. */
type Proof<Name extends string> = { readonly [proof]: { readonly [name in Name]: true } }

/** A delivery to a source we have, of a size and shape we take. */
export type Admitted = { readonly delivery: Delivery; readonly source: Source } & Proof<'admitted'>

/** Its sender holds the secret, and signed these bytes a moment ago. */
export type Verified = Admitted & {
  /** Which of the source's secrets signed. */
  readonly matched: number
  /** The text that was signed, where that is something else than the bytes. */
  readonly signed?: string
} & Proof<'verified'>

/** Which event it is. Everything a message needs, and nothing of HTTP. */
export type Identified = {
  readonly source: Source
  readonly fingerprint: Fingerprint
  /** What was signed as an identity of its own: where the source guards it, or where its sender signs something unique. */
  readonly guard: Fingerprint | null
  readonly eventId: string
  readonly type: string | null
  readonly headers: Readonly<Record<string, string>>
  readonly ordering: Ordering | null
  /** Where today's routes lead. After a takeover its record says otherwise, and counts. */
  readonly to: readonly string[]
  /** Of a copy: its event, whose body it has. */
  readonly copyOf?: Fingerprint
  readonly body: Uint8Array
  readonly bodySha256: Sha256
  readonly receivedAt: Millis
  readonly correlationId: string
  readonly trace: Trace
  readonly via?: Via
} & Proof<'identified'>

/** The body is where recovery can find it, or its sender is known to come again (`bodyAt: null`). */
export type Kept = Identified & {
  readonly bodyAt: BodyPlace | null
  /** It was there already: of an earlier try, or blank since its event was erased. Whoever owns the event keeps it again. */
  readonly bodyMayBeBlank?: boolean
} & Proof<'kept'>

/** This delivery, and no other, owns the event until the lease in its record passes. */
export type Claimed = Kept & {
  readonly record: EventRecord
  readonly how: 'claimed' | 'took-over' | 'reopened'
} & Proof<'claimed'>

/** The message is on the queue: from here on the answer is a 2xx, whatever else fails. */
export type Forwarded = Claimed & {
  readonly expiresAt: Seconds
  /** As far as is known by now. */
  readonly bodyNotKept: boolean
  /** The copy for replay, if it takes longer than an acknowledgement may wait. */
  readonly stillKeeping: Promise<KeepAnswer | null> | null
} & Proof<'forwarded'>
