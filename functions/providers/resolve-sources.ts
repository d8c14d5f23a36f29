import { MESSAGE_LIFE_SECONDS } from '../contract/queues.ts'
import { type Seconds, seconds } from '../domain/brands.ts'
import type { Coverage } from '../domain/coverage.ts'
import type { Destinations } from '../domain/destinations.ts'
import { durationSeconds } from '../domain/duration.ts'
import type { Provider } from '../domain/provider.ts'
import { typesOfRoutes } from '../domain/route.ts'
import { isCoded, isSigned, type Scheme, type Variant } from '../domain/scheme.ts'
import type { Selector } from '../domain/selector.ts'
import type { Source, SourceConfig, Sources } from '../domain/source.ts'
import { guardKind } from './captured-id.ts'
import { waysOf } from './choose-variant.ts'
import { coverageOf } from './coverage.ts'
import { type CustomConfig, customProvider } from './custom.ts'
import { INTERNAL, internalProvider } from './internal.ts'
import { routingOf } from './resolve-routes.ts'
import { toSelector } from './selector.ts'
import { type Catalogue, mistakesIn } from './validate-sources.ts'

/** Sources with every default filled in. One error for both files, with every mistake in them. */
export const resolveFrom = (
  catalogue: Catalogue,
  sources: Sources,
  destinations: Destinations,
): ReadonlyMap<string, Source> => {
  const mistakes = mistakesIn(catalogue, sources, destinations)
  if (mistakes.length > 0)
    throw new TypeError(`The sources cannot be used:\n${mistakes.map(line => `- ${line}`).join('\n')}`)
  return new Map(Object.entries(sources).map(([name, config]) => [name, resolve(name, config, catalogue)]))
}

const resolve = (name: string, config: SourceConfig, catalogue: Catalogue): Source => {
  const provider = providerOf(config, catalogue)
  const identity = identityOf(config, provider)
  const scheme = withConfig(provider.scheme, config)
  const retain = config.retain === 'none' ? 'none' : durationSeconds(config.retain ?? DEFAULT_RETAIN)
  return {
    name,
    provider,
    scheme,
    identity,
    type: provider.type,
    batch: (config.identity ?? 'provider') === 'provider' ? (provider.batch ?? null) : null,
    keepHeaders: keepHeaders(provider, identity),
    memory: memoryOf(config, provider, retain),
    retain,
    ...trustOf(config, provider, scheme, identity),
    publicUrl: config.publicUrl ?? null,
    storeFirst: config.storeFirst ?? !provider.retry.windowSeconds,
    // The answer to a key is the one that was given, failed or not.
    reopens: config.resend !== 'ignore' && config.provider !== INTERNAL,
    ordering: config.ordering ? orderingOf(config.ordering) : null,
    inFlightStatus: config.inFlight ?? (provider.retry.givesUpOn4xx ? 503 : 409),
    quarantine: config.quarantine === true,
    config: config.config ?? {},
    publish: config.provider === INTERNAL ? { allow: config.allow ?? [] } : null,
    schema: config.schema ?? null,
    ...routingOf(config),
    ...accountOf(config),
    ...scheduleOf(config),
  }
}

/** Most have none, and a bundle says nothing of it then. */
const accountOf = ({ account }: SourceConfig): Pick<Source, 'account'> => (account === undefined ? {} : { account })

const scheduleOf = (config: SourceConfig): Pick<Source, 'reconcile'> => {
  if (config.reconcile === undefined) return {}
  const { every, back, types, reportOnly = false } = config.reconcile
  const named = types ?? typesOfRoutes(routingOf(config)) ?? []
  return { reconcile: { every: durationSeconds(every), back: durationSeconds(back), types: named, reportOnly } }
}

const DEFAULT_RETAIN = '7d'

const providerOf = (config: SourceConfig, catalogue: Catalogue): Provider => {
  if (config.provider === 'custom') return customProvider(config.config as unknown as CustomConfig)
  if (config.provider === INTERNAL) return internalProvider
  const provider = catalogue[config.provider]
  if (provider === undefined)
    throw new TypeError(`provider ${config.provider} passed validation but is not in the catalogue`)
  return provider
}

const orderingOf = ({ key, version }: NonNullable<SourceConfig['ordering']>): Source['ordering'] => ({
  key: toSelector(key),
  version: version === undefined ? null : toSelector(version),
})

/** The scheme as the source narrows it: one of several ways, another tolerance, where the keys are published. */
const withConfig = (scheme: Scheme, config: SourceConfig): Scheme => {
  if (scheme.kind !== 'any') return withKeys(withTolerance(scheme, config), config)
  const ways = Object.entries(waysOf(scheme, config.config?.variant)).map(
    ([name, way]) => [name, withTolerance(way, config) as Variant] as const,
  )
  const [only, ...others] = ways
  return only && others.length === 0 ? only[1] : { kind: 'any', of: Object.fromEntries(ways) }
}

/** What follows from what is signed. */
const trustOf = (
  { guard }: SourceConfig,
  provider: Provider,
  scheme: Scheme,
  identity: Source['identity'],
): Pick<Source, 'guard' | 'unique' | 'bodySigned' | 'sameBody'> => ({
  // What names an event is claimed already.
  guard: (guard === 'body' && identity.kind !== 'signed' && guardKind(scheme)) || false,
  unique: provider.unique ?? null,
  bodySigned: provider === internalProvider || bodiesOf(scheme).every(body => body === 'bytes' || body === 'form'),
  // Who signs no body could as well be given another event, and may send its own anew with the number of its try.
  ...((provider.unique ?? bodiesOf(scheme).find(body => body === 'form' || body === 'fields')) && { sameBody: true }),
})

/** What is covered in each of its ways: a consumer does not see by which of them an event came. */
const bodiesOf = (scheme: Scheme): readonly Coverage['body'][] =>
  Object.values(waysOf(scheme)).map(way => coverageOf(way).body)

const withTolerance = (scheme: Scheme, { tolerance }: SourceConfig): Scheme => {
  if (!tolerance) return scheme
  const toleranceSeconds = durationSeconds(tolerance)
  if (isSigned(scheme) && scheme.ts) return { ...scheme, ts: { ...scheme.ts, toleranceSeconds } }
  return isCoded(scheme) && scheme.toleranceSeconds !== undefined ? { ...scheme, toleranceSeconds } : scheme
}

/** A place that only the config knows is a place, or it is none. */
const withKeys = (scheme: Scheme, { config = {} }: SourceConfig): Scheme => {
  if (scheme.kind !== 'jwt' || !scheme.jwks || !('config' in scheme.jwks)) return scheme
  const { jwks, ...rest } = scheme
  const url = config[jwks.config] ?? jwks.otherwise
  return typeof url === 'string' ? { ...rest, jwks: { url } } : rest
}

const identityOf = ({ identity = 'provider' }: SourceConfig, provider: Provider): Source['identity'] => {
  if (identity === 'provider') return provider.identity
  if (identity === 'body') return { kind: 'body' }
  if ('businessKey' in identity) return { kind: 'business', parts: identity.businessKey.map(toSelector) }
  return { kind: 'json', exclude: identity.body.exclude }
}

/** Never shorter than the places its message may sit in, the sender's horizon, or the body kept for replay. */
const memoryOf = ({ replayWindow }: SourceConfig, provider: Provider, retain: Seconds | 'none'): Seconds =>
  seconds(
    Math.max(
      replayWindow ? durationSeconds(replayWindow) : provider.replayWindowSeconds,
      MESSAGE_LIFE_SECONDS + (provider.retry.windowSeconds ?? 0),
      retain === 'none' ? 0 : retain,
    ),
  )

const keepHeaders = (provider: Provider, identity: Source['identity']): readonly string[] => [
  ...new Set([
    'content-type',
    ...[...selectorsOf(identity), ...provider.type].flatMap(headerName),
    ...(provider.keepHeaders ?? []).map(name => name.toLowerCase()),
  ]),
]

const selectorsOf = (identity: Source['identity']): readonly Selector[] => {
  switch (identity.kind) {
    case 'id':
      return [...identity.id, ...(identity.scope ?? []), ...(identity.also ?? [])]
    case 'business':
      return identity.parts
    case 'body':
      return [...(identity.scope ?? []), ...(identity.of && identity.of !== 'form' ? [identity.of] : [])]
    case 'json':
    case 'signed':
    case 'delivery':
      return []
  }
}

const headerName = (selector: Selector): readonly string[] =>
  selector.startsWith('header:') ? [selector.slice('header:'.length)] : []
