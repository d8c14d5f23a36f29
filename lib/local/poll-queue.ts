import { setTimeout as sleep } from 'node:timers/promises'
import type { QueueCalls, ReceivedMessage } from '../../functions/adapters/wire/queue-calls.ts'
import { batchVerdict } from './batch-verdict.ts'
import { type Invoked, invoke } from './invoke.ts'
import { sqsEvent } from './sqs-event.ts'

export interface Polled extends Invoked {
  readonly queue: QueueCalls
  readonly queueUrl: string
  /** While it says so, nothing is handed over. @default never */
  readonly paused?: () => Promise<boolean>
  /** The clock of the function. @default that of the queue */
  readonly now?: () => number
  /** Where faults of the queue and of the function as a whole go, in a sentence. */
  readonly warn: (sentence: string) => void
}

const LONG_POLL_SECONDS = 20
/** As many as Lambda starts with: one slow batch does not stop the others. */
const BATCHES_AT_ONCE = 5
const FULL_BATCH = 10
const GATHER_MS = 20
const PAUSE_AFTER_FAULT_MS = 1_000
const LOOK_AGAIN_MS = 200
/** Not at once: fauxqs with its data on disk forgets a message that is made visible by a 0, until it is started again. */
const SOON_SECONDS = 1

/**
 * Lambda's event source mapping on a laptop: hands over what a queue holds, and deletes what the function does not report as
 * failed. The rest comes back by itself after its visibility timeout.
 */
export const pollQueue = (polled: Polled): { stop(): Promise<void> } => {
  const stopped = new AbortController()
  const { signal } = stopped
  const running = new Set<Promise<void>>()

  const handOver = (messages: readonly ReceivedMessage[], queueArn: string): void => {
    const batch = handleBatch(polled, messages, queueArn)
      .catch(error => polled.warn(`A batch of ${nameOf(polled)} comes back: ${(error as Error).message}`))
      .finally(() => running.delete(batch))
    running.add(batch)
  }

  const rest = (milliseconds: number): Promise<void> => sleep(milliseconds, undefined, { signal }).catch(() => {})
  const isPaused = async (): Promise<boolean> => (await polled.paused?.()) ?? false

  const unpaused = async (): Promise<void> => {
    while (!signal.aborted && (await isPaused())) await rest(LOOK_AGAIN_MS)
  }

  const poll = async (): Promise<void> => {
    const { arn } = await polled.queue.queueState(polled.queueUrl)
    await unpaused()
    while (!signal.aborted) {
      const messages = await polled.queue.receiveMessages(polled.queueUrl, { waitSeconds: LONG_POLL_SECONDS, signal })
      if (messages.length === 0) continue
      // It may have been paused while it waited: then they go back as they came.
      if (await isPaused()) {
        await putBack(polled, messages)
        await unpaused()
        continue
      }
      handOver(messages, arn)
      if (running.size >= BATCHES_AT_ONCE) await Promise.race(running)
      // Under load, whoever asks at once gets one message, and each costs a receive, a delete and a look at the pauses.
      else if (messages.length < FULL_BATCH) await rest(GATHER_MS)
    }
  }

  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await poll()
      } catch (error) {
        if (signal.aborted) return
        polled.warn(`The queue ${nameOf(polled)} did not answer: ${(error as Error).message}`)
        await rest(PAUSE_AFTER_FAULT_MS)
      }
    }
  }

  const ended = loop()
  return {
    /** What is being handled is handled to its end, which its timeout bounds. */
    stop: async () => {
      stopped.abort()
      await ended
      await Promise.all(running)
    },
  }
}

const putBack = async ({ queue, queueUrl }: Polled, messages: readonly ReceivedMessage[]): Promise<void> => {
  await Promise.all(messages.map(({ receipt }) => queue.changeVisibility(queueUrl, receipt, SOON_SECONDS)))
}

const nameOf = ({ queueUrl }: Polled): string => queueUrl.slice(queueUrl.lastIndexOf('/') + 1)

const handleBatch = async (polled: Polled, messages: readonly ReceivedMessage[], queueArn: string): Promise<void> => {
  const event = sqsEvent(messages, queueArn, polled.now ? polled.now() - Date.now() : 0)
  const answer = await invoke(polled, event)
  const verdict = batchVerdict(new Set(event.Records.map(({ messageId }) => messageId)), answer)
  if (verdict.kind === 'malformed') throw new Error(`the function's answer cannot be understood, ${verdict.why}.`)
  const handled = event.Records.filter(({ messageId }) => !verdict.failed.has(messageId))
  if (handled.length === 0) return
  const receipts = handled.map(({ receiptHandle }) => receiptHandle)
  const failed = await polled.queue.deleteMessages(polled.queueUrl, receipts)
  if (failed.length > 0) throw new Error(`${failed.length} of ${handled.length} messages could not be deleted.`)
}
