import type { Completable, Offer } from './completable.ts'

/** For bash 3.2 and later, which is what a Mac has. */
export const bash = (verbs: readonly Completable[]): string =>
  [
    '# hooklatch completion for bash: eval "$(npx hooklatch completion bash)"',
    '_hooklatch_sources() { hooklatch completion sources 2>/dev/null || npx --no hooklatch completion sources 2>/dev/null; }',
    '_hooklatch() {',
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: bash, not JavaScript
    '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" verb="${COMP_WORDS[1]}" flags="" valued="" at=0 i',
    '  COMPREPLY=()',
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W "${[...verbs.map(({ name }) => name), 'help'].join(' ')}" -- "$cur"))`,
    '    return',
    '  fi',
    '  case "$verb" in',
    ...verbs.map(
      ({ name, flags }) =>
        `    ${name}) flags="${flags.map(flag => `--${flag.name}`).join(' ')}"; valued=" ${flags.flatMap(flag => (flag.value ? [`--${flag.name}`] : [])).join(' ')} " ;;`,
    ),
    `    help) COMPREPLY=($(compgen -W "${verbs.map(({ name }) => name).join(' ')}" -- "$cur")); return ;;`,
    '  esac',
    '  case "$verb $prev" in',
    ...verbs.flatMap(({ name, flags }) =>
      flags.flatMap(flag =>
        flag.value ? [`    "${name} --${flag.name}") ${reply(flag.value.offer)}; return ;;`] : [],
      ),
    ),
    '  esac',
    '  if [[ "$cur" == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$cur")); return; fi',
    '  for ((i = 2; i < COMP_CWORD; i++)); do',
    '    [[ "${COMP_WORDS[i]}" == -* || "$valued" == *" ${COMP_WORDS[i-1]} "* ]] || at=$((at + 1))',
    '  done',
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: bash, not JavaScript
    '  case "$verb $at" in',
    ...verbs.flatMap(({ name, operands }) => operands.map((offer, at) => `    "${name} ${at}") ${reply(offer)} ;;`)),
    '  esac',
    '}',
    'complete -F _hooklatch hooklatch',
  ].join('\n')

const reply = (offer: Offer): string => {
  if (typeof offer === 'object') return `COMPREPLY=($(compgen -W "${offer.words.join(' ')}" -- "$cur"))`
  return REPLIES[offer]
}

const REPLIES = {
  files: 'COMPREPLY=($(compgen -f -- "$cur"))',
  directories: 'COMPREPLY=($(compgen -d -- "$cur"))',
  sources: 'COMPREPLY=($(compgen -W "$(_hooklatch_sources)" -- "$cur"))',
  nothing: ':',
} as const satisfies Record<Extract<Offer, string>, string>
