import { isDeepStrictEqual } from 'node:util'
import type { Handshake } from '../../functions/domain/provider.ts'
import { type CodeScheme, isCoded } from '../../functions/domain/scheme.ts'
import type { Source } from '../../functions/domain/source.ts'
import * as checkModule from '../../functions/providers/checks.ts'
import * as handshakeModule from '../../functions/providers/handshakes/all.ts'
import { fromRoot } from './bundle-settings.ts'

/**
 * The sources as a module of the bundle (`#resolved` and `#checks`): checked and resolved at synth, so that nobody can bundle
 * what was not checked, and with the code that they need and no other. The whole catalogue and its rules would be more than
 * half of the receive function.
 */
export const sourcesModule = (sources: ReadonlyMap<string, Source>): string => {
  const all = [...sources.values()]
  const checks = [...new Set(all.flatMap(checksOf))]
  const handshakes = new Set(all.flatMap(({ provider }) => provider.handshake ?? []).map(handshakeName))
  return [
    importsFrom('checks.ts', checks.map(checkName)),
    importsFrom('handshakes/all.ts', [...handshakes]),
    `export const checks = {${checks.map(check => `${JSON.stringify(check)}: ${checkName(check)}`).join(', ')}}`,
    `const usual = ${JSON.stringify(USUAL)}`,
    `export default new Map([${all.map(source => `[${JSON.stringify(source.name)}, ${literal(source)}]`).join(',\n')}])`,
    '',
  ].join('\n')
}

/** What most sources say, said once. */
const USUAL: Partial<Source> = {
  batch: null,
  guard: false,
  publicUrl: null,
  reopens: true,
  ordering: null,
  inFlightStatus: 409,
  quarantine: false,
  publish: null,
  config: {},
}

const importsFrom = (file: string, names: readonly string[]): string =>
  `import { ${names.join(', ')} } from ${JSON.stringify(fromRoot(`functions/providers/${file}`))}`

/** What the functions read of a provider; its name and where its facts are from are for people. */
const literal = ({ provider, ...source }: Source): string => {
  const { id, coversBody, emptyBody, handshake } = provider
  // The config of a custom provider has become its scheme and identity.
  const config = id === 'custom' ? {} : source.config
  // Only publishing needs a schema, which is code.
  const publish = source.publish && { ...source.publish, schema: null }
  const said = Object.entries({ ...source, config, publish })
  const unusual = said.filter(([name, value]) => !isDeepStrictEqual(value, USUAL[name as keyof Source]))
  const row = { id, coversBody, emptyBody, ...(handshake && { handshake: HANDSHAKE }) }
  const text = JSON.stringify({ ...Object.fromEntries(unusual), provider: row })
  return `{...usual, ${text.slice(1).replace(`"${HANDSHAKE}"`, () => (handshake ? handshakeText(handshake) : ''))}`
}

/** Stands in the JSON where the code goes. */
const HANDSHAKE = '(handshake)'

type Check = CodeScheme['code'] | 'jwt'

const checksOf = ({ scheme }: Source): readonly Check[] =>
  (scheme.kind === 'any' ? Object.values(scheme.of) : [scheme]).flatMap(way => {
    if (!isCoded(way)) return []
    return way.kind === 'jwt' ? 'jwt' : way.code
  })

const checkName = (check: Check): string => exportedAs(checkModule, checkModule.checks[check])

const handshakeText = (handshake: Handshake): string => {
  const [, ...given] = handshake.made ?? []
  const name = handshakeName(handshake)
  return handshake.made ? `${name}(${given.map(each => JSON.stringify(each)).join(', ')})` : name
}

const handshakeName = (handshake: Handshake): string => handshake.made?.[0] ?? exportedAs(handshakeModule, handshake)

const exportedAs = (module: object, value: unknown): string => {
  const [name] = Object.entries(module).find(([, exported]) => exported === value) ?? []
  if (name === undefined) throw new Error('a check or a handshake of the catalogue is exported by no module')
  return name
}
