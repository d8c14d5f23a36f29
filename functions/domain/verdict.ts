/** Why a delivery was not believed: for the log and the metric, never for the reply. */
export const DISTRUST = [
  'header-missing',
  'header-repeated',
  'header-malformed',
  'signature-mismatch',
  'timestamp-missing',
  'timestamp-malformed',
  'timestamp-stale',
  'timestamp-future',
  /** What was signed is genuine, and belongs to another event. */
  'proof-reused',
] as const

export type Distrust = (typeof DISTRUST)[number]

/** `matched` is the index of the secret that signed, so a rotation can be seen to finish. */
export type Verdict =
  | {
      readonly kind: 'genuine'
      readonly matched: number
      /** The very text that was signed, of senders who sign something else than the bytes. */
      readonly signed?: string
    }
  | { readonly kind: 'distrusted'; readonly reason: Distrust }
