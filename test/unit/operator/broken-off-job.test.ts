import { Readable } from 'node:stream'
import { expect, it, vi } from 'vitest'
import { millis } from '../../../functions/domain/brands.ts'
import type { Command } from '../../../functions/operate/read-request.ts'
import { cancelJob, startJob } from '../../../functions/operate/start-job.ts'
import { type Bulk, replayByFilter } from '../../../lib/cli/steps/replay-bulk.ts'
import { functionActs } from '../../../lib/connect/function-acts.ts'
import { ROUTES } from '../../../lib/console/routes.ts'
import { type Operating, openOperator } from '../../../lib/operator/open-operator.ts'
import type { Terminal } from '../../../lib/terminal/terminal.ts'
import { wholeRig } from '../../support/whole-rig.ts'

/** A stack with one done event, whose operate function writes a job down, and then answers like this. */
const setUp = async (answer: (first: boolean) => Promise<unknown>) => {
  const at = wholeRig()
  await at.stripe({ id: 'evt_1', object: 'event', type: 'invoice.paid' })
  await at.deliver(async () => {}, at.texts())
  at.advance(1_000)
  let jobId = ''
  let calls = 0
  const ask = async (command: Command) => {
    if (command.act !== 'start-job') return answer(calls++ === 0)
    const job = await startJob({ ...at.world, actor: 'ada' }, command)
    jobId = job.id
    return job
  }
  const operator = openOperator({ ...at.world, acts: functionActs(ask as never) } as unknown as Operating)
  return { at, operator, jobId: () => jobId }
}

const FAULTS: readonly (readonly [string, () => Promise<unknown>])[] = [
  [
    'the operate function is throttled',
    async () => {
      throw Object.assign(new Error('Rate Exceeded.'), { name: 'TooManyRequestsException' })
    },
  ],
  ['the connection broke', async () => ({ kind: 'unavailable', cause: 'ECONNRESET' })],
]

it.each(FAULTS)(
  'a bulk replay of a stack that breaks off says which job to resume, also in JSON: %s',
  async (_, fault) => {
    const { operator, jobId } = await setUp(fault)
    const said: string[] = []
    const err: string[] = []
    const terminal = {
      out: (text: string | readonly string[]) => said.push(...[text].flat()),
      err: (text: string | readonly string[]) => err.push(...[text].flat()),
    } as unknown as Terminal
    const bulk: Bulk = {
      ...{ rate: 10, count: undefined },
      filter: now => ({ source: 'stripe', from: millis(now - 60_000), until: now }),
    }
    const how = { reason: 'r', yes: true, json: true, dryRun: false }
    expect(await replayByFilter(operator, bulk, how, terminal)).toBe(1)
    expect(JSON.parse(said.join('\n'))).toMatchObject({ result: 'unavailable', job: { id: jobId(), state: 'running' } })
    expect(err.join('\n')).toContain(`--resume ${jobId()}`)
  },
)

it.each(FAULTS)('the console says that a bulk replay broke off, and how it goes on: %s', async (_, fault) => {
  const { at, operator, jobId } = await setUp(fault)
  const world = { operator, brokenOff: new Map<string, string>(), place: { name: 'Hooklatch-production' } }
  const body = JSON.stringify({ reason: 'r', expected: 1, from: new Date(0).toISOString() })
  const request = Object.assign(Readable.from([Buffer.from(body)]), { headers: { 'content-type': 'application/json' } })
  const begun = await ROUTES['/api/replays']?.POST?.({ world, request, named: {} } as never)
  expect(begun).toMatchObject({ status: 202, json: { id: jobId(), state: 'running' } })
  const asked = () => ROUTES['/api/replays/{id}']?.GET?.({ world, named: { id: jobId() } } as never)
  const resume = `npx hooklatch replay --resume ${jobId()} --stack Hooklatch-production`
  await vi.waitFor(async () => expect(await asked()).toMatchObject({ json: { state: 'running', stopped: { resume } } }))
  await cancelJob(at.world, jobId())
  expect(await asked()).toMatchObject({ json: { state: 'cancelled', stopped: null } })
})
