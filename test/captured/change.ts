import type { Coverage } from '../../functions/domain/coverage.ts'
import type { SignedRequest } from '../../lib/sender/sign.ts'
import type { Request } from '../unit/providers/rig.ts'

/** One thing that somebody who has captured a delivery could do to it. */
export interface Change {
  readonly name: string
  /** What of the delivery it touches. */
  readonly part: 'header' | 'method' | 'url' | 'body'
  readonly request: Request
  /** By what its row says is covered. */
  readonly refused: boolean
}

export interface Captured {
  readonly request: SignedRequest
  readonly coverage: Coverage
  /** Of the proof; undefined if it is in the body or the URL. */
  readonly proofHeader: string | undefined
  readonly proofParameter: string | undefined
}
