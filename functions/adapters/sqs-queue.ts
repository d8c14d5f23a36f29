import { createHash } from 'node:crypto'
import { MESSAGE_ATTRIBUTES, type Message } from '../contract/message.ts'
import { INLINE_MESSAGE_BYTES } from '../contract/queues.ts'
import type { Trace } from '../domain/delivery.ts'
import { causeOf, unavailable } from '../domain/fault.ts'
import { messageText } from '../domain/message.ts'
import type { Queue, QueueEntry, SendAnswer } from '../domain/ports.ts'
import { seal } from '../domain/seal.ts'
import type { Secret } from '../domain/secret.ts'
import { leadsTo, queueFor } from './destination-queues.ts'
import type { EntryFailure, QueueMessage, SendCalls } from './wire/queue-calls.ts'

interface Names {
  readonly queueUrl: string
  /** The FIFO queue, if a source names an ordering key. */
  readonly orderedQueueUrl?: string | undefined
  /** Those of other destinations by name. */
  readonly destinations?: Readonly<Record<string, string>> | undefined
}

/** The queues that workers read. */
export const sqsQueue = ({ queue: calls }: { readonly queue: SendCalls }, names: Names): Queue => {
  const entryOf = ({ message, trace }: QueueEntry, key: Secret): QueueMessage => ({
    ...queueOf(names, message),
    MessageBody: seal(key, messageText(message)),
    MessageAttributes: attributesOf(message, trace),
  })

  const sendChunk = async (chunk: readonly QueueMessage[]): Promise<SendAnswer[]> => {
    try {
      const [first] = chunk
      const answer = await calls.sendMessageBatch(
        first?.QueueUrl ?? '',
        chunk.map(({ QueueUrl, ...entry }) => entry),
      )
      return chunk.map((_entry, index) =>
        answer.kind === 'sent' ? entryAnswer(answer.failed.get(index)) : refused(answer.error),
      )
    } catch (error) {
      return chunk.map(() => unavailable(error))
    }
  }

  const sendAll = async (messages: readonly QueueMessage[]): Promise<SendAnswer[]> => {
    const chunks = chunksOf(messages)
    return messages[0]?.MessageGroupId === undefined
      ? (await Promise.all(chunks.map(sendChunk))).flat()
      : sendInOrder(chunks, sendChunk)
  }

  return {
    leadsTo: async to => leadsTo(names, to),

    async send(message, trace, key) {
      try {
        const entry = entryOf({ message, trace }, key)
        if (entry.QueueUrl === '') return NOWHERE
        const answer = await calls.sendMessage(entry, 'ascii-json')
        return answer.kind === 'sent' ? answer : refused(answer.error)
      } catch (error) {
        return unavailable(error)
      }
    },

    async sendBatch(entries, key) {
      const made = entries.map(entry => entryOf(entry, key))
      const queues = [...new Set(made.map(({ QueueUrl }) => QueueUrl))]
      const sent = new Map<QueueMessage, SendAnswer>()
      const sendTo = async (url: string): Promise<void> => {
        const messages = made.filter(({ QueueUrl }) => QueueUrl === url)
        const answers = url === '' ? messages.map(() => NOWHERE) : await sendAll(messages)
        for (const [index, message] of messages.entries()) sent.set(message, answers[index] as SendAnswer)
      }
      await Promise.all(queues.map(sendTo))
      return made.map(message => sent.get(message) as SendAnswer)
    },
  }
}

type SendChunk = (chunk: readonly QueueMessage[]) => Promise<SendAnswer[]>

/** One call after the other, and after a message that was not sent none of its group: it would overtake. */
const sendInOrder = async (chunks: readonly QueueMessage[][], sendChunk: SendChunk): Promise<SendAnswer[]> => {
  const held = new Set<string | undefined>()
  const answers: SendAnswer[] = []
  for (const chunk of chunks) {
    const going = chunk.filter(({ MessageGroupId }) => !held.has(MessageGroupId))
    const sent = going.length > 0 ? await sendChunk(going) : []
    for (const entry of chunk) {
      const answer = sent[going.indexOf(entry)] ?? HELD_BACK
      if (answer.kind !== 'sent') held.add(entry.MessageGroupId)
      answers.push(answer)
    }
  }
  return answers
}

const HELD_BACK: SendAnswer = { kind: 'refused', cause: 'a message of its group before it was not sent' }

const MOST_ENTRIES = 10

const NOWHERE: SendAnswer = { kind: 'refused', cause: 'its destination does not exist any more', nowhere: true }

/** Ten messages, and together no more than one may be. All for one queue. */
const chunksOf = (entries: readonly QueueMessage[]): QueueMessage[][] => {
  const chunks: QueueMessage[][] = []
  let bytes = 0
  for (const entry of entries) {
    const size = entry.MessageBody.length + ATTRIBUTE_BYTES
    const chunk = chunks.at(-1)
    if (chunk && chunk.length < MOST_ENTRIES && bytes + size <= INLINE_MESSAGE_BYTES) {
      chunk.push(entry)
      bytes += size
    } else {
      chunks.push([entry])
      bytes = size
    }
  }
  return chunks
}

/** Source, correlation id and trace, generously. */
const ATTRIBUTE_BYTES = 1_024

const entryAnswer = (failure: EntryFailure | undefined): SendAnswer =>
  failure ? { kind: failure.certain ? 'refused' : 'unavailable', cause: failure.cause.slice(0, 120) } : { kind: 'sent' }

const refused = (error: Error): SendAnswer => ({ kind: 'refused', cause: causeOf(error) })

/** One group per source and key; the same forwarding sent twice within five minutes is one message. */
const queueOf = (
  names: Names,
  { id, generation, source, ordering, to }: Message,
): Pick<QueueMessage, 'QueueUrl' | 'MessageGroupId' | 'MessageDeduplicationId'> => {
  if (to) return { QueueUrl: queueFor(names, to) }
  if (!ordering) return { QueueUrl: names.queueUrl }
  const { orderedQueueUrl } = names
  if (orderedQueueUrl === undefined) throw new Error(`source "${source}" is ordered, but there is no ordered queue`)
  return {
    QueueUrl: orderedQueueUrl,
    MessageGroupId: createHash('sha256')
      .update(JSON.stringify([source, ordering.key]))
      .digest('hex'),
    MessageDeduplicationId: `${id}-${generation}`,
  }
}

/** What travels beside a message; attributes without a value are left out, as SQS asks. */
const attributesOf = (
  { source, correlationId }: Message,
  { traceparent, amazonTrace }: Trace,
): QueueMessage['MessageAttributes'] => {
  const attributes: Record<string, Text> = {
    [MESSAGE_ATTRIBUTES.source]: text(source),
    [MESSAGE_ATTRIBUTES.correlationId]: text(correlationId),
  }
  if (traceparent !== undefined) attributes[MESSAGE_ATTRIBUTES.traceparent] = text(traceparent)
  if (amazonTrace !== undefined) attributes[MESSAGE_ATTRIBUTES.amazonTrace] = text(amazonTrace)
  return attributes
}

interface Text {
  readonly DataType: 'String'
  readonly StringValue: string
}

const text = (StringValue: string): Text => ({ DataType: 'String', StringValue })
