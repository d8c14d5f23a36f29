import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EVENTS_TABLE } from '../../functions/contract/tables.ts'
import {
  type Fence,
  type Fingerprint,
  type Millis,
  millis,
  type Sha256,
  seconds,
} from '../../functions/domain/brands.ts'
import type { Settlement } from '../../functions/domain/ports.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { FailureStore, WorkStore } from '../../functions/domain/work.ts'
import { type DynamoEngine, startDynamo } from '../../lib/local/engines/start-dynamo.ts'
import { type Chance, chance } from '../simulation/random.ts'
import { freshTable, sdkCalls } from '../support/engines.ts'
import { claimedRecord, NOON } from '../support/events.ts'
import { memoryRig } from '../support/memory-rig.ts'
import { allStores, type EventStore } from '../support/stores.ts'

const SEQUENCES = Number(process.env.DIFFERENTIAL_SEQUENCES ?? 150)
const OPERATIONS = 40

let engine: DynamoEngine
beforeAll(async () => {
  engine = await startDynamo('dynoxide')
})
afterAll(() => engine.stop())

type Store = EventStore & WorkStore & FailureStore

/** One operation on a store, the same whichever store it is. */
type Operation = (store: Store) => Promise<unknown>

/** Few keys, few fences and few instants, so that they meet. */
const operation = (
  luck: Chance,
  prefix: string,
  known: readonly EventRecord[],
  now: Millis,
): { name: string; run: Operation } => {
  const hex = (text: string) => Buffer.from(text).toString('hex')
  const fence = () => hex(`fence-${luck.below(4)}`).padEnd(32, '0') as Fence
  const fingerprint = () =>
    hex(`${prefix}-${luck.below(2)}`)
      .padEnd(64, '0')
      .slice(-64) as Fingerprint
  const fresh = () =>
    claimedRecord(now, {
      fingerprint: fingerprint(),
      fence: fence(),
      generation: luck.below(2),
      expiresAt: seconds(now / 1000 + luck.pick([20, 4_000_000])),
      bodyAt: luck.pick([null, 'dynamodb']),
      status: luck.pick(['claimed', 'claimed', 'queued', 'working', 'done', 'failed'] as const),
    })
  const seen = () => (known.length > 0 ? luck.pick(known) : fresh())
  const by = () => ({ fence: fence(), now, leaseUntil: millis(now + 15_000) })
  const body: Settlement = {
    now,
    expiresAt: seconds(now / 1000 + 4_000_000),
    bodySha256: 'd'.repeat(64) as Sha256,
    bodySize: 3,
    bodyAt: luck.pick([null, 'dynamodb']),
  }
  const { now: _now, ...kept } = body
  // A client token names one transaction for ten minutes: two may not share it.
  const token = hex(`${prefix}-${now}-${luck.next()}`).slice(-32) as Fence
  const guard = luck.happens(0.3) ? (hex(`${prefix}-guard`).padEnd(64, '0').slice(-64) as Fingerprint) : null
  const [first, second, owner, mine] = [fresh(), seen(), by(), { ...seen(), fence: fence() }]
  const operations: Record<string, Operation> = {
    claim: store => store.claim(guard === null ? first : { ...first, fence: token, guard }),
    takeOver: store => store.takeOver(second, owner),
    reopen: store => store.reopen(second, owner, { ...body, bodyAt: 'dynamodb' }),
    settle: store => store.settle(second, body),
    release: store => store.release(second, now, 'x'),
    take: store =>
      store.take({ ...mine, status: 'working', attempts: 1, leaseUntil: millis(now + 10_000), updatedAt: now }, now),
    giveBack: store => store.giveBack(second, now),
    finish: store => store.finish(second, now),
    report: store => store.report(second, now, 'x', now),
    fail: store => store.fail(mine, { fence: mine.fence, now, leaseUntil: now }, { ...kept, lastError: 'x' }),
    commit: store => store.commit(second, [], token, now),
    read: store => store.read(second.fingerprint, now),
  }
  const name = luck.pick(Object.keys(operations))
  return { name, run: operations[name] as Operation }
}

describe('the stores on the memory AWS and on an engine', () => {
  it(`the stores on the memory AWS and on an engine give the same answers to ${SEQUENCES} random sequences of ${OPERATIONS} operations`, async () => {
    const eventsTable = await freshTable(engine.endpoint, EVENTS_TABLE)
    const onEngine = allStores(sdkCalls({ dynamodb: engine.endpoint }), { eventsTable })
    const real: Store = { ...onEngine.events, ...onEngine.work }
    for (let seed = 1; seed <= SEQUENCES; seed++) {
      let now = NOON
      const memory = memoryRig({ now: () => now })
      const { claims, copies, events, records, work, failures } = memory.stores
      const inMemory: Store = { ...claims, ...copies, ...events, ...records, ...work, ...failures }
      const luck = chance(seed)
      const story: string[] = []
      for (let step = 0; step < OPERATIONS; step++) {
        now = millis(now + luck.pick([0, 1, 5_000, 16_000]))
        const { name, run } = operation(luck, `s${seed}`, memory.records.values(), now)
        const [expected, actual] = [await run(inMemory), await run(real)]
        story.push(`${step} ${name} ${JSON.stringify(expected)}`)
        expect(actual, `seed ${seed}\n${story.join('\n')}`).toEqual(expected)
      }
    }
  }, 600_000)
})
