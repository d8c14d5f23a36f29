import type { ApiAnswer, HttpAnswer } from '../domain/api-answer.ts'
import type { Values } from './fill.ts'
import type { OpenApi } from './open-api.ts'
import { readList, readPath, readText } from './read-path.ts'
import type { Call, Paging, Path } from './sender-api.ts'

export interface Listed {
  readonly kind: 'listed'
  readonly items: readonly unknown[]
  /** Null: that was the last page. */
  readonly next: string | null
}

export interface PagedList {
  readonly list: Call
  readonly items: Path
  readonly next: Paging | null
}

/** One page of a list. Where the next one is, is text that only this sender understands. */
export const listPage = async (
  api: OpenApi,
  { list, items: itemsAt, next: paging }: PagedList,
  cursor: string | null,
  values: Values,
): Promise<Listed | Exclude<ApiAnswer, { kind: 'answered' }>> => {
  const follows = cursor !== null && (paging?.kind === 'link' || paging?.kind === 'url')
  // Only the query of the sender's link is used: a cursor leads to another page of this list, and to nothing else.
  const answer = await api.call(list, { ...values, cursor: cursor ?? undefined }, follows ? cursor : undefined)
  if (answer.kind !== 'answered') return answer
  const items = readList(answer.json, itemsAt)
  if (items === undefined) {
    return {
      kind: 'refused',
      why: `The API's answer has no list${itemsAt === '' ? '' : ` at "${itemsAt}"`}: it may have changed`,
    }
  }
  return { kind: 'listed', items, next: paging && nextOf(paging, answer.json, answer.headers, items, cursor) }
}

const nextOf = (
  paging: Paging,
  json: unknown,
  headers: HttpAnswer['headers'],
  items: readonly unknown[],
  cursor: string | null,
): string | null => {
  switch (paging.kind) {
    case 'last':
      return readPath(json, paging.more) === true ? (readText(items.at(-1), paging.id) ?? null) : null
    case 'cursor':
      return readText(json, paging.at) ?? null
    case 'link':
      return queryIn(NEXT.exec(headers.link ?? '')?.[1])
    case 'url':
      return paging.more !== undefined && readPath(json, paging.more) !== true
        ? null
        : queryIn(readText(json, paging.at))
    case 'skip': {
      const seen = Number(cursor ?? 0) + items.length
      const total = readPath(json, paging.total)
      return items.length > 0 && typeof total === 'number' && seen < total ? String(seen) : null
    }
  }
}

/** Okta sends several links in one header, in any order. */
const NEXT = /<([^>]+)>\s*;[^,]*\brel="?next"?/

const queryIn = (url: string | undefined): string | null =>
  url === undefined || !URL.canParse(url) ? null : new URL(url).search || null
