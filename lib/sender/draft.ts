import { iso, type Millis } from '../../functions/domain/brands.ts'
import type { Provider, Selector } from '../../functions/domain/provider.ts'
import { DRAFTS } from './drafts.ts'
import { exampleType } from './example-type.ts'
import { putJson } from './put-json.ts'

/** A delivery in the making; `sample` fills in the id and the type. */
export interface Draft {
  readonly idPrefix: string
  readonly type: string
  /** Where `--id` goes for a provider that names no id. */
  readonly idAt?: Selector
  /** Where it goes besides, in a delivery of several events. */
  readonly itemAt?: Selector
  readonly headers: Record<string, string>
  /** Written as JSON, or as a form if the content type says so. */
  readonly body: Record<string, unknown>
  /** Instead, for bodies that are neither. */
  readonly write?: (body: Record<string, unknown>) => string
}

export const draftFor = (provider: Provider, now: Millis): Draft =>
  (Object.hasOwn(DRAFTS, provider.id) ? DRAFTS[provider.id] : undefined)?.(now) ?? drawn(provider, now)

/** What the row knows: where id and type are, and what the id is scoped by. */
const drawn = ({ id, identity, batch, scheme }: Provider, now: Millis): Draft => {
  const draft: Draft = {
    idPrefix: id === 'custom' || scheme.kind === 'hmac' ? 'evt_' : '',
    type: exampleType(id),
    idAt: 'json:id',
    ...(batch && batch.path !== 'root array' && { itemAt: `${batch.path}.0.${batch.id?.at(-1) ?? 'id'}` as const }),
    headers: { 'content-type': 'application/json' },
    body: { timestamp: iso(now), order: { number: '1042', state: 'paid' }, data: { amount: 2000, currency: 'eur' } },
  }
  if (batch && batch.path !== 'root array') putJson(draft.body, batch.path.slice('json:'.length), [{ at: iso(now) }])
  const scope = identity.kind === 'id' || identity.kind === 'body' ? (identity.scope ?? []) : []
  for (const selector of scope) putScope(draft, selector, now)
  return draft
}

const putScope = ({ headers, body }: Draft, selector: Selector, now: Millis): void => {
  const name = selector.slice(selector.indexOf(':') + 1)
  if (selector.startsWith('header:')) headers[name] = '1042'
  else putJson(body, name, scopeValue(name, now))
}

const scopeValue = (name: string, now: Millis): unknown => {
  if (/_ts$|_time$|timestamp$|Sequence$/i.test(name)) return now
  return /_at$|At$|Date(?:Time)?(?:Utc)?$|modified$/.test(name) ? iso(now) : '1042'
}
