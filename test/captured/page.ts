import { capturedId } from '../../functions/providers/captured-id.ts'
import type { Played } from '../unit/providers/every-provider.ts'
import type { Probed } from './probe.ts'

/** docs/coverage.md, whole: what the probe measured. */
export const coveragePage = (probed: readonly (readonly [Played, Probed])[]): string => {
  const total = probed.reduce((sum, [, { changes }]) => sum + changes.length, 0)
  const refused = probed.reduce((sum, [, { changes }]) => sum + refusedIn(changes).length, 0)
  return [
    '# What each signature covers',
    '',
    '<!-- Made by `npm run prove coverage -- --write`. Do not edit. -->',
    '',
    'Somebody has seen one delivery: in a log, in a proxy, on a laptop. What can they change in it, and is it still believed? The probe',
    'signs a delivery in each way that a provider has, and then changes it. It drops, changes, empties and doubles every header. It changes',
    'the method, the URL, and bytes at the start, in the middle and at the end. In the body it changes white space, key order, field order,',
    'escapes and every value, repeats fields and cuts them elsewhere, and gives signed fields another type, also where they were left out. It moves',
    "pieces of the body into a signed header. `npm test` fails if a change is believed although the provider's row says that it is covered,",
    'or refused although it is not.',
    '',
    `${probed.length} ways to sign, ${total} changes, ${refused} refused. The other changes were believed, because they change what nobody signed.`,
    '',
    '- **body**: the part of it that cannot be changed. **time**: whether an old delivery is refused.',
    '- **URL, headers**: what cannot be changed, apart from the header with the signature. The method is covered only if it says so.',
    '- **as a new event**: whether one of these changes makes a captured delivery a new event. The last column has the line of',
    '  `sources.ts` that stops it. With "-" nothing does: treat each event as a hint, and look it up at the sender.',
    '',
    '| provider | changes | refused | body | time | URL | headers | as a new event | stopped by |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...[...probed].sort(byName).map(([played, each]) => rowOf(played, each)),
    '',
  ].join('\n')
}

type Row = readonly [Played, Probed]

const byName = ([{ name: left }]: Row, [{ name: right }]: Row): number => (left < right ? -1 : 1)

const rowOf = (played: Played, probed: Probed): string => {
  const { changes, lasts, newEvents, name } = probed
  const cells = [
    name,
    String(changes.length),
    String(refusedIn(changes).length),
    bodyWords(probed),
    lasts ? 'no' : 'yes',
    urlWords(probed),
    headersWords(probed),
    newEvents.length > 0 ? '**yes**' : 'no',
    newEvents.length > 0 ? code(capturedId(played.source)?.stop ?? '') || '-' : '',
  ]
  return `| ${cells.join(' | ')} |`
}

const code = (text: string): string => (text === '' ? '' : `\`${text}\``)

const refusedIn = (changes: Probed['changes']): Probed['changes'] =>
  changes.filter(({ verdict }) => verdict !== 'genuine')

/** Fields that hold the proof itself are not what it is about. */
const bodyWords = ({ changes, coverage }: Probed): string => {
  const tried = changes.filter(({ part, name }) => part === 'body' && !name.endsWith('checksum wrong'))
  const refused = refusedIn(tried).map(({ name }) => name)
  if (refused.length === tried.length) return 'every byte'
  if (refused.includes('form: a field more')) return 'the fields, however spelled'
  const fields = refused.map(name => name.replace(/^\w+: /, '').replace(/\b\d+\b/g, '*'))
  const proof = coverage.proof.map(selector => selector.replace(/^\w+:/, ''))
  const signed = fields.filter(name => !name.startsWith('a field') && !proof.includes(name))
  return [...new Set(signed)].map(code).join(', ') || 'nothing'
}

const urlWords = ({ changes }: Probed): string => {
  const tried = changes.filter(({ part, name }) => part === 'url' && !name.includes('proof'))
  const refused = refusedIn(tried).map(({ name }) => name.replace('url: ', ''))
  const method = refusedIn(changes).some(({ part }) => part === 'method') ? ', and the method' : ''
  const words = refused.length === tried.length ? 'all' : refused.flatMap(name => URL_WORDS[name] ?? []).join(', ')
  return (words || 'no') + method
}

const URL_WORDS: Readonly<Record<string, string>> = {
  host: 'host',
  path: 'path',
  added: 'query',
  order: 'its order',
  spelling: 'its escapes',
}

const headersWords = ({ changes, proof }: Probed): string =>
  refusedIn(changes)
    .flatMap(({ part, name }) => (part === 'header' && name.endsWith(' dropped') ? [name.replace(' dropped', '')] : []))
    .filter(name => name !== proof)
    .map(code)
    .join(', ')
