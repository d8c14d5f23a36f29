import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { MUTANTS } from './mutants.ts'

const run = promisify(execFile)
const here = (file: string): string => join(import.meta.dirname, file)

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const exhaust = async (flags: readonly string[], mutant?: string): Promise<Ended> => {
  const node = mutant === undefined ? [] : ['--import', here('mutate.ts')]
  const env = { ...process.env, HOOKLATCH_MUTANT: JSON.stringify(MUTANTS.find(({ name }) => name === mutant)) }
  const options = { env, maxBuffer: 2 ** 26 }
  return run(process.execPath, [...node, here('../tools/run.ts'), 'prove', 'exhaust', ...flags], options).then(
    said => ({ code: 0, ...said }),
    (failed: Ended) => failed,
  )
}

describe('the exhaustive search', () => {
  it.each([
    ['one fault anywhere', ['--faults', '1', '--leaps', '0'], 6, 1_000_000],
    ['leases that pass anywhere', ['--faults', '0', '--leaps', '1', '--only', 'github/effect'], 1, 10_000_000],
  ])(
    'two deliveries, one recovery and one consumer break no invariant in any order, with %s',
    async (_, bound, setups, least) => {
      const json = join(mkdtempSync(join(tmpdir(), 'exhaust-')), 'found.json')
      const { code, stdout } = await exhaust([...bound, '--json', json])
      // biome-ignore lint/suspicious/noConsole: how many there are is what this test shows
      console.log(stdout)
      const found = JSON.parse(readFileSync(json, 'utf8'))
      expect({ code, violations: found.violations, setups: found.setups }).toEqual({ code: 0, violations: [], setups })
      expect(Number(found.interleavings)).toBeGreaterThan(least)
    },
  )

  it.each([
    ['an event is acknowledged before it is forwarded', ['--faults', '0', '--leaps', '0'], /S1 no 2xx/],
    ['a message is deleted though its handler failed', ['--faults', '1', '--leaps', '0'], /a message is deleted only/],
    ['an unknown send is released', ['--faults', '1', '--leaps', '0'], /a lease is ended early only/],
    ['settling is allowed to whoever asks', ['--faults', '0', '--leaps', '0'], /S4 a status never goes back/],
  ])('the bug "%s" is found, with the steps that lead to it', async (mutant, bound, rule) => {
    const { code, stdout } = await exhaust([...bound, '--only', 'github/effect'], mutant)
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(rule) })
    expect(stdout).toMatch(/delivery-1 claim/)
  })
})
