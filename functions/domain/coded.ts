import type { KeyObject } from 'node:crypto'
import type { Millis } from './brands.ts'
import type { Coverage } from './coverage.ts'
import type { Delivery } from './delivery.ts'
import type { FetchAnswer, Unavailable } from './ports.ts'
import type { Verdict } from './verdict.ts'

/**
 * A way of signing that no template can describe: one module in functions/providers/coded exports these six. A function
 * only has the `check` of its sources and what that reads. The rest is for `hooklatch send`, the tests and the catalogue.
 */
export interface Coded<Scheme> {
  /** The name of the module's file, which a bundle imports the check from. */
  readonly file: string
  readonly check: (scheme: Scheme, inspection: Inspection, download: Download) => CodedVerdict | Promise<CodedVerdict>
  /** Besides the body. What is not in it, and has the name of a secret, is not kept with a delivery. */
  readonly reads: Reads
  /** The proof as the sender would make it. */
  readonly sign: (signer: Signer, scheme: Scheme) => Proof
  /** How it proves its deliveries, in a sentence without a full stop. */
  readonly words: (scheme: Scheme) => string
  /** What it signs; what is left out is not. */
  readonly covers: (scheme: Scheme) => Partial<Coverage>
}

export interface Reads {
  readonly headers: readonly string[]
  /** With its query. */
  readonly url?: true
}

/** What every check is given to look at. */
export interface Inspection {
  readonly source: Endpoint
  readonly delivery: Delivery
  readonly keys: readonly KeyObject[]
  readonly now: Millis
}

/** The part of a source that a proof can depend on. */
export interface Endpoint {
  readonly name: string
  readonly publicUrl: string | null
  readonly config: Readonly<Record<string, unknown>>
}

/** The verdict of code. It may need a key that cannot be downloaded now, and then there is none. */
export type CodedVerdict = Verdict | Unavailable

export type Download = (url: string, freshness?: 'again') => Promise<FetchAnswer>

export interface Signer {
  readonly source: Endpoint
  readonly key: KeyObject
  readonly secret: string
  readonly delivery: Delivery
  /** Signs with the private half of `key`, for senders with a public one. */
  readonly privately: (data: Uint8Array, hash?: 'sha1' | 'sha256' | 'sha512', format?: 'der' | 'ieee-p1363') => Buffer
}

/** What a way of signing adds to a delivery, or replaces in it. */
export interface Proof {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  readonly url?: string
}
