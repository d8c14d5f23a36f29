import { millis } from '../../../functions/domain/brands.ts'
import type { Delivery } from '../../../functions/domain/delivery.ts'
import type { Admitted } from '../../../functions/domain/evidence.ts'
import type { KeyFetcher, SecretStore } from '../../../functions/domain/ports.ts'
import { Secret } from '../../../functions/domain/secret.ts'
import type { Source, SourceConfig } from '../../../functions/domain/source.ts'
import type { Receiving } from '../../../functions/domain/world.ts'
import { checkSignature } from '../../../functions/providers/check-signature.ts'
import { type Key, readKey } from '../../../functions/providers/read-key.ts'
import { resolveSources } from '../../../functions/providers/sources.ts'
import { verify } from '../../../functions/receive/verify.ts'

export interface Request {
  readonly method?: string
  readonly url?: string
  /** A list is a header that came more than once. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | Uint8Array
}

export const delivery = ({
  method = 'POST',
  url = 'https://hooks.example.com/in/acme',
  headers = {},
  body = '',
}: Request): Delivery => ({
  method,
  source: 'acme',
  url,
  headers: new Map(Object.entries(headers).map(([name, value]) => [name, [value].flat()])),
  body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  receivedAt: millis(0),
  correlationId: 'c-1',
  trace: {},
})

export const source = (config: SourceConfig): Source => {
  const resolved = resolveSources({ acme: config }).get('acme')
  if (resolved === undefined) throw new Error('no source')
  return resolved
}

export const key = (of: Source, secret: string): Key => {
  const read = readKey(of.scheme, new Secret(secret))
  if ('problem' in read) throw new Error(read.problem)
  return read
}

/** `genuine`, or the reason why not. */
export const judge = (
  of: Source,
  request: Request,
  secrets: string | readonly string[],
  nowSeconds: number,
): string => {
  const keys = [secrets].flat().map(secret => key(of, secret))
  const verdict = checkSignature(of, delivery(request), keys, millis(nowSeconds * 1000))
  return verdict.kind === 'genuine' ? 'genuine' : verdict.reason
}

/** The same by the receiver's own verb, for every kind of scheme; an outage is its reason. */
export const judged = async (
  of: Source,
  request: Request,
  secrets: string | readonly string[],
  nowSeconds: number,
  keys?: KeyFetcher,
): Promise<string> => {
  const world = {
    secrets: knownSecrets([secrets].flat()),
    now: () => millis(nowSeconds * 1000),
    ...(keys && { keys }),
  } as unknown as Receiving
  const verdict = await verify(world, { delivery: delivery(request), source: of } as Admitted)
  return 'outcome' in verdict ? verdict.reason : 'genuine'
}

/** A store that has looked a moment ago: a wrong signature stays wrong. */
const knownSecrets = (texts: readonly string[]): Pick<SecretStore, 'signingSecrets' | 'refresh'> => ({
  signingSecrets: async () =>
    texts.length > 0 ? { kind: 'found', secrets: texts.map(text => new Secret(text)) } : { kind: 'absent' },
  refresh: async () => ({ kind: 'too-soon' }),
})

/** Published keys by their URLs, and what was asked for. */
export const fetcher = (texts: Readonly<Record<string, string>>) => {
  const asked: string[] = []
  const keys: KeyFetcher = {
    fetch: async (_, url, freshness) => {
      asked.push(freshness ? `${url} ${freshness}` : url)
      const text = texts[url]
      return text === undefined ? { kind: 'unavailable', cause: 'Error: 404' } : { kind: 'fetched', text }
    },
  }
  return { keys, asked }
}
