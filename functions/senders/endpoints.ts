import type { ApiAnswer } from '../domain/api-answer.ts'
import { typesOfRoutes } from '../domain/route.ts'
import type { Source } from '../domain/source.ts'
import type { Values } from './fill.ts'
import { listPage } from './list-page.ts'
import type { OpenApi } from './open-api.ts'
import { readList, readPath, readText } from './read-path.ts'
import type { Registration } from './sender-api.ts'

/** What the sender has on an endpoint, as far as its API tells. */
export interface Endpoint {
  readonly id: string
  readonly url: string
  readonly types: readonly string[]
  /** Null: it does not say. */
  readonly enabled: boolean | null
  readonly lastError: string | null
  /** Its signing secret, from those that tell it again. */
  readonly secret: string | null
}

/** The types that routes name one by one, if the sender knows them by these words. */
export const typesWanted = ({ ownWords }: Registration, source: Source): readonly string[] | undefined =>
  ownWords ? undefined : typesOfRoutes(source)

export type Fault = Exclude<ApiAnswer, { kind: 'answered' }>

/** Pages of endpoints that are looked through: more than any sender allows to have. */
const MOST_PAGES = 20

/** All endpoints with this URL; a sender with one type for each has several. */
export const endpointsAt = async (
  api: OpenApi,
  registration: Registration,
  url: string,
): Promise<{ readonly kind: 'found'; readonly endpoints: readonly Endpoint[] } | Fault> => {
  const endpoints: Endpoint[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const page = await listPage(api, registration, cursor, {})
    if (page.kind !== 'listed') return page
    endpoints.push(...page.items.flatMap(item => readEndpoint(registration, item)).filter(each => each.url === url))
    if (page.next === null || page.next === cursor) break
    cursor = page.next
  }
  return { kind: 'found', endpoints }
}

/** The endpoint, made; with the secret that it signs with, if the answer has it. */
export const createEndpoint = async (
  api: OpenApi,
  { create, secret }: Registration,
  values: Values,
): Promise<{ readonly kind: 'created'; readonly secret: string | null } | Fault> => {
  const answer = await api.call(create, values)
  if (answer.kind !== 'answered') return answer
  if (secret === null || secret === 'ours') return { kind: 'created', secret: null }
  const told = readText(answer.json, secret.at)
  return told === undefined
    ? {
        kind: 'refused',
        why: `The endpoint was made, but its answer has no secret at "${secret.at}": remove it there, and set the secret by hand`,
      }
    : { kind: 'created', secret: told }
}

const readEndpoint = (registration: Registration, item: unknown): readonly Endpoint[] => {
  const { enabled, lastError, secret } = registration
  const id = readText(item, registration.id)
  const url = readText(item, registration.url)
  if (id === undefined || url === undefined) return []
  const state = enabled && readPath(item, enabled.at)
  return [
    {
      id,
      url,
      types: typesOf(registration, item),
      enabled: enabled ? enabled.is.some(each => each === state) : null,
      lastError: (lastError === undefined ? undefined : readText(item, lastError)) ?? null,
      secret: (typeof secret === 'object' && secret?.listed ? readText(item, secret.listed) : undefined) ?? null,
    },
  ]
}

const typesOf = ({ types, typeName }: Registration, item: unknown): readonly string[] => {
  if (types === null) {
    return Object.entries(item as object).flatMap(([name, value]) =>
      value === true && name.endsWith('_events') ? [name.slice(0, -'_events'.length)] : [],
    )
  }
  const single = readText(item, types)
  return single === undefined
    ? (readList(item, types) ?? []).flatMap(type => readText(type, typeName ?? '') ?? [])
    : [single]
}
