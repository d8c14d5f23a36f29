import { nearest } from '../../functions/providers/suggest.ts'
import { type Flags, readFlags } from '../../lib/cli/flags.ts'
import { isRefusal, type Refusal, refuse } from '../../lib/connect/refusal.ts'
import { print, type Tool } from './tool.ts'

/** An npm script that does one of several things, or the first of them if none is named. */
export interface Script {
  readonly name: string
  /** Loaded when asked for: some of them bring engines and compilers. */
  readonly tools: Readonly<Record<string, () => Promise<Tool>>>
}

/** Runs what the command line names and answers its exit code, or why it was asked wrongly. */
export const runTool = async ({ name, tools }: Script, argv: readonly string[]): Promise<number | Refusal> => {
  const [first, ...others] = argv
  const isNamed = first !== undefined && !first.startsWith('-')
  const names = Object.keys(tools)
  const what = isNamed ? first : (names[0] ?? '')
  const load = Object.hasOwn(tools, what) ? tools[what] : undefined
  if (load === undefined) return refuse(`npm run ${name} ${what}: ${unknown(what, names)}`, 2)
  const asked = isNamed ? `${name} ${what}` : name
  const result = await runOne(asked, await load(), isNamed ? others : argv)
  if (!isNamed && argv.includes('--help')) print(await listOf(name, tools))
  return result
}

const unknown = (what: string, names: readonly string[]): string => {
  const suggestion = nearest(what, names)
  return `found ${JSON.stringify(what)}, expected one of ${names.join(', ')}${suggestion ? `: did you mean ${suggestion}?` : ''}`
}

/** One tool that has an npm script of its own. */
export const runOne = async (asked: string, tool: Tool, argv: readonly string[]): Promise<number | Refusal> => {
  if (argv.includes('--help')) {
    print(helpOn(asked, tool))
    return 0
  }
  const given = readFlags<Flags>(tool.flags, argv)
  if (isRefusal(given)) return refuse(`${given.refused}\n\n${helpOn(asked, tool)}`, 2)
  const { operands = [] } = tool
  const [odd] = given.positionals.slice(operands.length)
  if (odd !== undefined && operands.at(-1)?.includes('...') !== true) {
    return refuse(`${JSON.stringify(odd)} is not a flag and has no place here.\n\n${helpOn(asked, tool)}`, 2)
  }
  return tool.run(given)
}

const helpOn = (asked: string, { summary, teaches, flags, operands = [] }: Tool): string =>
  [
    summary,
    '',
    `npm run ${[asked, ...operands].join(' ')} -- [flags]`,
    '',
    ...columns(Object.entries({ ...flags, help: HELP }).map(([name, flag]) => [spelled(name, flag.value), flag.help])),
    ...(teaches === undefined ? [] : ['', teaches]),
  ].join('\n')

const HELP: Flags[string] = { help: 'Show this text.' }

const spelled = (name: string, value: string | undefined): string =>
  `--${name}${value === undefined ? '' : ` ${value}`}`

const listOf = async (name: string, tools: Script['tools']): Promise<string> => {
  const all = await Promise.all(
    Object.entries(tools).map(async ([what, load]) => [what, (await load()).summary] as const),
  )
  return ['', `npm run ${name} <what> -- --help explains one of:`, '', ...columns(all)].join('\n')
}

const columns = (rows: readonly (readonly [string, string])[]): string[] => {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`)
}
