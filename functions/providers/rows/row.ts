import { type Duration, durationSeconds } from '../../domain/duration.ts'
import type { Confidence, Provider, ProviderIdentity } from '../../domain/provider.ts'
import type { Selector } from '../../domain/selector.ts'

/** A provider as its row says it: what most senders do is left out. */
export interface Row extends Required<Pick<Provider, 'name' | 'scheme' | 'docs' | 'secret'>>, Pick<Provider, AsIs> {
  /** `'body'`: the bytes name the event. `'delivery'`: equal bodies are different events. A list: the first one present. */
  readonly id: 'body' | 'delivery' | Selector | readonly Selector[] | ProviderIdentity
  /** @default none */
  readonly type?: Selector | readonly Selector[]
  /** From its first try to its last. */
  readonly retries: Duration | 'never' | 'unknown'
  readonly givesUpOn4xx?: true
  /** Seconds it waits for an answer. @default not known */
  readonly deadline?: number
  /** How long its events are worth remembering. */
  readonly remember: Duration
  /** @default 'medium' */
  readonly confidence?: Confidence
}

type AsIs =
  | 'unique'
  | 'keepHeaders'
  | 'emptyBody'
  | 'handshake'
  | 'batch'
  | 'config'
  | 'beware'
  | 'uncertain'
  | 'missed'
  | 'sample'

/** Rows by the ids of their providers. */
export const providersOf = <Id extends string>(rows: Readonly<Record<Id, Row>>): Readonly<Record<Id, Provider>> =>
  Object.fromEntries(
    Object.entries<Row>(rows).map(([id, row]): [string, Provider] => [id, providerOf(id, row)]),
  ) as Readonly<Record<Id, Provider>>

const providerOf = (id: string, row: Row): Provider => {
  const { id: named, type = [], retries, givesUpOn4xx, deadline, remember, confidence = 'medium', ...rest } = row
  return {
    ...rest,
    id,
    identity: identityOf(named),
    type: [type].flat(),
    retry: { windowSeconds: windowOf(retries), ...(givesUpOn4xx && { givesUpOn4xx }) },
    deadlineSeconds: deadline ?? null,
    replayWindowSeconds: durationSeconds(remember),
    confidence,
  }
}

const identityOf = (named: Row['id']): ProviderIdentity => {
  if (named === 'body' || named === 'delivery') return { kind: named }
  return typeof named === 'object' && 'kind' in named ? named : { kind: 'id', id: [named].flat() as Selector[] }
}

const windowOf = (retries: Row['retries']): number | null => {
  if (retries === 'unknown') return null
  return retries === 'never' ? 0 : durationSeconds(retries)
}
