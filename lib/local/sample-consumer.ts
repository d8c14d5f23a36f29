import { setTimeout as sleep } from 'node:timers/promises'
import { DeleteMessageCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs'
import type { Message } from '../../functions/contract/message.ts'

const LONG_POLL_SECONDS = 20
const PAUSE_AFTER_FAULT_MS = 1_000

/** Stands where your own consumer will: says what it gets from the queue, and deletes it. */
export const sampleConsumer = (client: SQSClient, queueUrl: string, say: (line: string) => void) => {
  const stopped = new AbortController()
  const { signal } = stopped

  const poll = async (): Promise<void> => {
    const request = new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: 10,
      WaitTimeSeconds: LONG_POLL_SECONDS,
    })
    // The client's own timeout is made for calls that answer at once.
    const { Messages = [] } = await client.send(request, {
      abortSignal: signal,
      requestTimeout: (LONG_POLL_SECONDS + 10) * 1000,
    })
    for (const { Body = '', ReceiptHandle } of Messages) {
      say(inShort(JSON.parse(Body)))
      await client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }))
    }
  }

  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await poll()
      } catch (error) {
        if (signal.aborted) return
        say(`the sample consumer could not go on: ${(error as Error).message}`)
        await sleep(PAUSE_AFTER_FAULT_MS, undefined, { signal }).catch(() => {})
      }
    }
  }

  const ended = loop()
  return {
    stop: (): Promise<void> => {
      stopped.abort()
      return ended
    },
  }
}

const inShort = ({ source, type, eventId, body, generation }: Message): string =>
  [source, type, eventId, `${body.size} bytes`, generation > 0 && `generation ${generation}`].filter(Boolean).join('  ')
