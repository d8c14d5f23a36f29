import type { Coverage } from '../../functions/domain/coverage.ts'
import type { Provider } from '../../functions/domain/provider.ts'
import type { Scheme } from '../../functions/domain/scheme.ts'
import type { Source } from '../../functions/domain/source.ts'
import { type CapturedId, capturedId } from '../../functions/providers/captured-id.ts'
import { waysOf } from '../../functions/providers/choose-variant.ts'
import { coverageOf } from '../../functions/providers/coverage.ts'
import { resolveSources } from '../../functions/providers/sources.ts'
import { exampleSource } from '../sender/example-source.ts'

/** What a provider's signature covers, whether its id is safe, and what to do if it is not. */
export const coverageWords = (provider: Provider): string => {
  const [source] = resolveSources({ example: exampleSource(provider) }, { [provider.id]: provider }).values()
  if (source === undefined) throw new TypeError(`provider ${provider.id} has no source`)
  return `${signedWords(provider.scheme)}. ${idWords(source)}`
}

/** `signs the body and the time`, way by way if there are several. */
export const signedWords = (scheme: Scheme): string =>
  Object.entries(waysOf(scheme))
    .map(([name, way]) => (name === '' || scheme.kind !== 'any' ? '' : `${name}: `) + wayWords(coverageOf(way)))
    .join('; ')

const wayWords = (coverage: Coverage): string => {
  const parts = [
    BODY[coverage.body](coverage),
    coverage.time === 'always' ? 'the time' : coverage.time === 'if sent' ? 'the time, if it sends one' : '',
    coverage.method ? 'the method' : '',
    URL_WORDS[coverage.url],
    codes(coverage.headers.filter(name => !TIME.test(name))),
  ].filter(part => part !== '')
  return parts.length > 0 ? `signs ${listed(parts)}${UNSIGNED[coverage.body]}` : 'signs nothing'
}

/** The header of the time is said already. */
const TIME = /time(?:stamp)?$/

const listed = (parts: readonly string[]): string =>
  parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : parts.join('')

const UNSIGNED = {
  bytes: '',
  form: '',
  fields: ', nothing else of the body',
  nothing: ', nothing of the body',
} satisfies Record<Coverage['body'], string>

const codes = (names: readonly string[]): string => [...new Set(names)].map(name => `\`${name}\``).join(', ')

const BODY = {
  bytes: () => 'the body',
  form: ({ repeats }) =>
    `the fields of the form (in any order and spelling, and not where a name ends${repeats ? '; a value sent twice counts once' : ''})`,
  fields: ({ fields }) => codes(fields),
  nothing: () => '',
} satisfies Record<Coverage['body'], (coverage: Coverage) => string>

const URL_WORDS = {
  whole: 'the URL',
  decoded: 'the URL (some escapes may be spelled out)',
  sorted: 'the URL (its query in any order and spelling)',
  'path and query': 'path and query of the URL',
  path: 'the path of the URL',
  nothing: '',
} satisfies Record<Coverage['url'], string>

const idWords = (source: Source): string => {
  if (source.unique !== null)
    return `The id is not signed, but \`${source.unique}\` is and belongs to one event: with another id it is refused. ${HINT}`
  const captured = capturedId(source)
  if (captured) return capturedWords(captured)
  return source.identity.kind === 'signed' ? 'The id is made of what is signed' : 'The id is signed'
}

const HINT = 'What the body says can be changed: treat each event as a hint, and look it up at the sender'

/** Why a captured delivery of a source could come back as a new event, without a full stop, and what stops that. */
export const capturedRisk = (source: Source): { readonly says: string; readonly stop: string | null } | null => {
  const captured = capturedId(source)
  return captured && { says: riskWords(captured), stop: captured.stop }
}

const capturedWords = (captured: CapturedId): string =>
  captured.stop === null ? riskWords(captured) : `${riskWords(captured)}: set \`${captured.stop}\``

const riskWords = ({ why, stop }: CapturedId): string =>
  stop === null && why === 'unsigned-body' ? `${WHY[why]}. ${HINT}` : WHY[why]

const WHY = {
  'unsigned-id': 'Does not sign the id, so a captured delivery could come back as a new event',
  'unsigned-body': 'Whoever has seen one delivery can send any other in its place, under any id',
  'no-id': 'Has no id: a captured delivery that is sent again is a new event, and nothing stops that',
} satisfies Record<CapturedId['why'], string>
