import { isExperimental, type Provider, type ProviderIdentity } from '../../functions/domain/provider.ts'
import type { AnyScheme } from '../../functions/domain/scheme.ts'
import { waysOf } from '../../functions/providers/choose-variant.ts'
import { coverageOf } from '../../functions/providers/coverage.ts'
import { exampleSource, literal } from '../sender/example-source.ts'
import { coverageWords } from './coverage-words.ts'
import { schemeWords } from './scheme-words.ts'
import { spanText, spanWords } from './span-words.ts'

/** A row in words: what the page and the command both show. */
export type ProviderDescription = ReturnType<typeof describeProvider>

export const describeProvider = (provider: Provider) => {
  const {
    id,
    name,
    confidence,
    retry,
    deadlineSeconds,
    replayWindowSeconds,
    handshake,
    type,
    docs,
    secret = '',
    beware = [],
    uncertain = [],
  } = provider
  return {
    id,
    name,
    confidence,
    experimental: isExperimental(provider),
    scheme: schemeWords(provider.scheme),
    secret,
    coversBody: bodyWords(provider),
    /** What its signature covers, and what to do about the rest. */
    covers: coverageWords(provider),
    eventId: identityWords(provider.identity),
    type: type.length > 0 ? type.map(selector => `\`${selector}\``).join(', else ') : 'none',
    retries: retryWords(retry),
    replayWindow: spanText(replayWindowSeconds),
    deadline: deadlineSeconds === null ? 'not known' : `${deadlineSeconds}s`,
    handshake: handshake?.says ?? 'none',
    batch: provider.batch
      ? 'several events in one delivery, each of which becomes an event of its own'
      : 'one event in each delivery',
    config: configWords(provider),
    docs,
    beware,
    /** What nobody could find out. */
    uncertain,
    /** The lines of sources.ts that use it. */
    source: sourceLines(provider),
  }
}

const bodyWords = ({ scheme }: Provider): string => {
  const bodies = Object.values(waysOf(scheme)).map(way => coverageOf(way).body)
  if (bodies.every(body => body === 'bytes')) return 'yes'
  if (bodies.every(body => body === 'form')) return 'yes, what its fields say'
  if (bodies.every(body => body === 'fields')) return 'only some of its fields'
  return bodies.length > 1 && bodies.some(body => body !== 'nothing')
    ? 'not in every one of its ways'
    : 'no: the proof says who sends, not what'
}

const identityWords = (identity: ProviderIdentity): string => {
  switch (identity.kind) {
    case 'id': {
      const ids = identity.id.map(selector => `\`${selector}\``).join(', else ')
      const scope = [...(identity.scope ?? []), ...(identity.also ?? [])].map(selector => `\`${selector}\``).join(', ')
      return `${ids}${scope && ` with ${scope}`}${identity.otherwise ? '; without it, the hash of the body' : ''}`
    }
    case 'body': {
      const scope = (identity.scope ?? []).map(selector => `\`${selector}\``).join(', ')
      const what = identity.of === 'form' ? 'the form, in any order' : identity.of ? `\`${identity.of}\`` : 'the body'
      return `none: the hash of ${what}${scope && ` with ${scope}`}`
    }
    case 'signed':
      return 'none that is signed: the hash of what was signed'
    case 'json':
      return `none: the hash of the JSON without \`${identity.exclude.join('`, `')}\``
    case 'delivery':
      return 'none, and equal bodies are different events: each delivery is one'
  }
}

const retryWords = ({ windowSeconds, givesUpOn4xx }: Provider['retry']): string => {
  const window =
    windowSeconds === null ? 'not known' : windowSeconds === 0 ? 'never' : `for ${spanWords(windowSeconds)}`
  return `${window}${givesUpOn4xx ? ', and gives up on a 4xx' : ''}`
}

const configWords = ({ config = {}, scheme }: Provider): string => {
  const fields = Object.entries(config).map(([name, { required }]) => `\`${name}\`${required ? '' : ' (optional)'}`)
  const ways =
    scheme.kind === 'any' ? [`\`variant\` (optional): ${Object.keys(scheme.of).join(', ')}${required(scheme)}`] : []
  return [...fields, ...ways].join(', ') || 'none'
}

/** Where one delivery carries several proofs. */
const required = ({ of, together }: AnyScheme): string =>
  together ? `; without it, ${Object.keys(of)[0]} is required` : ''

const sourceLines = (provider: Provider): string => {
  const { provider: _, ...more } = exampleSource(provider)
  const fields = Object.entries(more).map(([name, value]) => `    ${name}: ${literal(value)},\n`)
  const key = /^[a-z]+$/.test(provider.id) ? provider.id : `'${provider.id}'`
  return `  ${key}: {\n    provider: '${provider.id}',\n${fields.join('')}  },`
}
