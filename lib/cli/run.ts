import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { nearest } from '../../functions/providers/suggest.ts'
import { isRefusal, type Refusal, refuse } from '../connect/refusal.ts'
import { explainFault } from '../operator/explain-fault.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type Flags, readFlags } from './flags.ts'
import { helpFor, helpForAll } from './help.ts'
import type { EveryVerb, Verb } from './verb.ts'

/** What the list of commands shows without loading any of them: `start` alone brings the engines and four SDK clients. */
const VERBS = {
  init: async () => (await import('./verbs/init.ts')).init,
  start: async () => (await import('./verbs/start.ts')).start,
  send: async () => (await import('./verbs/send.ts')).send,
  publish: async () => (await import('./verbs/publish.ts')).publish,
  events: async () => (await import('./verbs/events.ts')).events,
  listen: async () => (await import('./verbs/listen.ts')).listen,
  show: async () => (await import('./verbs/show.ts')).show,
  replay: async () => (await import('./verbs/replay.ts')).replay,
  erase: async () => (await import('./verbs/erase.ts')).erase,
  redrive: async () => (await import('./verbs/redrive.ts')).redrive,
  connect: async () => (await import('./verbs/connect.ts')).connect,
  disconnect: async () => (await import('./verbs/disconnect.ts')).disconnect,
  pause: async () => (await import('./verbs/pause.ts')).pause,
  resume: async () => (await import('./verbs/resume.ts')).resume,
  reconcile: async () => (await import('./verbs/reconcile.ts')).reconcile,
  quarantine: async () => (await import('./verbs/quarantine.ts')).quarantine,
  deliveries: async () => (await import('./verbs/deliveries.ts')).deliveries,
  capture: async () => (await import('./verbs/capture.ts')).capture,
  compare: async () => (await import('./verbs/compare.ts')).compare,
  stats: async () => (await import('./verbs/stats.ts')).stats,
  sources: async () => (await import('./verbs/sources.ts')).sources,
  routes: async () => (await import('./verbs/routes.ts')).routes,
  console: async () => (await import('./verbs/console.ts')).console,
  secrets: async () => (await import('./verbs/secrets.ts')).secrets,
  doctor: async () => (await import('./verbs/doctor.ts')).doctor,
  providers: async () => (await import('./verbs/providers.ts')).providers,
  template: async () => (await import('./verbs/template.ts')).template,
  cost: async () => (await import('./verbs/cost.ts')).cost,
  completion: async () => (await import('./verbs/completion.ts')).completion,
}

const HELP_FLAG = { help: { help: 'Show help.' } } as const

/** Runs one command line and answers its exit code: 0 done, 1 could not be done, 2 asked wrongly. */
export const run = async (argv: readonly string[], terminal: Terminal): Promise<number> => {
  try {
    const result = await dispatch(argv, terminal)
    if (!isRefusal(result)) return result
    terminal.err(result.refused.split('\n'))
    return result.exitCode
  } catch (error) {
    const isDebugged = process.env.HOOKLATCH_DEBUG || !(error instanceof Error)
    terminal.err((isDebugged ? String(withStack(error)) : sentence(error)).split('\n'))
    return 1
  }
}

const dispatch = async (argv: readonly string[], terminal: Terminal): Promise<number | Refusal> => {
  const [name, ...rest] = argv
  if (name === '--version' || name === '-v') return tellVersion(terminal)
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') return helpOn(rest[0], terminal)
  const load = loaderOf(name)
  if (isRefusal(load)) return load
  const verb: Verb = await load()
  if (rest.includes('--help') || rest.includes('-h')) {
    terminal.out(helpFor(name, verb, terminal.columns).split('\n'))
    return 0
  }
  const given = readFlags<Flags>({ ...verb.flags, ...HELP_FLAG }, rest)
  if (isRefusal(given)) return refuse(`${given.refused}\nnpx hooklatch ${name} --help lists the flags.`, 2)
  const mistake = operandMistake(verb.operands, given.positionals)
  if (mistake !== undefined) {
    const usage = `Usage: npx hooklatch ${[name, ...verb.operands].join(' ')}`
    return refuse(`${mistake}\n${usage}\nnpx hooklatch ${name} --help shows examples.`, 2)
  }
  return verb.run(given, terminal, everyVerb)
}

const operandMistake = (operands: readonly string[], given: readonly string[]): string | undefined => {
  const missing = operands.slice(given.length).filter(operand => operand.startsWith('<'))
  if (missing.length > 0) return `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing.`
  const stray = given.slice(operands.length)
  if (stray.length === 0) return undefined
  return `"${stray.join(' ')}" has no place here: a text with spaces needs quotes.`
}

const tellVersion = (terminal: Terminal): number => {
  const { version } = JSON.parse(readFileSync(findPackageJSON(import.meta.url) ?? '', 'utf8'))
  terminal.out(version)
  return 0
}

const helpOn = async (name: string | undefined, terminal: Terminal): Promise<number | Refusal> => {
  if (name !== undefined) {
    const load = loaderOf(name)
    if (isRefusal(load)) return load
    terminal.out(helpFor(name, (await load()) as Verb, terminal.columns).split('\n'))
    return 0
  }
  terminal.out(helpForAll(Object.fromEntries(await everyVerb()), terminal.columns).split('\n'))
  return 0
}

export const everyVerb: EveryVerb = () =>
  Promise.all(Object.entries(VERBS).map(async ([name, load]) => [name, (await load()) as Verb] as const))

const loaderOf = (name: string): (() => Promise<Verb>) | Refusal => {
  if (Object.hasOwn(VERBS, name)) return VERBS[name as keyof typeof VERBS] as () => Promise<Verb>
  const suggestion = nearest(name, Object.keys(VERBS))
  return refuse(
    `Unknown command "${name}"${suggestion ? `: did you mean "${suggestion}"?` : '.'} npx hooklatch --help lists the commands.`,
    2,
  )
}

const sentence = (error: Error): string => explainFault(error) ?? error.message

const withStack = (error: unknown): unknown => (error instanceof Error ? (error.stack ?? error.message) : error)
