import { iso, type Millis } from '../../functions/domain/brands.ts'
import type { Provider, SampleDelivery } from '../../functions/domain/provider.ts'
import type { Selector } from '../../functions/domain/selector.ts'
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
  typeof provider.sample === 'function' ? shown(provider.sample(now), provider) : drawn(provider, now)

export const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

/** What the row shows. A sender that says everything in headers sends no body and no content type. */
const shown = (sample: SampleDelivery, { emptyBody }: Provider): Draft => {
  const { type, idPrefix = '', idAt, headers, form, body = {}, write = emptyBody && (() => '') } = sample
  return {
    idPrefix,
    type,
    ...(idAt && { idAt }),
    headers: { ...(!emptyBody && { 'content-type': form ? FORM : JSON_TYPE }), ...headers },
    body: body as Draft['body'],
    ...(write && { write }),
  }
}

/** What the row knows: where id and type are, and what the id is scoped by. */
const drawn = ({ id, identity, batch, scheme, sample }: Provider, now: Millis): Draft => {
  const draft: Draft = {
    idPrefix: id === 'custom' || scheme.kind === 'hmac' ? 'evt_' : '',
    type: typeof sample === 'string' ? sample : 'order.paid',
    idAt: 'json:id',
    ...(batch && batch.path !== 'root array' && { itemAt: `${batch.path}.0.${batch.id?.at(-1) ?? 'id'}` as const }),
    headers: { 'content-type': JSON_TYPE },
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
