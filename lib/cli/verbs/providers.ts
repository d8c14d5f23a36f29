import { providers as catalogue } from '../../../functions/providers/catalogue.ts'
import { suggest } from '../../../functions/providers/suggest.ts'
import { describeProvider, type ProviderDescription } from '../../catalogue/describe-provider.ts'
import { inWords } from '../../catalogue/span-words.ts'
import { refuse } from '../../connect/refusal.ts'
import { printTable } from '../../terminal/table.ts'
import { jsonLines, type Terminal } from '../../terminal/terminal.ts'
import { verb } from '../verb.ts'

export const providers = verb({
  summary: 'List the known providers, or show one: how it signs, names and retries its events.',
  operands: ['[name]'],
  completes: ['providers'],
  flags: {
    json: { help: 'Print everything as JSON.' },
  },
  teaches: [
    'If a provider is marked experimental, its facts are not confirmed. The same list as a page: docs/providers.md.',
    '',
    '  npx hooklatch providers',
    '  npx hooklatch providers stripe',
    '  npx hooklatch providers --json | jq -r ".[] | select(.experimental) | .id"',
  ].join('\n'),
  async run({ flags, positionals: [name] }, terminal) {
    if (name === undefined) return list(flags.json === true, terminal)
    const provider = Object.hasOwn(catalogue, name) ? catalogue[name] : undefined
    if (provider === undefined) {
      return refuse(`There is no provider "${name}"${suggest(name, Object.keys(catalogue))}`)
    }
    const described = describeProvider(provider)
    if (flags.json) terminal.out(jsonLines(described))
    else show(described, terminal)
    return 0
  },
})

const list = (json: boolean, terminal: Terminal): number => {
  const all = Object.keys(catalogue)
    .sort()
    .flatMap(id => catalogue[id] ?? [])
    .map(describeProvider)
  if (json) {
    terminal.out(jsonLines(all))
    return 0
  }
  const rows = all.map(({ id, name, confidence, experimental }) => [
    id,
    name,
    experimental ? 'experimental' : confidence,
  ])
  printTable(terminal, ['provider', 'name', 'confidence'], rows)
  return 0
}

const show = ({ source, beware, uncertain, ...facts }: ProviderDescription, terminal: Terminal): void => {
  const width = Math.max(...Object.keys(facts).map(name => name.length))
  for (const [name, value] of Object.entries(facts)) {
    terminal.out(`${terminal.style('dim', name.padEnd(width))}  ${inWords(String(value)).replaceAll('`', '')}`)
  }
  for (const line of beware) terminal.out(`- ${line}`)
  for (const line of uncertain) terminal.out(`- not certain: ${line}`)
  terminal.out('')
  terminal.out(source.split('\n'))
}
