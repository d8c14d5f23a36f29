import type { Message, Ordering } from '../contract/message.ts'
import type { Fence, Fingerprint, Millis, Seconds, Sha256 } from './brands.ts'
import type { Trace } from './delivery.ts'
import type { BodyPlace, EventRecord, Ownership } from './record.ts'
import type { Secret } from './secret.ts'
import type { Capture } from './secret-list.ts'

/** A remote call gave no usable answer. Whether it was applied is not known, and nobody may assume either. */
export interface Unavailable {
  readonly kind: 'unavailable'
  /** Class and short message of the fault, for the log. */
  readonly cause: string
}

/** A conditional write found another owner's fence or a later status: nothing was changed. */
export interface Superseded {
  readonly kind: 'superseded'
}

export type ClaimAnswer =
  | { readonly kind: 'won'; readonly record: EventRecord }
  | { readonly kind: 'lost'; readonly existing: EventRecord }
  /** What was signed belongs to another event, and to no second one. */
  | { readonly kind: 'taken' }
  /** Two guarded claims met in one transaction: somebody is at it right now. */
  | { readonly kind: 'contended' }
  | Unavailable

export type OwnAnswer = { readonly kind: 'owned'; readonly record: EventRecord } | Superseded | Unavailable

export type MoveAnswer = { readonly kind: 'moved' } | Superseded | Unavailable

/** What a forwarding leaves behind in the record. */
export interface Settlement {
  readonly now: Millis
  readonly expiresAt: Seconds
  readonly bodySha256: Sha256
  readonly bodySize: number
  readonly bodyAt: BodyPlace | null
}

/** How a delivery comes to own an event. Its law, and that of the next two: test/conformance/event-store.ts. */
export interface EventClaims {
  /**
   * Wins when the key is absent, expired, or still claimed by this very fence (a retried write whose answer was lost). If the record
   * names a guard, what was signed must not belong to another event either: the delivery is then that event, or, if it is
   * exclusive, refused. What a repeat brings to guard belongs to its event from then on.
   */
  claim(record: EventRecord, exclusive?: boolean): Promise<ClaimAnswer>
  /** Makes a failed event `claimed` in its next generation. Its guard lives as long as it from then on, and it goes where today's routes lead. */
  reopen(seen: EventRecord, by: Ownership, body: Settlement, to?: readonly string[]): Promise<OwnAnswer>
}

/** How a copy of an event is made once more. Its law: test/conformance/event-store.ts. */
export interface CopyClaims {
  /** A copy that is over, or that its maker left, becomes `claimed` again, for another generation of its event. */
  beginAnew(seen: EventRecord, by: Ownership, copy: EventRecord): Promise<OwnAnswer>
  /** One that is done, or was ignored, and stays so in another try or generation of its event, is remembered until then at least. */
  outlast(seen: EventRecord, expiresAt: Seconds): Promise<MoveAnswer>
}

/** What an owner does with it. */
export interface EventMoves {
  /** Takes an abandoned claim from the owner that was seen. It goes where it was to go, unless that is gone. */
  takeOver(seen: EventRecord, by: Ownership, to?: readonly string[]): Promise<OwnAnswer>
  /** claimed -> queued, by its owner. */
  settle(owned: EventRecord, settlement: Settlement): Promise<MoveAnswer>
  /** Where the body of a generation was kept, for a record that a consumer took before its receiver could settle it. */
  noteBody(owned: EventRecord, settlement: Settlement): Promise<MoveAnswer>
  /** Ends the lease at once, so the next delivery can take over. */
  release(owned: EventRecord, now: Millis, lastError: string): Promise<MoveAnswer>
}

export interface EventReads {
  /** Strongly consistent. An expired record is absent. */
  read(fingerprint: Fingerprint, now: Millis): Promise<EventRecord | undefined>
  /** One page of the listing, newest claim first, over every shard; expired records are left out, and copies unless they are asked for. */
  list(page: ListingPage): Promise<Listing>
}

export interface ListingPage {
  readonly limit: number
  readonly now: Millis
  /** Claimed at or after. */
  readonly from: Millis
  readonly after?: ListingCursor
  /** With copies. @default false */
  readonly copies?: boolean
}

/** A listing position (functions/contract/tables.ts): where the page before this one ended. */
export type ListingCursor = string

export interface Listing {
  readonly records: readonly EventRecord[]
  readonly next: ListingCursor | null
}

export type SendAnswer =
  | { readonly kind: 'sent' }
  /** The queue said no, once, for certain: nothing was enqueued. */
  | {
      readonly kind: 'refused'
      readonly cause: string
      /** Its destination is no longer in destinations.ts. */
      readonly nowhere?: true
    }
  | Unavailable

export interface QueueEntry {
  readonly message: Message
  readonly trace: Trace
}

export interface Queue {
  /** Whether events of these destinations can be sent: one that was removed has no queue. */
  leadsTo(to: readonly string[]): Promise<boolean>
  /** Sealed with the key: consumers take a message that is not for a forgery. */
  send(message: Message, trace: Trace, key: Secret): Promise<SendAnswer>
  /** Any number, in as few calls as the queue takes them; each has its own answer, in order. */
  sendBatch(entries: readonly QueueEntry[], key: Secret): Promise<readonly SendAnswer[]>
}

/** When a message that was received, and could not be finished, comes back. */
export interface MessageVisibility {
  /** For so long from now on. `gone`: it was deleted, or somebody has received it since. */
  hide(message: HeldMessage, time: Seconds): Promise<{ readonly kind: 'hidden' | 'gone' } | Unavailable>
}

export interface HeldMessage {
  readonly receipt: string
  /** Of a FIFO queue; null: it came from the other one. */
  readonly group: string | null
}

/** A body, and what is needed to forward it again without its sender. */
export interface KeptBody {
  readonly fingerprint: Fingerprint
  readonly sha256: Sha256
  readonly bytes: Uint8Array
  readonly eventId: string
  readonly headers: Readonly<Record<string, string>>
  readonly ordering: Ordering | null
}

export type KeepAnswer =
  | {
      readonly kind: 'kept'
      readonly at: BodyPlace
      /** Something was there before, and only for whoever owns the event it is written again. */
      readonly mayBeBlank?: true
    }
  | Unavailable

export interface KeepHow {
  /** Where it was just read: there it stays, if that lasts as long. */
  readonly readAt?: BodyPlace | null
  /** Nobody owns the event yet: what is there stays as it is, and the answer says that it may be blank. */
  readonly unclaimed?: boolean
}

/** Bodies, keyed by fingerprint and SHA-256: nobody can overwrite another's. */
export interface BodyStore {
  /**
   * Until then at least. A body that is there never ends sooner than was said; bytes of another hash are refused.
   */
  keep(body: KeptBody, now: Millis, expiresAt: Seconds, how?: KeepHow): Promise<KeepAnswer>
  /** Makes nothing of a body that was just kept, since its event was erased. The event is remembered until `expiresAt`. */
  discard(
    fingerprint: Fingerprint,
    sha256: Sha256,
    at: BodyPlace,
    expiresAt: Seconds,
  ): Promise<{ readonly kind: 'discarded' } | Unavailable>
  /** An expired or erased body is absent; one whose bytes do not match its hash is a thrown surprise. */
  fetch(fingerprint: Fingerprint, sha256: Sha256, at: BodyPlace, now: Millis): Promise<KeptBody | undefined>
}

export type SecretsAnswer =
  | { readonly kind: 'found'; readonly secrets: readonly Secret[] }
  /** The store answered, and has none for this source. */
  | { readonly kind: 'absent' }
  | Unavailable

export interface KeyStore {
  /** Never rotated: another key would forget every event. It also seals messages. */
  fingerprintKey(): Promise<Secret | Unavailable>
}

export interface SecretStore extends KeyStore {
  /** Current first, then the previous ones that are still accepted. One that can do without is looked for less often. */
  signingSecrets(source: string, optional?: boolean): Promise<SecretsAnswer>
  /** Looks again after a signature failed, since a rotation may have happened; `too-soon` when it looked a moment ago. */
  refresh(): Promise<{ readonly kind: 'refreshed' | 'too-soon' } | Unavailable>
  /**
   * A secret that a sender's handshake hands over: kept only while an operator has opened the door, and used once the operator has
   * confirmed it. `known`: it is one that is there, as when the answer to the first handshake was lost.
   */
  accept(source: string, offered: string): Promise<{ readonly kind: 'stored' | 'known' | 'closed' } | Unavailable>
  /** Whether an operator has the source's deliveries captured, as of the last look at its secrets: never a call of its own. */
  capturing?(source: string): Capture | null
}

export type FetchAnswer = { readonly kind: 'fetched'; readonly text: string } | Unavailable

/**
 * Public keys and certificates that a sender publishes. Who asks has checked the host; an implementation follows no
 * redirect, is bounded in size, time and, for each source by itself, in number, and remembers what it fetched.
 */
export interface KeyFetcher {
  /** `again`: what is remembered is not enough, since the key that is looked for is not in it. */
  fetch(source: string, url: string, freshness?: 'again'): Promise<FetchAnswer>
}

export type Clock = () => Millis

/** Resolves after so long. */
export type Pause = (span: Millis) => Promise<void>

/** 128 random bits, new for each attempt to own an event. */
export type FenceMaker = () => Fence
