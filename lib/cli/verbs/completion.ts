import { providers } from '../../../functions/providers/catalogue.ts'
import { nearest } from '../../../functions/providers/suggest.ts'
import { loadSources } from '../../connect/load-sources.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import { sourceFileHere } from '../../connect/running-instance.ts'
import { bash } from '../completions/bash.ts'
import { completable } from '../completions/completable.ts'
import { fish } from '../completions/fish.ts'
import { zsh } from '../completions/zsh.ts'
import { verb } from '../verb.ts'

const SHELLS = { bash, zsh, fish } as const

export const completion = verb({
  summary: 'Print what a shell needs to complete commands, flags and source names.',
  operands: ['<shell>'],
  completes: [Object.keys(SHELLS)],
  flags: {},
  teaches: [
    'Completes the command `hooklatch`. If it is not installed, define it: `alias hooklatch="npx hooklatch"`.',
    'Made from the tables that read the flags, so it is always complete. Add the line to your shell\u2019s start file.',
    '',
    '  eval "$(npx hooklatch completion bash)"',
    '  eval "$(npx hooklatch completion zsh)"',
    '  npx hooklatch completion fish | source',
  ].join('\n'),
  async run({ positionals: [shell = ''] }, terminal, everyVerb) {
    // What the scripts themselves ask for.
    if (shell === 'sources') return printSources(terminal.out)
    const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell as keyof typeof SHELLS] : undefined
    if (write === undefined) {
      const suggestion = nearest(shell, Object.keys(SHELLS))
      return refuse(
        `Unknown shell "${shell}": ${suggestion ? `did you mean "${suggestion}"?` : 'expected bash, zsh or fish.'}`,
        2,
      )
    }
    const names = Object.keys(providers).sort()
    terminal.out(write((await everyVerb()).map(([name, each]) => completable(name, each, names))).split('\n'))
    return 0
  },
})

const printSources = async (out: (line: string) => void): Promise<number | Refusal> => {
  const sources = await loadSources(sourceFileHere())
  if (isRefusal(sources)) return sources
  for (const name of sources.keys()) out(name)
  return 0
}
