import type { Provider } from '../../functions/domain/provider.ts'
import { describeProvider, type ProviderDescription } from './describe-provider.ts'
import { inWords } from './span-words.ts'

/** docs/providers.md, whole. */
export const providersPage = (providers: Readonly<Record<string, Provider>>): string => {
  const described = Object.values(providers)
    .map(describeProvider)
    .sort((left, right) => (left.id < right.id ? -1 : 1))
  return [intro(described), ...described.map(section)].join('\n\n').concat('\n')
}

const intro = (described: readonly ProviderDescription[]): string => {
  const experimental = described.filter(each => each.experimental)
  const unsigned = described.filter(each => each.scheme.startsWith('nothing'))
  return [
    '# Providers',
    '',
    '<!-- Made by `npm run docs` from functions/providers/rows. Do not edit. -->',
    '',
    `${described.length} senders, each with the lines of \`sources.ts\` that use it. \`npx hooklatch providers stripe\` shows the same.`,
    '',
    'Confidence says how well the facts are known. `high` and `medium`: they come from documents, SDKs or good second-hand sources.',
    '`low`: they are **not confirmed**. Each such row says what was not found; `npm start` and `hooklatch doctor` say when a source uses one.',
    `The ${experimental.length} with low confidence are **experimental**: ${names(experimental)}.`,
    '',
    `${names(unsigned)} sign nothing: anyone who knows the URL can post, and a source has to say \`unsigned: true\`.`,
    'What each signature covers was measured: [the table](coverage.md) has what can be changed in a captured delivery of each provider.',
    'If the body is not covered, whoever sees one delivery can send another body with the same proof. Treat such an event as a hint,',
    'and ask the sender for the facts.',
    '',
    'A signed time may differ from our clock by the tolerance in its row. This is the tolerance that the sender publishes. If it publishes',
    'none, and its retries keep the old time (or may keep it), the tolerance is as long as it retries. If nothing is known, it is five',
    'minutes. A source can set `tolerance` itself.',
    '',
    'If two senders use the same header, the provider of the source decides, never the header.',
  ].join('\n')
}

const names = (described: readonly ProviderDescription[]): string => described.map(({ name }) => name).join(', ')

const section = (each: ProviderDescription): string =>
  [
    `## ${each.name}`,
    '',
    ...(each.experimental ? ['**Experimental**: its facts are not confirmed. Watch the first deliveries.', ''] : []),
    '```js',
    each.source,
    '```',
    '',
    '| | |',
    '| --- | --- |',
    ...ROWS.map(([title, value]) => `| ${title} | ${cell(value(each))} |`),
    ...listed(each.beware),
    ...(each.uncertain.length > 0 ? ['', 'Not certain:', ...listed(each.uncertain)] : []),
  ].join('\n')

const listed = (lines: readonly string[]): readonly string[] =>
  lines.length > 0 ? ['', ...lines.map(line => `- ${escaped(line)}`)] : []

const ROWS: readonly (readonly [string, (each: ProviderDescription) => string])[] = [
  ['proof', each => each.scheme],
  ['secret', each => each.secret],
  ['covers', each => each.covers],
  ['event id', each => each.eventId],
  ['type', each => each.type],
  ['retries', each => each.retries],
  ['replay window', each => inWords(each.replayWindow)],
  ['deadline', each => inWords(each.deadline)],
  ['handshake', each => each.handshake],
  ['batch', each => each.batch],
  ['config', each => each.config],
  ['confidence', each => each.confidence],
  ['documents', each => each.docs],
]

/** A bar would end the cell, even in code. */
const cell = (text: string): string => escaped(text).replaceAll('|', '\\|')
/** What looks like a tag to a browser, outside of code. */
const escaped = (text: string): string =>
  text
    .split('`')
    .map((part, at) => (at % 2 === 0 ? part.replaceAll('<', '&lt;').replaceAll('*', '\\*') : part))
    .join('`')
