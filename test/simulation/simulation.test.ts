import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { FAULTS } from './faults.ts'
import { runSchedules } from './run-schedules.ts'

const run = promisify(execFile)
const PROVE = [join(import.meta.dirname, '../tools/run.ts'), 'prove']

const prove = async (...flags: string[]) => {
  const json = join(mkdtempSync(join(tmpdir(), 'prove-')), 'proof.json')
  const { stdout } = await run(process.execPath, [...PROVE, ...flags, '--json', json])
  return { said: stdout, proof: JSON.parse(readFileSync(json, 'utf8')) }
}

describe('the protocol in simulated time', () => {
  it('keeps every invariant in 20,000 schedules, with every fault on every call', async () => {
    const { said, proof } = await prove('--schedules', '20000')
    // biome-ignore lint/suspicious/noConsole: the table of faults is what this test shows
    console.log(said)
    expect(proof).toMatchObject({ seed: 1, schedules: 20_000, violations: [] })
    const calls = [
      'claim',
      'takeOver',
      'reopen',
      'settle',
      'release',
      'send',
      'keep',
      'fetch',
      'take',
      'finish',
      'report',
    ]
    for (const call of [
      ...calls,
      'sendBatch',
      'noteBody',
      'refresh',
      'fail',
      'commit',
      'effect',
      'delete',
      'read',
      'scan',
      'cursor',
      'moveCursor',
      'begin',
      'audits',
    ]) {
      for (const fault of FAULTS) expect(proof.faults[call][fault], `${call} ${fault}`).toBeGreaterThan(0)
    }
  })

  it('is the same trace for the same seed, and another for another', async () => {
    const [first, again, other] = [
      await runSchedules({ from: 7, count: 64 }),
      await runSchedules({ from: 7, count: 64 }),
      await runSchedules({ from: 8, count: 64 }),
    ]
    expect(again).toEqual(first)
    expect(other.traceHash).not.toBe(first.traceHash)
  })
})
