/** What a function's answer says about its batch. */
export type BatchVerdict =
  | { readonly kind: 'understood'; readonly failed: ReadonlySet<string> }
  /** As Lambda does, nothing is deleted: all of it comes back. */
  | { readonly kind: 'malformed'; readonly why: string }

/** No answer, an empty one and an empty list are a success of the whole batch, in Lambda as here. */
export const batchVerdict = (messageIds: ReadonlySet<string>, answer: unknown): BatchVerdict => {
  if (answer === null || answer === undefined) return understood([])
  if (typeof answer !== 'object') return { kind: 'malformed', why: `it is a ${typeof answer}, not an object` }
  const failures: unknown = 'batchItemFailures' in answer ? answer.batchItemFailures : []
  if (failures === null || failures === undefined) return understood([])
  if (!Array.isArray(failures)) return { kind: 'malformed', why: 'batchItemFailures is not a list' }
  const ids = failures.map((failure: { readonly itemIdentifier?: unknown } | null) => failure?.itemIdentifier)
  const isOurs = (id: unknown): id is string => typeof id === 'string' && messageIds.has(id)
  if (ids.every(isOurs)) return understood(ids)
  const strange = JSON.stringify(ids.find(id => !isOurs(id)))
  return { kind: 'malformed', why: `the itemIdentifier ${strange} is not of this batch` }
}

const understood = (failed: readonly string[]): BatchVerdict => ({ kind: 'understood', failed: new Set(failed) })
