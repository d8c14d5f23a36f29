import { writeFileSync } from 'node:fs'
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency'
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import type { Context } from 'aws-lambda'
import type { GatewayEvent } from '../../functions/adapters/api-gateway.ts'
import { systemClock } from '../../functions/adapters/system.ts'
import { EVENTS_TABLE } from '../../functions/contract/tables.ts'
import { millis } from '../../functions/domain/brands.ts'
import { createAnswerStore } from '../../functions/idempotent/answer-store.ts'
import { idempotently } from '../../functions/idempotent/idempotent.ts'
import { startDynamo } from '../../lib/local/engines/start-dynamo.ts'
import { freshTable } from '../support/engines.ts'
import { askEvent } from '../support/idempotent-rig.ts'
import { print, tool } from '../tools/tool.ts'

export const powertoolsComparison = tool({
  summary: 'Plays each case of an Idempotency-Key against Hooklatch and against Powertools, on the same engine.',
  flags: { markdown: { value: 'FILE', help: 'also write the table there' } },
  async run({ flags }) {
    const engine = await startDynamo('dynoxide')
    const rows: string[] = []
    for (const { says, play } of CASES) {
      const cells: string[] = []
      for (const open of [ours, powertools]) {
        const subject = await open(engine.endpoint)
        cells.push(await play(subject), callsOf(subject))
      }
      rows.push(`| ${[says, ...cells].join(' | ')} |`)
    }
    await engine.stop()
    const table = [
      '| case | Hooklatch | calls | Powertools 2.35.0 | calls |',
      '| --- | --- | --- | --- | --- |',
      ...rows,
    ].join('\n')
    print(table)
    if (flags.markdown !== undefined) writeFileSync(flags.markdown, `${table}\n`)
    return 0
  },
})

/** Counts the calls to the engine, and loses the answers it is told to. */
class Wire extends NodeHttpHandler {
  readonly calls: string[] = []
  lose: string | undefined

  override async handle(...call: Parameters<NodeHttpHandler['handle']>): ReturnType<NodeHttpHandler['handle']> {
    const operation = String(call[0].headers['x-amz-target']).split('.')[1] ?? ''
    this.calls.push(operation)
    const answer = await super.handle(...call)
    if (this.lose !== operation) return answer
    this.lose = undefined
    throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' })
  }
}

type Handle = (run: number) => Promise<{ statusCode: number; body: string }>

interface Subject {
  readonly wire: Wire
  /** One request: what a client would see. `late`: as if so many milliseconds had passed. */
  ask(
    request: { readonly key: string; readonly amount: number; readonly late?: number },
    handle: Handle,
  ): Promise<string>
}

interface Case {
  readonly says: string
  play(subject: Subject): Promise<string>
}

const ok: Handle = async run => ({ statusCode: 201, body: `run ${run}` })
const tally = (answers: readonly string[]): string =>
  Object.entries(Object.groupBy(answers, each => each))
    .map(([answer, those]) => (answers.length > 1 ? `${those?.length} × ${answer}` : answer))
    .sort()
    .join(', ')

const CASES: readonly Case[] = [
  { says: 'first request', play: at => at.ask({ key: 'a', amount: 1 }, ok) },
  {
    says: 'retry after completion',
    play: async at => {
      await at.ask({ key: 'a', amount: 1 }, ok)
      at.wire.calls.length = 0
      return at.ask({ key: 'a', amount: 1 }, ok)
    },
  },
  {
    says: 'same key, other payload, after completion',
    play: async at => {
      await at.ask({ key: 'a', amount: 1 }, ok)
      at.wire.calls.length = 0
      return at.ask({ key: 'a', amount: 2 }, ok)
    },
  },
  {
    says: 'retry while the first is running',
    play: async at => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const begun = Promise.withResolvers<void>()
      const first = at.ask({ key: 'a', amount: 1 }, async run => {
        begun.resolve()
        await promise
        return ok(run)
      })
      await begun.promise
      at.wire.calls.length = 0
      const second = await at.ask({ key: 'a', amount: 1 }, ok)
      const calls = [...at.wire.calls]
      resolve()
      await first
      at.wire.calls.splice(0, Number.POSITIVE_INFINITY, ...calls)
      return second
    },
  },
  {
    says: '50 at the same instant',
    play: async at => tally(await Promise.all(Array.from({ length: 50 }, () => at.ask({ key: 'a', amount: 1 }, ok)))),
  },
  {
    says: 'the answer to the claim is lost on its way (the SDK repeats it)',
    play: async at => {
      at.wire.lose = 'PutItem'
      return at.ask({ key: 'a', amount: 1 }, ok)
    },
  },
  {
    says: 'the owner died; the next request after its lease, same payload',
    play: async at => {
      void at.ask({ key: 'a', amount: 1 }, () => new Promise(() => {})).catch(() => {})
      await new Promise(resolve => setTimeout(resolve, 200))
      at.wire.calls.length = 0
      return at.ask({ key: 'a', amount: 1, late: 60_000 }, ok)
    },
  },
  {
    says: 'the owner died; the next request after its lease, other payload',
    play: async at => {
      void at.ask({ key: 'a', amount: 1 }, () => new Promise(() => {})).catch(() => {})
      await new Promise(resolve => setTimeout(resolve, 200))
      at.wire.calls.length = 0
      return at.ask({ key: 'a', amount: 2, late: 60_000 }, ok)
    },
  },
  {
    says: 'an owner that outlived its lease finishes after its successor; what a retry then gets',
    play: async at => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const zombie = at.ask({ key: 'a', amount: 1 }, () => promise.then(() => ({ statusCode: 201, body: 'zombie' })))
      await new Promise(wait => setTimeout(wait, 200))
      await at.ask({ key: 'a', amount: 1, late: 60_000 }, async () => ({ statusCode: 201, body: 'successor' }))
      resolve()
      const [its, then] = [await zombie, await at.ask({ key: 'a', amount: 1, late: 60_000 }, ok)]
      at.wire.calls.length = 0
      return `the zombie: ${its}; the retry: ${then}`
    },
  },
  {
    says: 'a rejected duplicate fails while its owner runs; what a third gets',
    play: async at => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const owner = at.ask({ key: 'a', amount: 1 }, run => promise.then(() => ok(run)))
      await new Promise(wait => setTimeout(wait, 200))
      await at.ask({ key: 'a', amount: 2 }, ok)
      const third = await at.ask({ key: 'a', amount: 1 }, ok)
      resolve()
      await owner
      at.wire.calls.length = 0
      return third
    },
  },
  {
    says: 'the handler throws, then a retry',
    play: async at => {
      const first = await at.ask({ key: 'a', amount: 1 }, async () => Promise.reject(new Error('boom')))
      at.wire.calls.length = 0
      return `${first}; then ${await at.ask({ key: 'a', amount: 1 }, ok)}`
    },
  },
  {
    says: 'the handler answers 503, then a retry',
    play: async at => {
      const first = await at.ask({ key: 'a', amount: 1 }, async () => ({ statusCode: 503, body: 'busy' }))
      at.wire.calls.length = 0
      return `${first}; then ${await at.ask({ key: 'a', amount: 1 }, ok)}`
    },
  },
  { says: 'no key', play: at => at.ask({ key: '', amount: 1 }, ok) },
]

const wired = (endpoint: string) => {
  const wire = new Wire()
  const client = new DynamoDBClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    endpoint,
    requestHandler: wire,
  })
  return { wire, client }
}

const context = { getRemainingTimeInMillis: () => 10_000, functionName: 'compare', awsRequestId: '1' } as Context

/** What a client of an HTTP API sees of a handler that threw. */
const thrown = (error: unknown): string => `500, thrown ${(error as Error).name}`

const ours = async (endpoint: string): Promise<Subject> => {
  const { wire, client } = wired(endpoint)
  const table = await freshTable(endpoint, EVENTS_TABLE)
  const store = createAnswerStore({ table, dynamodb: DynamoDBDocumentClient.from(client) })
  let run = 0
  return {
    wire,
    ask: async ({ key, amount, late = 0 }, handle) => {
      const handler = idempotently<GatewayEvent, { statusCode: number; headers?: object; body: string }>(
        { store, now: () => millis(systemClock() + late) },
        () => handle(++run),
      )
      try {
        const event = askEvent({ key: key === '' ? null : key, body: JSON.stringify({ amount }) })
        const { statusCode, body, headers = {} } = await handler(event, context)
        const what = body.startsWith('{') ? JSON.parse(body).type.split('#').at(-1) : body
        return `${statusCode} ${what}${'idempotent-replayed' in headers ? ', replayed' : ''}`
      } catch (error) {
        return thrown(error)
      }
    },
  }
}

const POWERTOOLS_TABLE = { partitionKey: { name: 'id', type: 'S' }, timeToLive: 'expiration' } as const

const powertools = async (endpoint: string): Promise<Subject> => {
  const { wire, client } = wired(endpoint)
  const persistenceStore = new DynamoDBPersistenceLayer({
    tableName: await freshTable(endpoint, POWERTOOLS_TABLE),
    awsSdkV3Client: client,
  })
  const config = new IdempotencyConfig({
    eventKeyJmesPath: 'key',
    payloadValidationJmesPath: 'amount',
    throwOnNoIdempotencyKey: true,
  })
  config.registerLambdaContext(context)
  let run = 0
  return {
    wire,
    ask: async ({ key, amount, late = 0 }, handle) => {
      const real = Date.now
      const before = run
      // It reads the clock itself: for a request that comes late, the clock is moved while it runs.
      if (late > 0) Date.now = () => real() + late
      try {
        const event = key === '' ? { amount } : { key, amount }
        const answer = await makeIdempotent(async (_event: object) => handle(++run), { persistenceStore, config })(
          event,
        )
        return `${answer.statusCode} ${answer.body}${run === before ? ', not told from the first' : ''}`
      } catch (error) {
        return thrown(error)
      } finally {
        Date.now = real
      }
    },
  }
}

const callsOf = ({ wire: { calls } }: Subject): string =>
  Object.entries(Object.groupBy(calls, each => each))
    .map(([name, those]) => `${those?.length} ${name}`)
    .join(', ') || '-'
