import { setTimeout as sleep } from 'node:timers/promises'
import { chance } from '../simulation/random.ts'
import { effectsOf, imbalances, isQuiet, type Stock, takeStock } from './balance.ts'
import type { FunctionName } from './bundle.ts'
import { fastClock, SPEED } from './clock.ts'
import { startLambda } from './lambda.ts'
import { startMapping, startSchedule } from './mapping.ts'
import { LOSSES, type Loss } from './proxy.ts'
import { type KillRig, openKillRig } from './rig.ts'
import { type Answer, startSenders } from './senders.ts'

export interface KillOptions {
  readonly kills: number
  readonly seed: number
  readonly say?: (line: string) => void
}

export interface Killed {
  readonly seed: number
  readonly kills: number
  readonly killed: Record<FunctionName | 'engine', number>
  readonly losses: Record<Loss, number>
  readonly events: number
  readonly received: number
  readonly answers: Record<Answer, number>
  /** Events that were ever claimed; each is done or failed. */
  readonly accepted: number
  readonly done: number
  readonly failed: number
  readonly recovered: number
  readonly effects: number
  readonly imbalances: readonly string[]
  readonly seconds: number
}

const ENVIRONMENTS = { receive: 3, worker: 2, recover: 1, bury: 1 } as const
/** Milliseconds that a function may run: shorter than in AWS, so that a slow network ends some of them. */
const LIMITS = { receive: 6_000, worker: 5_000, recover: 20_000, bury: 10_000 } as const
const LOSS_RATE = 0.05
/** Of invocations that are to be killed: the rare ones oftener. */
const SENTENCES = { receive: 0.25, worker: 0.35, recover: 0.5, bury: 0.5 } as const
const ENGINE_EVERY_KILLS = 50
const DRAINED_WITHIN_MS = 240_000

/** Functions in processes of their own are killed at random while senders post; then nobody is, and the ledger must balance. */
export const kill = async ({ kills, seed, say = () => {} }: KillOptions): Promise<Killed> => {
  const startedAt = Date.now()
  const luck = chance(seed)
  const rig = await openKillRig(chance(seed + 1))
  const now = fastClock(startedAt)
  const killed: Killed['killed'] = { receive: 0, worker: 0, recover: 0, bury: 0, engine: 0 }
  const enough = Promise.withResolvers<void>()
  const total = (): number => Object.values(killed).reduce((sum, count) => sum + count, 0)
  const lambda = await startLambda({
    dir: rig.dir,
    variables: rig.variables(startedAt),
    environments: ENVIRONMENTS,
    limits: LIMITS,
    reaper: {
      sentence: name => (total() < kills && luck.happens(SENTENCES[name]) ? luck.next() * 1.2 : undefined),
      killed: name => {
        killed[name]++
        if (total() % 100 === 0) say(`${total()} kills`)
        if (total() >= kills) enough.resolve()
      },
    },
  })
  try {
    const { queue } = rig.clients().aws
    const going = [
      startMapping(lambda, 'worker', queue, rig.resources.queueUrl),
      startMapping(lambda, 'worker', queue, rig.resources.queueUrl),
      startMapping(lambda, 'bury', queue, rig.resources.deadLettersUrl),
      startSchedule(lambda, 'recover', 60_000 / SPEED / 4),
    ]
    const senders = startSenders(lambda, now, chance(seed + 2))

    for (const proxy of rig.proxies) proxy.rate = LOSS_RATE
    await Promise.all([enough.promise, killEngine(() => total() < kills, total, rig, killed)])
    for (const proxy of rig.proxies) proxy.rate = 0

    await senders.finish()
    const stock = await drained(() => takeStock(rig, now()))
    await Promise.all(going.map(each => each.stop()))
    const effects = await effectsOf(rig)
    const count = (status: string): number => stock.records.filter(record => record.status === status).length
    return {
      seed,
      kills,
      killed,
      losses: sumOf(rig.proxies.map(({ losses }) => losses)),
      events: senders.events.length,
      received: senders.received,
      answers: senders.answers,
      accepted: stock.records.length,
      done: count('done'),
      failed: count('failed'),
      recovered: stock.records.filter(({ claimedAt, firstSeenAt }) => claimedAt > firstSeenAt).length,
      effects: [...effects.values()].reduce((sum, each) => sum + each, 0),
      imbalances: imbalances(senders, stock, effects),
      seconds: Math.round((Date.now() - startedAt) / 1000),
    }
  } finally {
    await lambda.stop()
    await rig.close()
  }
}

/** The engine goes now and then, too, and is back in a moment. */
const killEngine = async (
  going: () => boolean,
  total: () => number,
  rig: KillRig,
  killed: Killed['killed'],
): Promise<void> => {
  for (let next = ENGINE_EVERY_KILLS / 2; going(); await sleep(50)) {
    if (total() < next) continue
    next += ENGINE_EVERY_KILLS
    await rig.killDynamo()
    killed.engine++
  }
}

/** Until nothing is left to do, or for as long as anybody would wait. */
const drained = async (look: () => Promise<Stock>): Promise<Stock> => {
  const deadline = Date.now() + DRAINED_WITHIN_MS
  let stock = await look()
  while (!isQuiet(stock) && Date.now() < deadline) {
    await sleep(500)
    stock = await look()
  }
  return stock
}

const sumOf = (all: readonly Record<Loss, number>[]): Record<Loss, number> =>
  Object.fromEntries(LOSSES.map(loss => [loss, all.reduce((sum, losses) => sum + losses[loss], 0)])) as Record<
    Loss,
    number
  >
