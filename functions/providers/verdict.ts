import type { Distrust, Verdict } from '../domain/verdict.ts'
import type { Key } from './read-key.ts'

/** A value that was looked for, or why it cannot be believed. */
export type Found<Value> = { readonly value: Value } | { readonly refused: Distrust }

export const refused = (reason: Distrust): { readonly refused: Distrust } => ({ refused: reason })
export const distrusted = (reason: Distrust): Verdict => ({ kind: 'distrusted', reason })
export const genuine = (matched: number, signed?: string): Verdict => ({
  kind: 'genuine',
  matched,
  ...(signed !== undefined && { signed }),
})

/** The verdict of schemes whose only question is which key fits. */
export const matchedBy = (keys: readonly Key[], fits: (key: Key) => boolean, signed?: string): Verdict => {
  const matched = keys.findIndex(fits)
  return matched < 0 ? distrusted('signature-mismatch') : genuine(matched, signed)
}
