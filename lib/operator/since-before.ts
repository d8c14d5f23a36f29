import type { KeptView } from './kept-view.ts'

/** Milliseconds since the delivery before it of the same event, which is its sender's retry schedule. The list is newest first. */
export const sinceBefore = (one: KeptView, kept: readonly KeptView[]): number | null => {
  const before = kept.find(other => other.key < one.key && other.id !== null && other.id === one.id)
  return before ? Date.parse(one.time) - Date.parse(before.time) : null
}
