import type { Millis } from '../../functions/domain/brands.ts'
import { sha256 } from '../../functions/domain/identity.ts'
import type { Selector } from '../../functions/domain/selector.ts'
import type { Source } from '../../functions/domain/source.ts'
import { type Draft, draftFor, FORM } from './draft.ts'
import { putJson } from './put-json.ts'

export interface SampleRequest {
  /** Part of the id when none is asked for; two samples with the same one are the same event. */
  readonly unique: string
  readonly id?: string
  readonly type?: string
  readonly now: Millis
  /** Laid over the sample's own. An id or a type in it counts as asked for. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Sent in place of the sample's own; an id inside it is then the file's business. */
  readonly body?: Uint8Array
}

/** What a provider would post, before it is signed. */
export interface Sample {
  readonly id: string
  readonly type: string
  readonly body: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

export const sample = (source: Source, { unique, id, type, now, fields = {}, body }: SampleRequest): Sample => {
  const draft = draftFor(source.provider, now)
  Object.assign(draft.body, fields)
  const said = (selector: Selector | undefined): string | undefined => textAt(fields, selector)
  const named = {
    id: id ?? said(idSelector(source) ?? draft.idAt) ?? draft.idPrefix + unique,
    type: type ?? said(source.type[0]) ?? draft.type,
  }
  put(draft, idSelector(source) ?? draft.idAt, named.id)
  put(draft, draft.itemAt, named.id)
  put(draft, source.type[0], named.type)
  put(draft, source.unique ?? undefined, sha256(Buffer.from(named.id)))
  return { ...named, body: body ?? write(draft), headers: draft.headers }
}

const idSelector = ({ identity, provider }: Source): Selector | undefined => {
  if (identity.kind === 'business') return identity.parts[0]
  return provider.identity.kind === 'id' ? provider.identity.id[0] : undefined
}

const textAt = (fields: Readonly<Record<string, unknown>>, selector: Selector | undefined): string | undefined => {
  const [place, path = ''] = selector?.split(/:(.*)/s) ?? []
  if (place !== 'json' && place !== 'form') return undefined
  const found = path
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], fields)
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined
}

const put = ({ headers, body }: Draft, selector: Selector | undefined, value: string): void => {
  if (selector === undefined) return
  const [place, ...rest] = selector.split(':')
  const name = rest.join(':')
  if (place === 'header') headers[name] = value
  else if (place === 'form') body[name] = value
  else putJson(body, name, value)
}

const write = ({ headers, body, write: custom }: Draft): Uint8Array => {
  if (custom) return new TextEncoder().encode(custom(body))
  const form = headers['content-type'] === FORM
  const pairs = Object.entries(body).map(([name, value]): [string, string] => [name, String(value)])
  return new TextEncoder().encode(form ? new URLSearchParams(pairs).toString() : JSON.stringify(body))
}
