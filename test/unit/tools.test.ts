import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import type { Refusal } from '../../lib/connect/refusal.ts'
import manifest from '../../package.json' with { type: 'json' }
import { runOne, runTool } from '../tools/run-tool.ts'
import { SCRIPTS } from '../tools/scripts.ts'
import type { Tool } from '../tools/tool.ts'

type Name = keyof typeof SCRIPTS

const ask = (name: Name, ...argv: string[]) => runTool({ name, tools: SCRIPTS[name] }, argv)

const ALL = Object.entries(SCRIPTS).flatMap(([script, tools]) =>
  Object.entries(tools).map(([tool, load]) => [script, tool, load] as [Name, string, () => Promise<Tool>]),
)

it('there are at most sixteen npm scripts', () => {
  expect(Object.keys(manifest.scripts).length).toBeLessThanOrEqual(16)
})

it.each(ALL)('npm run %s %s refuses a flag it does not know and shows those it knows', async (script, tool, load) => {
  const { refused, exitCode } = (await ask(script, tool, '--no-such-flag')) as Refusal
  expect(exitCode).toBe(2)
  expect(refused).toMatch(/^Unknown flag --no-such-flag\./)
  const { flags } = await load()
  for (const flag of Object.keys(flags)) expect(refused).toContain(`--${flag}`)
})

it.each(ALL)('npm run %s %s refuses a word that is no flag', async (script, tool) => {
  expect(await ask(script, tool, 'everything')).toMatchObject({
    exitCode: 2,
    refused: expect.stringMatching(/^"everything" is not a flag/),
  })
})

it.each<[Name, string[], RegExp]>([
  ['prove', ['--schedules', 'many'], /^--schedules many is not a whole number from 1 to/],
  ['prove', ['--schedules'], /^--schedules needs a value: --schedules N/],
  ['prove', ['--minutes', '0'], /^--minutes 0 is not/],
  ['prove', ['--seed', '1.5', '--minutes', 'x'], /^--seed 1.5 is not.*--minutes x is not/s],
  ['prove', ['--schedules', '1', '--minutes', '1'], /exclude each other/],
  ['prove', ['exhaust', '--faults', 'many'], /^--faults many is not a whole number from 0 to 3/],
  ['prove', ['exhaust', '--leaps', '3'], /^--leaps 3 is not a whole number from 0 to 2/],
  ['prove', ['exhaust', '--only', 'nobody'], /^--only nobody is not one of github\/effect, /],
  ['prove', ['kill', '--kills', '0'], /^--kills 0 is not a whole number from 1 to/],
  ['prove', ['fuzz', '--inputs', '0'], /^--inputs 0 is not/],
  ['prove', ['load', '--forged', '1.5', '--hot', 'x'], /^--forged 1.5 is not a number from 0 to 1\.\n--hot x is not/],
  ['prove', ['load', '--deliveries', '10', '--events', '11'], /^--events 11 is not a whole number from 0 to 10/],
  ['prove', ['load', '--url', 'https://example.com'], /is not of this machine/],
  ['prove', ['kil'], /^npm run prove kil: found "kil", expected one of simulation, .*did you mean kill/],
  ['bench', ['--quick', '--docs'], /^--docs takes a whole run/],
  ['bench', ['--json', '--quick'], /^--json needs a value: --json FILE/],
  ['bench', ['system', '--records', '10,x'], /^--records x is not/],
  ['bench', ['list', '--records', '0'], /^--records 0 is not/],
  ['bench', ['everything'], /^npm run bench everything: found "everything", expected one of receive, system, /],
])('npm run %s %j is refused with a sentence and exit code 2', async (script, argv, sentence) => {
  expect(await ask(script, ...argv)).toEqual({ exitCode: 2, refused: expect.stringMatching(sentence) })
})

it('an operand is taken only by a tool that has one', async () => {
  const tool: Tool = {
    summary: '',
    flags: {},
    operands: ['[target]', '[file...]'],
    run: async given => given.positionals.length,
  }
  expect(await runOne('test:integration', tool, ['aws', 'one', 'two'])).toBe(3)
  expect(await runOne('other', { ...tool, operands: ['[target]'] }, ['aws', 'one'])).toMatchObject({ exitCode: 2 })
})

it('the process of an npm script ends with the exit code of what it ran', async () => {
  const run = (...argv: string[]) =>
    promisify(execFile)(process.execPath, [join(import.meta.dirname, '../tools/run.ts'), ...argv])
  await expect(run('prove', 'nothing')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('expected one of'),
  })
  expect((await run('bench', '--help')).stdout).toMatch(/--quick.*npm run bench <what> -- --help.*powertools/s)
})
