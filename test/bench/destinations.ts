import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SourceConfig } from '../../functions/domain/source.ts'
import { readNumber } from '../../lib/cli/flags.ts'
import { isRefusal } from '../../lib/connect/refusal.ts'
import { localhostChain } from '../support/make-certificate.ts'
import { complain, print, tool } from '../tools/tool.ts'
import { bundle } from './bundle.ts'
import { SIZES, SOURCE } from './deliveries.ts'
import { ratioOf } from './goals.ts'
import { open, type Process, type Setting } from './measure.ts'
import { NOTHING, type Sample } from './sample.ts'
import { type Interval, shuffled } from './statistics.ts'
import { type Stub, startStub } from './stub.ts'

const CASES = {
  plain: { says: 'without routes' },
  control: { says: 'without routes, once more' },
  byType: { says: 'one destination, by type', routes: [{ when: { type: 'orders/*' }, to: 'crm' }] },
  byBody: {
    says: 'one destination, by a value in the body',
    routes: [{ when: { body: { id: 'evt_none' } }, to: 'worker' }, { to: 'crm' }],
  },
} as const satisfies Record<string, { readonly says: string; readonly routes?: SourceConfig['routes'] }>

type Case = keyof typeof CASES

const TURNS = 24
const EVENTS = 25

export const destinationsBench = tool({
  summary:
    'Compares a new event that a route leads to one destination with one of a source without routes: calls and CPU, over TLS.',
  flags: {
    rounds: { value: 'N', help: 'fresh processes of each (default 5)' },
    json: { value: 'FILE', help: 'also write calls and ratios as JSON' },
  },
  async run({ flags }) {
    const rounds = readNumber(flags.rounds, 'rounds', { min: 1, max: 1_000, otherwise: 5 })
    if (isRefusal(rounds)) return rounds
    const compared = await compareRoutes(rounds)
    for (const [name, { calls, ratio }] of Object.entries(compared)) print(row(CASES[name as Case].says, calls, ratio))
    if (flags.json) writeFileSync(flags.json, `${JSON.stringify(compared, null, 2)}\n`)
    return 0
  },
})

const row = (says: string, calls: readonly string[], { median, low, high }: Interval): string =>
  `${says}: ${calls.join(' + ')}; CPU ${median.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)}) of a source without routes`

/** Of each case: the calls of one event, and its CPU beside `plain`. */
const compareRoutes = async (rounds: number) => {
  const directory = mkdtempSync(join(tmpdir(), 'hooklatch-bench-'))
  const chain = localhostChain()
  const authority = join(directory, 'authority.pem')
  writeFileSync(authority, chain.authority)
  const stub = await startStub(chain)
  try {
    const made = { name: 'child', directory, entry: 'test/bench/child.ts', awaitsAtStart: true }
    const { file: child } = await bundle(made)
    const settings = await settingsOf(directory, { child, services: stub.secure, pinned: false, authority })
    const samples: Record<string, Sample[][]> = {}
    let calls: Partial<Record<Case, readonly string[]>> = {}
    for (let round = 1; round <= rounds; round += 1) {
      complain(`round ${round} of ${rounds}`)
      const turns = await takeTurns(stub, settings)
      for (const { name, values } of turns) samples[name] = [...(samples[name] ?? []), values]
      calls = Object.fromEntries(turns.map(each => [each.name, each.calls]))
    }
    const found = (name: Case) => ({
      calls: calls[name] ?? [],
      ratio: ratioOf(samples, { of: name, to: 'plain', read: ({ perEvent }) => perEvent }),
    })
    return Object.fromEntries(Object.keys(CASES).map(name => [name, found(name as Case)]))
  } finally {
    await stub.stop()
    rmSync(directory, { recursive: true })
  }
}

interface Running {
  readonly name: Case
  readonly process: Process
  readonly calls: readonly string[]
  readonly values: Sample[]
}

type Settings = readonly { readonly name: Case; readonly file: string; readonly setting: Setting }[]

/** Each as its stack would have it: only one with destinations is told of their queues. */
const settingsOf = async (directory: string, setting: Setting): Promise<Settings> => {
  const HOOKLATCH_DESTINATIONS = JSON.stringify({ crm: `${setting.services.sqs}/000000000000/crm` })
  return Promise.all(
    Object.entries(CASES).map(async ([name, each]) => {
      const routes = 'routes' in each ? { routes: each.routes } : {}
      const sources = { [SOURCE]: { provider: 'shopify', retain: 'none', ...routes } } as const
      const destinations = { crm: { queue: 'crm' } }
      const bundling = { name, directory, entry: 'functions/receive/handler.ts', awaitsAtStart: true }
      const { file } = await bundle({ ...bundling, sources, destinations })
      const env = 'routes' in each ? { HOOKLATCH_DESTINATIONS } : {}
      return { name: name as Case, file, setting: { ...setting, env } }
    }),
  )
}

/** Side by side, a few events each in turn: whatever slows the machine down slows all of them down. */
const takeTurns = async (stub: Stub, settings: Settings): Promise<readonly Running[]> => {
  const running: Running[] = []
  for (const { name, file, setting } of shuffled(settings, Math.random)) {
    const process = await open(setting, file, { kind: 'new', bytes: SIZES['8KB'] })
    await process.run(TURNS * EVENTS)
    stub.take()
    await process.run(1)
    running.push({ name, process, calls: stub.take().map(({ operation }) => operation), values: [] })
  }
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const { process, values } of shuffled(running, Math.random)) {
      values.push({ ...NOTHING, ...(await process.run(EVENTS)) })
      stub.take()
    }
  }
  await Promise.all(running.map(each => each.process.end()))
  stub.forget()
  return running
}
