import { BODY_RETENTION_DAYS } from '../contract/tables.ts'
import { isPrincipal } from '../domain/caller.ts'
import { destinationNames } from '../domain/destinations.ts'
import { durationSeconds, isDuration } from '../domain/duration.ts'
import type { ConfigField, Provider } from '../domain/provider.ts'
import { isCoded, isSigned, type Scheme } from '../domain/scheme.ts'
import type { SourceConfig } from '../domain/source.ts'
import { isStandardSchema } from '../domain/standard-schema.ts'
import { type CustomConfig, customConfigRule, customProvider } from './custom.ts'
import { INTERNAL, NOT_FOR_INTERNAL, ONLY_FOR_INTERNAL } from './internal.ts'
import { isKeyUrl } from './key-url.ts'
import { parseTemplate } from './parse-template.ts'
import {
  duration,
  expecting,
  fields,
  isPlainObject,
  listOf,
  mistake,
  oneOf,
  type Rule,
  text,
  yes,
  yesOrNo,
} from './rules.ts'
import { suggest } from './suggest.ts'
import { destinationMistakes } from './validate-destinations.ts'
import { checkRouting, routesRule } from './validate-routes.ts'
import { whyNoGuard } from './why-no-guard.ts'

export type Catalogue = Readonly<Record<string, Provider>>

/** Every mistake in the sources and the destinations, each with its place, what was found and what was expected. */
export const mistakesIn = (catalogue: Catalogue, sources: unknown, destinations: unknown): readonly string[] => {
  const names = destinationNames(isPlainObject(destinations) ? destinations : {})
  return [
    ...(isPlainObject(sources)
      ? Object.entries(sources).flatMap(([name, config]) => checkSource(name, config, catalogue, names))
      : [mistake('sources', sources, 'an object of sources by name')]),
    ...destinationMistakes(destinations),
  ]
}

const checkSource = (
  name: string,
  config: unknown,
  catalogue: Catalogue,
  destinations: readonly string[],
): readonly string[] => [
  ...checkName(name, `source ${JSON.stringify(name)}`),
  ...checkFields(config, name),
  ...(isPlainObject(config)
    ? [
        ...checkAgainstProvider(name, config, catalogue),
        ...checkRouting(name, config, destinations, hasTypes(config, catalogue)),
      ]
    : []),
]

/** One that cannot be told is another mistake's business. */
const hasTypes = ({ provider, config }: Loose, catalogue: Catalogue): boolean => {
  if (provider === 'custom') return isPlainObject(config) && config.type !== undefined
  const { type = ['any'] } = catalogue[String(provider)] ?? {}
  return type.length > 0
}

const checkName = expecting(
  'a name of at most 63 characters: lower-case letters, digits and hyphens, starting with a letter or digit',
  name => /^[a-z0-9][a-z0-9-]{0,62}$/.test(String(name)),
)

const checkIdentity: Rule = (value, at) => {
  if (value === 'provider' || value === 'body') return []
  if (isPlainObject(value) && 'businessKey' in value)
    return fields({ businessKey: listOf(text, 'path or selector') })(value, at)
  if (isPlainObject(value) && 'body' in value) {
    return fields({ body: fields({ exclude: listOf(text, 'path') }, ['exclude']) })(value, at)
  }
  return [mistake(at, value, '"provider", "body", { businessKey: [...] } or { body: { exclude: [...] } }')]
}

const isPublicUrl = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^https?:\/\/[^\s#]+$/.test(value) &&
  URL.canParse(value) &&
  new URL(value).username === ''

const isSchedule = (value: unknown): boolean => {
  const seconds = isDuration(value) ? durationSeconds(value) : 0
  return seconds % 60 === 0 && seconds >= 300 && seconds <= 86_400
}

const scheduleFields = fields(
  {
    every: expecting('whole minutes, from 5m to 1d, such as 1h', isSchedule),
    back: duration('90d'),
    types: listOf(text, 'type'),
    reportOnly: yesOrNo,
  },
  ['every', 'back'],
)

/** With a gap between two stretches, what is missing in it would never be found. */
const checkReconcile: Rule = (value, at) => {
  const mistakes = scheduleFields(value, at)
  if (mistakes.length > 0 || !isPlainObject(value)) return mistakes
  const { every, back } = value as unknown as NonNullable<SourceConfig['reconcile']>
  return durationSeconds(back) < durationSeconds(every)
    ? [mistake(`${at}.back`, back, `at least \`every\`, which is ${every}`)]
    : []
}

const FIELD_RULES = {
  provider: text,
  replayWindow: duration('3650d'),
  retain: duration(`${BODY_RETENTION_DAYS[BODY_RETENTION_DAYS.length - 1] ?? 0}d`, 'none'),
  identity: checkIdentity,
  guard: oneOf('body'),
  publicUrl: expecting('the complete URL the sender calls, https:// or http://, without a fragment', isPublicUrl),
  unsigned: yes,
  tolerance: duration('7d'),
  storeFirst: yesOrNo,
  resend: oneOf('reopen', 'ignore'),
  inFlight: oneOf(409, 503),
  quarantine: yesOrNo,
  ordering: fields({ key: text, version: text }, ['key']),
  allow: expecting(
    `"*" for every caller that IAM admits, or a list of unique ids, account ids, and ARNs of roles and users`,
    value => value === '*' || (Array.isArray(value) && value.length > 0 && value.every(isPrincipal)),
  ),
  schema: expecting('a Standard Schema, such as one of zod or valibot', isStandardSchema),
  routes: routesRule,
  otherwise: text,
  account: text,
  reconcile: checkReconcile,
  config: expecting('an object', isPlainObject),
} satisfies Record<keyof SourceConfig, Rule>

const checkFields = fields(FIELD_RULES, ['provider'])

type Loose = Readonly<Record<string, unknown>>

const checkAgainstProvider = (name: string, config: Loose, catalogue: Catalogue): readonly string[] => {
  if (typeof config.provider !== 'string' || config.provider === '') return []
  if (config.provider === INTERNAL) return checkInternal(name, config)
  return [...checkNotInternal(name, config), ...checkSender(name, config, config.provider, catalogue)]
}

/** An internal source is reached with credentials and named by its callers' keys: it has nothing to verify or to look for. */
const checkInternal = (name: string, config: Loose): readonly string[] => [
  ...(config.allow === undefined ? [mistake(`${name}.allow`, undefined, 'who may publish: "*" or a list')] : []),
  ...NOT_FOR_INTERNAL.flatMap(field =>
    config[field] === undefined
      ? []
      : [mistake(`${name}.${field}`, config[field], 'nothing: the provider is internal')],
  ),
]

const checkNotInternal = (name: string, config: Loose): readonly string[] =>
  ONLY_FOR_INTERNAL.flatMap(field =>
    config[field] === undefined
      ? []
      : [mistake(`${name}.${field}`, config[field], 'nothing: only the provider "internal" has callers')],
  )

const checkSender = (name: string, config: Loose, sender: string, catalogue: Catalogue): readonly string[] => {
  if (sender === 'custom') return checkCustom(name, config)
  const provider = Object.hasOwn(catalogue, sender) ? catalogue[sender] : undefined
  return provider ? checkCatalogued(name, config, provider) : [unknownProvider(name, sender, catalogue)]
}

const unknownProvider = (name: string, provider: string, catalogue: Catalogue): string => {
  const names = [...Object.keys(catalogue), 'custom', INTERNAL]
  return mistake(
    `${name}.provider`,
    provider,
    `a provider of the catalogue, "custom" or "internal"${suggest(provider, names)}`,
  )
}

const checkCustom = (name: string, config: Loose): readonly string[] => {
  const mistakes = customConfigRule(config.config, `${name}.config`)
  if (mistakes.length > 0) return mistakes
  const provider = customProvider(config.config as unknown as CustomConfig)
  return [...checkAgainstScheme(name, config, provider.scheme), ...checkGuard(name, config, provider)]
}

const checkCatalogued = (name: string, config: Loose, provider: Provider): readonly string[] => {
  const { rules, required } = configRules(provider)
  const given = config.config ?? (required.length > 0 ? {} : undefined)
  return [
    ...checkAgainstScheme(name, config, provider.scheme),
    ...checkGuard(name, config, provider),
    ...(given === undefined ? [] : fields(rules, required)(given, `${name}.config`)),
  ]
}

export const requiredConfig = (provider: Provider): readonly string[] => configRules(provider).required

/** What a provider's template and row ask of `config`; everything else there would be ignored, so it is a mistake. */
const configRules = ({ scheme, config = {} }: Provider) => {
  const asked = isSigned(scheme) ? configNames(scheme.signed) : []
  const named = Object.entries(config)
  const ways = scheme.kind === 'any' ? { variant: oneOf(...Object.keys(scheme.of)) } : {}
  return {
    rules: {
      ...ways,
      ...Object.fromEntries(asked.map(each => [each, text])),
      ...Object.fromEntries(named.map(([each, { takes }]) => [each, CONFIG_RULES[takes]])),
    },
    required: [...asked, ...named.filter(([, { required }]) => required).map(([each]) => each)],
  }
}

const CONFIG_RULES = {
  text,
  texts: listOf(text, 'text'),
  url: expecting('an https:// URL', value => typeof value === 'string' && isKeyUrl(value)),
} satisfies Record<ConfigField['takes'], Rule>

const checkGuard = (name: string, config: Loose, provider: Provider): readonly string[] => {
  const expected = config.guard === undefined ? undefined : whyNoGuard(config, provider)
  return expected === undefined ? [] : [mistake(`${name}.guard`, config.guard, expected)]
}

const checkAgainstScheme = (name: string, config: Loose, scheme: Scheme): readonly string[] =>
  SCHEME_RULES.flatMap(({ field, broken, expected }) =>
    broken(config[field], scheme) ? [mistake(`${name}.${field}`, config[field], expected)] : [],
  )

const SCHEME_RULES: readonly {
  readonly field: keyof SourceConfig
  readonly broken: (value: unknown, scheme: Scheme) => boolean
  readonly expected: string
}[] = [
  {
    field: 'unsigned',
    broken: (value, scheme) => scheme.kind === 'none' && value !== true,
    expected: 'true: this provider signs nothing, so anyone can post',
  },
  {
    field: 'unsigned',
    broken: (value, scheme) => scheme.kind !== 'none' && value !== undefined,
    expected: 'nothing: this provider proves its deliveries',
  },
  {
    field: 'tolerance',
    broken: (value, scheme) => value !== undefined && !signsTime(scheme),
    expected: 'nothing: this provider signs no timestamp',
  },
]

const signsTime = (scheme: Scheme): boolean => {
  if (scheme.kind === 'any') return Object.values(scheme.of).some(signsTime)
  return isSigned(scheme) ? scheme.ts !== undefined : isCoded(scheme) && scheme.toleranceSeconds !== undefined
}

const configNames = (signed: string): readonly string[] => {
  const template = parseTemplate(signed)
  if ('problem' in template) return []
  return template.parts.flatMap(part => (typeof part !== 'string' && part.token === 'config' ? [part.argument] : []))
}
