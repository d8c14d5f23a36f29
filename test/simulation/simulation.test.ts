import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { FAULTS } from './faults.ts'
import { runSchedules } from './run-schedules.ts'
import { WORLD } from './world-counts.ts'

const run = promisify(execFile)
const PROVE = [join(import.meta.dirname, '../tools/run.ts'), 'prove']

const prove = async (...flags: string[]) => {
  const json = join(mkdtempSync(join(tmpdir(), 'prove-')), 'proof.json')
  const { stdout } = await run(process.execPath, [...PROVE, ...flags, '--json', json])
  return { said: stdout, proof: JSON.parse(readFileSync(json, 'utf8')) }
}

/** Few schedules come to these: at least one in a thousand has a fault there. */
const RARE = ['park', 'recreate', 'get', 'guard', 'claimIgnored', 'notePause', 'enableMapping', 'erase', 'blankBody']

/** Transitions of the protocol, and the calls at the wire that carry none. */
// biome-ignore format: a list of names
const CALLS = [
  'claim', 'takeOver', 'reopen', 'settle', 'noteBody', 'release', 'take', 'finish', 'report', 'commit', 'fail', 'replay',
  'keepBody', 'moveCursor', 'getItem event', 'getItem body', 'getItem cursor', 'batchGetItem', 'query',
  'sendMessage', 'sendMessageBatch', 'deleteMessages', 'changeVisibility', 'putNew', 'getSecret', 'effect', 'giveBack',
  'ignore',
]

describe('the protocol in simulated time', () => {
  it('5,000 schedules of the wider world, with every fault on every call, break no invariant', async () => {
    const { said, proof } = await prove('--schedules', '5000')
    // biome-ignore lint/suspicious/noConsole: the table of faults is what this test shows
    console.log(said)
    expect(proof).toMatchObject({ seed: 1, schedules: 5_000, violations: [] })
    for (const call of CALLS) {
      for (const fault of FAULTS.filter(each => each !== 'malformed'))
        expect(proof.faults[call][fault], `${call} ${fault}`).toBeGreaterThan(0)
    }
    for (const call of RARE) {
      const times = Object.values<number>(proof.faults[call]).reduce((sum, count) => sum + count, 0)
      expect(times, call).toBeGreaterThanOrEqual(5)
    }
    for (const name of WORLD) expect(proof.world[name], name).toBeGreaterThanOrEqual(50)
  })

  it('a schedule has the same trace for the same seed, and another for another seed', async () => {
    const [first, again, other] = [
      await runSchedules({ from: 7, count: 64 }),
      await runSchedules({ from: 7, count: 64 }),
      await runSchedules({ from: 8, count: 64 }),
    ]
    expect(again).toEqual(first)
    expect(other.traceHash).not.toBe(first.traceHash)
  })
})
