import type { ReceivedMessage } from '../../functions/adapters/wire/queue-calls.ts'
import { buryBatch } from '../../functions/bury/bury-batch.ts'
import { batchVerdict } from '../local/batch-verdict.ts'
import { sqsEvent } from '../local/sqs-event.ts'
import { MEMORY_NAMES } from '../memory-aws/hooklatch-resources.ts'
import type { StoredMessage } from '../memory-aws/message-store.ts'
import { ENVIRONMENT, type Place } from './place.ts'
import { runWorker, type Worker } from './run-worker.ts'

export type Mapping = ReturnType<typeof mapping>

export type Order = 'oldest-first' | 'newest-first' | readonly (string | null)[]

const WORK = [MEMORY_NAMES.queueUrl, MEMORY_NAMES.orderedQueueUrl]
const DEAD = [MEMORY_NAMES.deadLettersUrl, MEMORY_NAMES.orderedDeadLettersUrl]

/** Lambda's event source mapping, one message a call: so a test knows the order in which its events are handled. */
export const mapping = (place: Place, worker: Worker) => {
  const { engine, outages } = place
  let held = false
  let order: Order = 'oldest-first'
  let draining: Promise<void> | undefined

  const queues = (): readonly string[] => (held ? DEAD : [...WORK, ...DEAD])

  const takeOne = (): { readonly url: string; readonly message: ReceivedMessage } | undefined => {
    if (outages.has('sqs')) return undefined
    for (const url of queues()) {
      const one = (waiting: readonly StoredMessage[]) => [next(waiting, order)].filter(message => message !== undefined)
      const [message] = engine.queue.receiveMessages(url, one)
      if (message) return { url, message }
    }
    return undefined
  }

  const run = async (): Promise<void> => {
    for (let taken = takeOne(); taken; taken = takeOne()) await handle(place, worker, taken.url, taken.message)
  }

  const drain = async (): Promise<void> => {
    draining ??= run().finally(() => {
      draining = undefined
    })
    await draining
  }

  return {
    /** Everything that can happen at this instant has happened when it resolves. */
    drain,
    /** The next instant at which a message becomes visible. */
    nextAt(): number | undefined {
      const times = queues().flatMap(url => engine.messages(url).map(({ visibleAt }) => visibleAt))
      const later = times.filter(at => at > place.world.now())
      return later.length === 0 ? undefined : Math.min(...later)
    },
    /** Messages for the worker stay where they are. */
    hold: (): void => {
      held = true
    },
    /** And are handed out: in this order, or in that of these ids. */
    async release(wanted: Order): Promise<void> {
      held = false
      order = wanted
      await drain()
      order = 'oldest-first'
    },
  }
}

const next = (waiting: readonly StoredMessage[], order: Order): StoredMessage | undefined => {
  if (order === 'oldest-first') return waiting[0]
  if (order === 'newest-first') return waiting.at(-1)
  return waiting.toSorted((left, right) => placeIn(order, left) - placeIn(order, right))[0]
}

/** What is not named comes last. */
const placeIn = (ids: readonly (string | null)[], { body }: StoredMessage): number => {
  const at = ids.indexOf(JSON.parse(body).id)
  return at < 0 ? ids.length : at
}

const handle = async (place: Place, worker: Worker, url: string, message: ReceivedMessage): Promise<void> => {
  const { arn } = place.engine.queue.queueState(url)
  const event = sqsEvent([message], arn)
  const life = place.crashes.newLife()
  const answer = DEAD.includes(url as (typeof DEAD)[number])
    ? await buryBatch(place.world, event, ENVIRONMENT, line => void place.lines.push(line), worker.tries)
    : await runWorker(place, worker, event, life)
  if (life.isOver) return
  const verdict = batchVerdict(new Set([message.messageId]), answer)
  if (verdict.kind !== 'understood' || verdict.failed.size > 0) return
  await Promise.race([life.passes('after-done'), life.death])
  if (!life.isOver) place.engine.queue.deleteMessages(url, [message.receipt])
}
