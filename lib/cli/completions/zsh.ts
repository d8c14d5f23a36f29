import type { Completable, CompletableFlag, Offer } from './completable.ts'

export const zsh = (verbs: readonly Completable[]): string =>
  [
    '#compdef hooklatch',
    '# hooklatch completion for zsh: eval "$(npx hooklatch completion zsh)", after compinit',
    '_hooklatch_sources() {',
    '  local -a names',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: zsh, not JavaScript
    '  names=(${(f)"$(hooklatch completion sources 2>/dev/null || npx --no hooklatch completion sources 2>/dev/null)"})',
    "  _describe 'source' names",
    '}',
    '_hooklatch() {',
    '  local -a verbs',
    '  verbs=(',
    ...verbs.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`),
    '  )',
    "  if (( CURRENT == 2 )); then _describe 'command' verbs; return; fi",
    '  local verb=$words[2]',
    '  shift words; (( CURRENT-- ))',
    '  case $verb in',
    ...verbs.map(
      ({ name, flags, operands }) =>
        `    ${name}) _arguments ${[...flags.map(flagSpec), ...operands.map(operandSpec)].map(quoted).join(' ')} ;;`,
    ),
    '  esac',
    '}',
    'compdef _hooklatch hooklatch',
  ].join('\n')

const flagSpec = ({ name, help, value }: CompletableFlag): string =>
  `--${name}[${escaped(help)}]${value ? `:${value.called}:${action(value.offer)}` : ''}`

const operandSpec = (offer: Offer, at: number): string => `${at + 1}: :${action(offer)}`

const action = (offer: Offer): string => (typeof offer === 'object' ? `(${offer.words.join(' ')})` : ACTIONS[offer])

const ACTIONS = {
  files: '_files',
  directories: '_files -/',
  sources: '_hooklatch_sources',
  nothing: ' ',
} as const satisfies Record<Extract<Offer, string>, string>

/** Brackets and colons are the grammar of a spec. */
const escaped = (text: string): string => text.replace(/[[\]:\\]/g, '\\$&')

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
