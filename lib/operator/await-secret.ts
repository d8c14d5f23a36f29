import { type Millis, plus, type Seconds, toMillis } from '../../functions/domain/brands.ts'
import { awaitUntil, readSecretList } from '../../functions/domain/secret-list.ts'

type Lists = Readonly<Record<string, readonly string[]>>

/** The signing secrets with the door open for one source; `undefined` when it has a secret, which no handshake may replace. */
export const awaitSecret = (lists: Lists, source: string, now: Millis, span: Seconds): Lists | undefined => {
  const current = Object.hasOwn(lists, source) ? (lists[source] ?? []) : []
  if (readSecretList(current).secrets.length > 0) return undefined
  return { ...lists, [source]: [awaitUntil(plus(now, toMillis(span)))] }
}
