import { isDeepStrictEqual } from 'node:util'
import { seconds } from '../../functions/domain/brands.ts'
import type { Reads } from '../../functions/domain/coded.ts'
import type { Handshake } from '../../functions/domain/provider.ts'
import { type CodeScheme, downloadsKeys, isCoded, type JwtScheme, type Scheme } from '../../functions/domain/scheme.ts'
import type { Source } from '../../functions/domain/source.ts'
import * as handshakeModule from '../../functions/providers/handshakes/all.ts'
import { fromRoot } from './bundle-settings.ts'

/**
 * The sources as a module of the bundle (`#resolved`): checked and resolved at synth, so nobody can bundle what was not
 * checked, and with the code that they need and no other. The whole catalogue and its rules would be more than half of the
 * receive function.
 */
export const sourcesModule = (sources: ReadonlyMap<string, Source>): string => {
  const all = [...sources.values()]
  const coded = new Set(all.flatMap(({ scheme }) => codedWays(scheme)).map(({ code }) => code.file))
  const downloads = all.flatMap(({ scheme }) => codedWays(scheme)).some(downloadsKeys)
  const handshakes = new Set(all.flatMap(({ provider }) => provider.handshake ?? []).map(handshakeName))
  return [
    ...[...coded].map(file => importFrom(`providers/coded/${file}.ts`, `check as ${checkName(file)}`)),
    importFrom('providers/handshakes/all.ts', [...handshakes].join(', ')),
    importFrom('adapters/https-keys.ts', 'httpsKeys'),
    // An import that nothing uses is not bundled.
    `export const openKeys = ${downloads ? 'httpsKeys' : 'undefined'}`,
    `const usual = ${written(USUAL)}`,
    `export default new Map([${all.map(source => `[${written(source.name)}, ${literal(source)}]`).join(',\n')}])`,
    '',
  ].join('\n')
}

/** For the recover function, which verifies and answers nobody: without the checks and the handshakes. */
export const withoutProof = (sources: ReadonlyMap<string, Source>): ReadonlyMap<string, Source> =>
  new Map(
    [...sources].map(
      ([
        name,
        {
          provider: { handshake: _, ...provider },
          ...source
        },
      ]) => [name, { ...source, provider, scheme: { kind: 'none' } }],
    ),
  )

/** What most sources say, said once. */
const USUAL: Partial<Source> = {
  type: ['json:type'],
  keepHeaders: ['content-type'],
  retain: seconds(604_800),
  storeFirst: false,
  batch: null,
  guard: false,
  unique: null,
  bodySigned: true,
  publicUrl: null,
  reopens: true,
  ordering: null,
  inFlightStatus: 409,
  quarantine: false,
  publish: null,
  schema: null,
  config: {},
}

const importFrom = (file: string, names: string): string =>
  `import { ${names} } from ${written(fromRoot(`functions/${file}`))}`

/** What the functions read of a provider; its name and what people should know about it are not for them. */
const literal = ({ provider, ...source }: Source): string => {
  const { id, emptyBody, handshake } = provider
  // The config of a custom provider has become its scheme and identity.
  const config = id === 'custom' ? {} : source.config
  // Only publishing and the worker need a schema, which is code.
  const said = Object.entries({ ...source, config, schema: null })
  const unusual = said.filter(([name, value]) => !isDeepStrictEqual(value, USUAL[name as keyof Source]))
  return `{...usual, ${fieldsOf({ ...Object.fromEntries(unusual), provider: { id, emptyBody, handshake } })}}`
}

/** A value as JavaScript. Code in it is written as what is imported. */
const written = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`
  if (isCode(value)) return `{check: ${checkName(value.file)}, reads: ${written(value.reads)}}`
  return isHandshake(value) ? handshakeText(value) : `{${fieldsOf(value)}}`
}

const fieldsOf = (value: object): string =>
  Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([name, field]) => `${JSON.stringify(name)}:${written(field)}`)
    .join(',')

const codedWays = (scheme: Scheme): readonly (CodeScheme | JwtScheme)[] =>
  (scheme.kind === 'any' ? Object.values(scheme.of) : [scheme]).filter(isCoded)

const checkName = (file: string): string => `check_${file.replaceAll('-', '_')}`

const isCode = (value: object): value is { readonly file: string; readonly reads: Reads } =>
  'check' in value && 'file' in value

const isHandshake = (value: object): value is Handshake => 'answer' in value && typeof value.answer === 'function'

const handshakeText = (handshake: Handshake): string => {
  const [, ...given] = handshake.made ?? []
  const name = handshakeName(handshake)
  return handshake.made ? `${name}(${given.map(written).join(', ')})` : name
}

const handshakeName = (handshake: Handshake): string => handshake.made?.[0] ?? exportedAs(handshake)

const exportedAs = (handshake: Handshake): string => {
  const [name] = Object.entries(handshakeModule).find(([, exported]) => exported === handshake) ?? []
  if (name === undefined) throw new Error('a handshake of the catalogue is not exported by handshakes/all.ts')
  return name
}
