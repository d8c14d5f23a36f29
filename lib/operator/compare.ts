import type { KeptDelivery } from '../../functions/domain/kept-delivery.ts'
import type { Source } from '../../functions/domain/source.ts'
import { keptView } from './kept-view.ts'
import { redactHeader } from './redact.ts'

export type Comparison = Readonly<ReturnType<typeof compare>>

export interface Change {
  readonly path: string
  /** Null: absent. */
  readonly first: string | null
  readonly second: string | null
}

/** Those that the gateway sets for every request. */
const OF_THE_WAY = /^(x-amzn-trace-id|x-forwarded-.*|via|x-amz-cf-id|traceparent|tracestate)$/

/** What changed from one delivery to another: headers, body, and whether its id stayed. */
export const compare = (first: KeptDelivery, second: KeptDelivery, source: Source | undefined) => ({
  first: keptView(first),
  second: keptView(second),
  secondsBetween: (second.at - first.at) / 1000,
  /** Null when one of them has no id. */
  sameEventId: first.eventId === null || second.eventId === null ? null : first.eventId === second.eventId,
  sameBody: Buffer.from(first.body).equals(second.body),
  headers: headerChanges(first, second, source),
  /** By JSON path where both bodies are JSON, else one entry for the whole. */
  body: bodyChanges(first.body, second.body),
})

/** A changed signature is reported, and not shown. */
const headerChanges = (first: KeptDelivery, second: KeptDelivery, source: Source | undefined): Change[] => {
  const names = [...new Set([...Object.keys(first.headers), ...Object.keys(second.headers)])].sort()
  return names
    .filter(name => !OF_THE_WAY.test(name))
    .map(path => ({ path, first: headerOf(first, path), second: headerOf(second, path) }))
    .filter(change => change.first !== change.second)
    .map(({ path, ...values }) => ({
      path,
      first: values.first && redactHeader(source, path, values.first),
      second: values.second && redactHeader(source, path, values.second),
    }))
}

const headerOf = ({ headers }: KeptDelivery, name: string): string | null =>
  Object.hasOwn(headers, name) ? (headers[name] ?? []).join(', ') : null

const bodyChanges = (first: Uint8Array, second: Uint8Array): Change[] => {
  if (Buffer.from(first).equals(second)) return []
  const [left, right] = [parsed(first), parsed(second)]
  if (left === undefined || right === undefined) {
    return [{ path: '$', first: `${first.length} bytes`, second: `${second.length} bytes` }]
  }
  const changes = jsonChanges(left, right, '$')
  return changes.length > 0 ? changes : [{ path: '$', first: 'the same JSON', second: 'in another spelling' }]
}

const MOST_CHANGES = 200

const jsonChanges = (left: unknown, right: unknown, path: string): Change[] => {
  if (isBranch(left) && isBranch(right) && Array.isArray(left) === Array.isArray(right)) {
    const names = [...new Set([...Object.keys(left), ...Object.keys(right)])]
    const inArray = Array.isArray(left)
    return names
      .flatMap(name => jsonChanges(left[name], right[name], inArray ? `${path}[${name}]` : `${path}.${name}`))
      .slice(0, MOST_CHANGES)
  }
  const [first, second] = [textOf(left), textOf(right)]
  return first === second ? [] : [{ path, first, second }]
}

type Branch = Readonly<Record<string, unknown>>

const isBranch = (value: unknown): value is Branch => typeof value === 'object' && value !== null

const textOf = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))

const parsed = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
