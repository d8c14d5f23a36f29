import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import type { Context } from 'aws-lambda'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GatewayEvent } from '../../functions/adapters/api-gateway.ts'
import { systemClock } from '../../functions/adapters/system.ts'
import { EVENTS_TABLE } from '../../functions/contract/tables.ts'
import { millis } from '../../functions/domain/brands.ts'
import { idempotently } from '../../functions/idempotent/idempotent.ts'
import { localClients } from '../../lib/connect/local-clients.ts'
import { type DynamoEngine, startDynamo } from '../../lib/local/engines/start-dynamo.ts'
import { freshTable } from '../support/engines.ts'
import { type Answered, askEvent, idempotentRig } from '../support/idempotent-rig.ts'
import { localSdk } from '../support/local-sdk.ts'
import { publishRig } from '../support/publish-rig.ts'
import { allStores } from '../support/stores.ts'

let engine: DynamoEngine
beforeAll(async () => {
  engine = await startDynamo('dynoxide')
})
afterAll(() => engine.stop())

/** With the local instance's patience: two hundred at once wait for a socket. */
const open = async () => {
  const endpoints = { dynamodb: engine.endpoint, sqs: engine.endpoint, s3: engine.endpoint }
  const { aws } = localClients(endpoints)
  const { dynamodb } = localSdk(endpoints)
  const table = await freshTable(engine.endpoint, EVENTS_TABLE)
  return { dynamodb, table, ...allStores(aws, { eventsTable: table }).parts }
}

const tally = (answers: readonly { readonly status: number; readonly headers: object }[]) => ({
  fresh: answers.filter(({ status, headers }) => status < 300 && !('idempotent-replayed' in headers)).length,
  replayed: answers.filter(({ status, headers }) => status < 300 && 'idempotent-replayed' in headers).length,
  running: answers.filter(({ status }) => status === 409).length,
})

describe('200 requests with one key at the same instant', () => {
  it('200 requests with one key at the same instant run the handler once: one answer, the rest 409 or that answer replayed', async () => {
    const { answers: store } = await open()
    const at = idempotentRig({ store })
    const answers = await Promise.all(Array.from({ length: 200 }, () => at.ask()))
    const counted = tally(answers.map(({ statusCode, headers }) => ({ status: statusCode, headers })))
    expect(at.runs).toHaveLength(1)
    expect(counted.fresh).toBe(1)
    expect(counted.replayed + counted.running).toBe(199)
    expect(await at.ask()).toMatchObject({
      statusCode: 201,
      body: '{"run":1}',
      headers: { 'idempotent-replayed': 'true' },
    })
  })

  it('200 publishers with one key at the same instant publish one event: one 202, the rest 409 or that answer replayed', async () => {
    const { claims, events } = await open()
    const at = publishRig({ world: { claims, events } })
    const counted = tally(await Promise.all(Array.from({ length: 200 }, () => at.publish())))
    expect(counted.fresh).toBe(1)
    expect(counted.replayed + counted.running).toBe(199)
    expect(at.messages()).toHaveLength(1)
  })
})

describe('answers among the events', () => {
  it('stored answers are in no list of events, and expire by the same attribute', async () => {
    const stores = await open()
    const { dynamodb, table } = stores
    const at = idempotentRig({ store: stores.answers })
    await at.ask()
    const { records } = await stores.records.list({ limit: 10, now: at.now(), from: at.now() })
    expect(records).toEqual([])
    const { Items } = await dynamodb.send(new ScanCommand({ TableName: table }))
    expect(Items).toMatchObject([{ status: 'finished', expiresAt: at.now() / 1000 + 86_400 }])
  })
})

describe('a process killed with -9 between the effect and the stored answer', () => {
  it('a key whose process was killed before it stored the answer is 409 until the lease has passed, 422 for another payload, and then taken over', async () => {
    const { answers: store, table } = await open()
    const directory = mkdtempSync(join(tmpdir(), 'hooklatch-idempotent-'))
    const effects = join(directory, 'effects')
    const errand = JSON.stringify({ endpoint: engine.endpoint, table, effects })
    const child = spawn(process.execPath, [join(import.meta.dirname, '../crash/idempotent-child.ts'), errand])
    const died = await new Promise(resolve => child.once('close', (_code, signal) => resolve(signal)))
    expect(died).toBe('SIGKILL')
    expect(readFileSync(effects, 'utf8')).toBe('acted\n')
    rmSync(directory, { recursive: true })

    let now = systemClock()
    const took: (boolean | undefined)[] = []
    const ask = idempotently<GatewayEvent, Answered>(
      { store, now: () => now },
      async (_event, _context, idempotency) => {
        took.push(idempotency?.tookOver)
        return { statusCode: 200, headers: {}, body: 'second' }
      },
    )
    const context = { getRemainingTimeInMillis: () => 10_000 } as Context
    expect((await ask(askEvent(), context)).statusCode).toBe(409)
    now = millis(now + 35_000)
    expect((await ask(askEvent({ body: '{"amount":2}' }), context)).statusCode).toBe(422)
    expect((await ask(askEvent(), context)).body).toBe('second')
    expect(took).toEqual([true])
  })
})
