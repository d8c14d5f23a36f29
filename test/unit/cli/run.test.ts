import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run } from '../../../lib/cli/run.ts'
import { table } from '../../../lib/terminal/table.ts'
import type { Terminal } from '../../../lib/terminal/terminal.ts'

const recorder = (interactive = false) => {
  const out: string[] = []
  const err: string[] = []
  const terminal: Terminal = {
    out: text => out.push(...[text].flat()),
    err: text => err.push(...[text].flat()),
    interactive,
    style: (style, text) => (interactive ? `<${style}>${text}` : text),
    closed: new AbortController().signal,
  }
  return { out, err, terminal }
}

const ran = async (...argv: string[]) => {
  const { out, err, terminal } = recorder()
  return { code: await run(argv, terminal), out: out.join('\n'), err: err.join('\n') }
}

const VERBS = join(import.meta.dirname, '../../../lib/cli/verbs')

describe('hooklatch', () => {
  it.each(readdirSync(VERBS).map(file => file.replace('.ts', '')))(
    'the file verbs/%s.ts is the command of that name',
    async name => {
      const { code, out } = await ran(name, '--help')
      expect(code).toBe(0)
      expect(out).toContain(`Usage: npx hooklatch ${name}`)
    },
  )

  it.each([[], ['--help'], ['help'], ['-h']])('hooklatch %j lists the commands', async (...argv) => {
    const { code, out } = await ran(...argv)
    expect(code).toBe(0)
    for (const name of ['start', 'send <source>', 'events', 'show <id>']) expect(out).toContain(name)
  })

  it.each([
    ['start', '--data DIR'],
    ['send', '--concurrency C'],
    ['listen', '--to URL'],
    ['events', '--json'],
    ['show', '--source NAME'],
  ])('hooklatch %s --help explains the command, its flags and an example', async (name, flag) => {
    const { code, out } = await ran(name, '--help')
    expect(code).toBe(0)
    expect(out).toContain(flag)
    expect(out).toMatch(/^ {2}np[mx] /m)
    expect(await ran('help', name)).toEqual({ code, out, err: '' })
  })

  it.each([
    [['evnets'], 'Unknown command "evnets": did you mean "events"?'],
    [['constructor'], 'Unknown command "constructor".'],
    [['events', '--limt', '3'], 'Unknown flag --limt: did you mean --limit?'],
    [['events', '--limit', 'many'], '--limit many is not a whole number'],
    [['events', '--status', 'lost', '--since', 'ever'], '--status lost is not a status: expected claimed, queued'],
    [['events', '--after', 'here'], '--after here is not a cursor'],
    [['events', '--follow', '--limit', '3'], '--follow has no pages'],
    [['start', '--recover-every', 'often'], '--recover-every often is not a duration'],
    [['events', 'stray'], '"stray" has no place here: a text with spaces needs quotes.\nUsage: npx hooklatch events'],
    [['show'], '<id> is missing.\nUsage: npx hooklatch show <id>'],
    [['compare'], '<first> and <second> are missing.\nUsage: npx hooklatch compare <first> <second>'],
    [['compare', 'a'], '<second> is missing.'],
    [
      ['replay', 'x', '--reason', 'try', 'it', 'again'],
      '"it again" has no place here: a text with spaces needs quotes.',
    ],
    [['send', 'stripe', '--body', '/nowhere'], '--body /nowhere cannot be read'],
    [['send', 'stripe', '--url', 'localhost'], '--url localhost is not a URL'],
    [['listen'], '--to is missing: say where your server is'],
    [['listen', '--to', 'localhost:3000'], '--to localhost:3000 is not a URL'],
    [['listen', '--to', 'http://localhost:3000', '--rate', '0', '--since', 'ever'], '--rate 0 is not a whole number'],
    [['listen', '--to', 'http://localhost:3000', '--again'], '--again needs --since'],
    [['replay', 'x', '--dry-run', '--reason', 'y'], 'leave out --dry-run'],
    [['redrive', 'x', '--dry-run', '--reason', 'y', '--yes'], 'leave out --dry-run'],
    [['replay', 'x', '--status', 'failed', '--type', 't', '--reason', 'y'], 'leave out --status, --type.'],
    [['redrive', 'x', '--since', '1h', '--count', '1', '--reason', 'y'], 'leave out --since, --count.'],
    [['redrive', '--type', 't', '--reason', 'y', '--yes'], 'leave out --reason, --type, --yes.'],
    [['redrive', '--dry-run'], 'Say what to redrive: an id, --source or --all.'],
    [['replay', '--resume', 'a', '--cancel', 'b'], 'A job goes on as it was recorded: leave out --cancel.'],
    [['replay', '--resume', 'a', '--dry-run'], 'leave out --dry-run'],
    [['replay', '--cancel', 'a', '--source', 'stripe'], 'leave out --source'],
    [['replay', 'x', '--resume', 'a'], 'leave out the id'],
    [['erase', '--resume', 'a', '--event', 'x'], 'leave out --event'],
    [['erase', '--event', 'x', '--count', '3', '--reason', 'y'], 'leave out --count'],
    [['erase', '--event', 'x', '--event', 'y', '--reason', 'z', '--yes'], '--event is given twice'],
    [['connect', 'stripe', '--types', ','], '--types , names no type'],
    [['reconcile', 'stripe', '--types', ' ,', '--dry-run'], 'names no type'],
    [['events', '--since', '999999999d'], '--since 999999999d is not a duration'],
    [['replay', '--source', 'x', '--since', '999999999d', '--dry-run'], '--since 999999999d is neither a duration'],
    [['events', '--after', '2026-99-99T99:99:99.000Z#aa'], 'is not a cursor'],
    [['routes', 'stripe', '--body', '.'], '--body . cannot be read: EISDIR'],
    [['listen', '--to', 'http://user:pw@localhost:3000'], '--to has a name or a password in it'],
    [['secrets', 'rotat', 'stripe'], 'Unknown action "rotat": did you mean "rotate"?'],
    [['secrets', 'set'], 'Usage: npx hooklatch secrets set <source>'],
    [['secrets', 'list', 'stripe'], 'Usage: npx hooklatch secrets list'],
    [['secrets', 'rotate', 'stripe', '--api-key'], 'An API key is only ever set: leave out --api-key.'],
    [['secrets', 'finish-rotation', 'stripe', '--api-key', '--yes'], 'leave out --api-key.'],
    [['completion', 'bsh'], 'Unknown shell "bsh": did you mean "bash"?'],
    [['doctr'], 'Unknown command "doctr": did you mean "doctor"?'],
    [['doctor', '--stak', 'x'], 'Unknown flag --stak: did you mean --stack?'],
    [['sources', '--region', 'eu-west-1'], 'add --stack NAME'],
    [['start', '--port', '70000', '--now', '2026-02-31'], '--now 2026-02-31 is not an ISO time'],
  ])('hooklatch %j is refused with exit code 2 and a hint', async (argv, hint) => {
    const { code, out, err } = await ran(...argv)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(hint)
  })
})

describe('a table', () => {
  const rows = [
    ['a', 'long cell', 'x'],
    ['bb', 'y', 'z'],
  ]
  it('a table is aligned under its titles on a terminal', () => {
    const plain = { ...recorder(true).terminal, style: (_: string, text: string) => text }
    expect(table(plain, ['t', 'u', 'v'], rows)).toEqual(['t   u          v', 'a   long cell  x', 'bb  y          z'])
  })

  it('a table in a pipe is tab-separated and has no titles', () => {
    expect(table(recorder().terminal, ['t', 'u', 'v'], rows)).toEqual(['a\tlong cell\tx', 'bb\ty\tz'])
  })
})

it('a cell that a sender wrote makes neither a column nor a line, and is as wide as it is shown', () => {
  expect(table(recorder().terminal, ['t', 'u'], [['a\tb\nc', '\u001b[2J']])).toEqual(['a b c\t\\u001b[2J'])
})
