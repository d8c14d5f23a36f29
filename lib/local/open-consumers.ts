import { optionalNumber } from '../../functions/adapters/environment.ts'
import type { QueueCalls } from '../../functions/adapters/wire/queue-calls.ts'
import type { Burying } from '../../functions/bury/bury.ts'
import { buryBatch } from '../../functions/bury/bury-batch.ts'
import { consume } from '../../functions/consume/consume.ts'
import type { Handler } from '../../functions/consume/handle.ts'
import { BURY_TIMEOUT_SECONDS, WORKER_TIMEOUT_SECONDS } from '../../functions/contract/limits.ts'
import { type Millis, seconds, toMillis } from '../../functions/domain/brands.ts'
import { WORKER } from '../../functions/domain/destinations.ts'
import { isPaused } from '../../functions/domain/pauses.ts'
import type { Consuming, World } from '../../functions/domain/world.ts'
import type { Recovering } from '../../functions/recover/recover.ts'
import type { Resources } from '../connect/instance.ts'
import type { DestinationConsumer } from './destination-consumers.ts'
import { type Polled, pollQueue } from './poll-queue.ts'
import { recoverRegularly } from './recover-regularly.ts'

export interface Consumers {
  readonly world: Consuming & Burying & Recovering & World<'environment' | 'left' | 'pauses'>
  readonly worker: Handler
  /** @default as the stack's, unless its user says otherwise */
  readonly workerTimeoutSeconds?: number
  readonly queue: QueueCalls
  readonly resources: Resources
  /** What works for the destinations besides. */
  readonly destinations: readonly DestinationConsumer[]
  readonly recoverEvery: Millis
  readonly write: (line: string) => void
  readonly warn: (sentence: string) => void
}

/** Everything behind the queue: the functions that work, bury and recover in AWS, on the local instance's world. */
export const openConsumers = (consumers: Consumers): { stop(): Promise<void> } => {
  const { world, worker, queue, resources, destinations, recoverEvery, write, warn } = consumers
  const { workerTimeoutSeconds = WORKER_TIMEOUT_SECONDS } = consumers
  const { environment } = world
  const work = consume(worker, { world, environment, write, sources: Object.fromEntries(world.sources) })
  const bury: Polled['handler'] = event => buryBatch(world, event, environment, write, optionalNumber('tries'))
  const poll = (queueUrl: string, handler: Polled['handler'], timeoutSeconds: number, destination?: string) => {
    const paused = async () => destination !== undefined && isPaused(await world.pauses.read(destination), world.now())
    const { now } = world
    return pollQueue({ queue, queueUrl, handler, timeout: toMillis(seconds(timeoutSeconds)), paused, now, warn })
  }

  const opened = [
    poll(resources.queueUrl, work, workerTimeoutSeconds, WORKER),
    poll(resources.orderedQueueUrl, work, workerTimeoutSeconds, WORKER),
    poll(resources.deadLettersUrl, bury, BURY_TIMEOUT_SECONDS),
    poll(resources.orderedDeadLettersUrl, bury, BURY_TIMEOUT_SECONDS),
    ...destinations.map(({ name, handler, timeoutSeconds }) =>
      poll(resources.destinations[name] ?? '', handler, timeoutSeconds, name),
    ),
    ...Object.values(resources.destinationDeadLetters).map(url => poll(url, bury, BURY_TIMEOUT_SECONDS)),
    recoverRegularly(world, { every: recoverEvery, write, warn }),
  ]
  return {
    stop: async () => {
      await Promise.all(opened.map(each => each.stop()))
    },
  }
}
