import { messageText } from '../domain/message.ts'
import type { Queue } from '../domain/ports.ts'
import { messageAttributes } from './message-attributes.ts'

export interface MemoryQueue extends Queue {
  /** In the order they were sent. */
  readonly sent: { readonly text: string; readonly attributes: Readonly<Record<string, string>> }[]
}

/** The twin of the SQS queue for tests and the simulator. */
export const memoryQueue = (): MemoryQueue => {
  const sent: MemoryQueue['sent'] = []
  const send: Queue['send'] = async (message, trace) => {
    sent.push({ text: messageText(message), attributes: messageAttributes(message, trace) })
    return { kind: 'sent' }
  }
  return {
    sent,
    send,
    sendBatch: entries => Promise.all(entries.map(({ message, trace }) => send(message, trace))),
  }
}
