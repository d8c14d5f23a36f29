import type { Provider } from '../../functions/domain/provider.ts'
import { describeProvider, type ProviderDescription } from './describe-provider.ts'

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
    'Confidence is about the facts: `high` and `medium` come from documents, SDKs or good second-hand sources, `low` from memory',
    `or from sources that disagree. The ${experimental.length} with low confidence are **experimental**: ${names(experimental)}.`,
    '',
    `${names(unsigned)} sign nothing: anyone who knows the URL can post, and a source has to say \`unsigned: true\`.`,
    'What each signature covers was measured: [the table](coverage.md) has what can be changed in a captured delivery of each provider.',
    'Where the body is not covered, whoever sees one delivery can send another body with the same proof: treat such an event',
    'as a hint, and fetch the facts.',
    '',
    'A signed time may be off by the tolerance its row says: that of the sender, or as long as it retries where its retries keep the',
    'old time or are not known not to and nothing is published, or five minutes where nothing is known. A source can say',
    '`tolerance` itself.',
    '',
    'Where two senders use the same header, the provider of the source decides, never the header.',
  ].join('\n')
}

const names = (described: readonly ProviderDescription[]): string => described.map(({ name }) => name).join(', ')

const section = (each: ProviderDescription): string =>
  [
    `## ${each.name}`,
    '',
    ...(each.experimental ? ['**Experimental**: its facts could not be checked. Watch the first deliveries.', ''] : []),
    '```js',
    each.source,
    '```',
    '',
    '| | |',
    '| --- | --- |',
    ...ROWS.map(([title, value]) => `| ${title} | ${cell(value(each))} |`),
    ...(each.beware.length > 0 ? ['', ...each.beware.map(line => `- ${escaped(line)}`)] : []),
  ].join('\n')

const ROWS: readonly (readonly [string, (each: ProviderDescription) => string])[] = [
  ['proof', each => each.scheme],
  ['secret', each => each.secret],
  ['covers', each => each.covers],
  ['event id', each => each.eventId],
  ['type', each => each.type],
  ['retries', each => each.retries],
  ['replay window', each => each.replayWindow],
  ['deadline', each => each.deadline],
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
