import type { Completable, CompletableFlag, Offer } from './completable.ts'

export const fish = (verbs: readonly Completable[]): string =>
  [
    '# hooklatch completion for fish: npx hooklatch completion fish | source',
    'function __hooklatch_sources; hooklatch completion sources 2>/dev/null; or npx --no hooklatch completion sources 2>/dev/null; end',
    'complete -c hooklatch -f',
    ...verbs.flatMap(verb => [
      `complete -c hooklatch -n __fish_use_subcommand -a ${verb.name} -d ${quoted(verb.summary)}`,
      ...verb.flags.map(flag => flagLine(verb.name, flag)),
      ...verb.operands.flatMap(offer => operandLine(verb.name, offer)),
    ]),
  ].join('\n')

const flagLine = (verb: string, { name, help, value }: CompletableFlag): string =>
  `complete -c hooklatch -n '__fish_seen_subcommand_from ${verb}' -l ${name}${value ? valuesOf(value.offer) : ''} -d ${quoted(help)}`

const valuesOf = (offer: Offer): string => {
  if (offer === 'files' || offer === 'directories') return ' -r -F'
  const words = offered(offer)
  return words === undefined ? ' -x' : ` -x -a ${quoted(words)}`
}

const operandLine = (verb: string, offer: Offer): string[] => {
  const words = offered(offer)
  return words === undefined
    ? []
    : [`complete -c hooklatch -n '__fish_seen_subcommand_from ${verb}' -a ${quoted(words)}`]
}

const offered = (offer: Offer): string | undefined => {
  if (typeof offer === 'object') return offer.words.join(' ')
  return offer === 'sources' ? '(__hooklatch_sources)' : undefined
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
