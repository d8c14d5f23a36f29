import type {
  BatchSent,
  QueueCalls,
  QueueMessage,
  QueueState,
  ReceivedMessage,
  Sent,
} from '../../functions/adapters/wire/queue-calls.ts'
import { checkMessage, MAX_MESSAGE_BYTES, messageBytes, NO_BODY, type Sendable } from './check-message.ts'
import { fault } from './fault.ts'
import { type MessageStore, messageStore, type QueueShape, type StoredMessage } from './message-store.ts'
import { type Choose, receiveFrom } from './receive.ts'
import { type Stateful, type Synchronous, together } from './synchronous.ts'

export interface QueueWorld {
  now(): number
  newId(kind: 'message' | 'sequence'): string
}

export interface MemoryQueues extends Stateful {
  readonly calls: Omit<Synchronous<QueueCalls>, 'receiveMessages'> & {
    /** Does not wait. Hands out what `choose` picks of those that can be received. @default the first ten */
    receiveMessages(queueUrl: string, choose?: Choose): readonly ReceivedMessage[]
  }
  /** What is in a queue, visible or not. */
  messages(queueUrl: string): readonly StoredMessage[]
}

const MOST_ENTRIES = 10
const MAX_VISIBILITY_SECONDS = 43_200

export const memoryQueues = (shapes: Readonly<Record<string, QueueShape>>, world: QueueWorld): MemoryQueues => {
  const queues = new Map(Object.entries(shapes).map(([url, shape]) => [url, messageStore(url, shape, world.now)]))
  const queueOf = (url: string): MessageStore => {
    const queue = queues.get(url)
    if (!queue) throw fault('QueueDoesNotExist', `The specified queue does not exist: ${url}`)
    return queue
  }
  return {
    messages: url => queueOf(url).messages(),
    calls: {
      sendMessage: message => sendMessage(queues.get(message.QueueUrl), message, world),
      sendMessageBatch: (url, entries) => sendBatch(queues.get(url), entries, world),
      receiveMessages: (url, choose) => receiveFrom(queueOf(url), deadLettersOf(queueOf(url), queueOf), world, choose),
      deleteMessages: (url, receipts) => deleteMessages(queueOf(url), receipts, world.now()),
      changeVisibility: (url, receipt, seconds) => changeVisibility(queueOf(url), receipt, seconds, world.now()),
      queueState: (url): QueueState => ({ arn: queueOf(url).arn, messages: queueOf(url).messages().length }),
    },
    ...together(Object.fromEntries([...queues].map(([url, queue]) => [`queue ${url}`, queue]))),
  }
}

const deadLettersOf = ({ shape }: MessageStore, queueOf: (url: string) => MessageStore): MessageStore | undefined =>
  shape.deadLetters && queueOf(shape.deadLetters.url)

const NO_QUEUE = (): Error => fault('QueueDoesNotExist', 'The specified queue does not exist.')

const sendMessage = (queue: MessageStore | undefined, message: QueueMessage, world: QueueWorld): Sent => {
  const error = queue ? checkMessage(message, queue.fifo) : NO_QUEUE()
  if (error || !queue) return { kind: 'refused', error: error ?? NO_QUEUE() }
  enqueue(queue, message, world)
  return { kind: 'sent' }
}

const sendBatch = (queue: MessageStore | undefined, entries: readonly Sendable[], world: QueueWorld): BatchSent => {
  const error = queue ? checkBatch(entries) : NO_QUEUE()
  if (error || !queue) return { kind: 'refused', error: error ?? NO_QUEUE() }
  const failed = new Map<number, { cause: string; certain: boolean }>()
  for (const [place, entry] of entries.entries()) {
    const own = checkMessage(entry, queue.fifo)
    if (own) failed.set(place, { cause: `${own.name}: ${own.message}`, certain: true })
    else enqueue(queue, entry, world)
  }
  return { kind: 'sent', failed }
}

const checkBatch = (entries: readonly Sendable[]): Error | undefined => {
  const wrong = checkEntries(entries)
  if (wrong) return wrong
  if (entries.some(({ MessageBody }) => MessageBody === '')) return NO_BODY()
  const bytes = entries.reduce((sum, entry) => sum + messageBytes(entry), 0)
  return bytes > MAX_MESSAGE_BYTES ? fault('BatchRequestTooLong', 'The batch is longer than 1 MiB.') : undefined
}

const checkEntries = ({ length }: readonly unknown[]): Error | undefined => {
  if (length === 0) return fault('EmptyBatchRequest', 'There should be at least one entry in the request.')
  return length > MOST_ENTRIES
    ? fault('TooManyEntriesInBatchRequest', `A batch has at most ${MOST_ENTRIES} entries.`)
    : undefined
}

const enqueue = (queue: MessageStore, message: Sendable, world: QueueWorld): void => {
  const { MessageBody, MessageAttributes, MessageGroupId, MessageDeduplicationId } = message
  if (queue.fifo && queue.isRepeated(MessageDeduplicationId ?? '')) return
  const now = world.now()
  queue.add({
    id: world.newId('message'),
    body: MessageBody.toWellFormed(),
    attributes: Object.freeze(
      Object.fromEntries(Object.entries(MessageAttributes).map(([name, { StringValue }]) => [name, StringValue])),
    ),
    group: MessageGroupId,
    deduplication: MessageDeduplicationId,
    sequence: queue.fifo ? world.newId('sequence') : undefined,
    sentAt: now,
    visibleAt: now,
    receives: 0,
    firstReceivedAt: undefined,
    receipt: undefined,
    deadFrom: undefined,
  })
}

/** A receipt that is not the last one of its message deletes nothing, and that is no failure. */
const deleteMessages = (queue: MessageStore, receipts: readonly string[], now: number): readonly number[] => {
  const error = checkEntries(receipts)
  if (error) throw error
  const failed: number[] = []
  for (const [place, receipt] of receipts.entries()) {
    const message = queue.messages().find(each => each.receipt === receipt)
    if (message && !(queue.fifo && message.visibleAt <= now)) queue.remove(message.id)
    // A FIFO queue does not know a receipt any more once its message is visible again.
    else if (message || !RECEIPT.test(receipt)) failed.push(place)
  }
  return failed
}

/** Ours: the message's id and how often it has been received. */
const RECEIPT = /.\/\d+$/

const changeVisibility = (queue: MessageStore, receipt: string, seconds: number, now: number): 'changed' | 'gone' => {
  if (!(seconds >= 0 && seconds <= MAX_VISIBILITY_SECONDS)) {
    throw fault('InvalidParameterValue', `A message can be hidden for 0 to ${MAX_VISIBILITY_SECONDS} seconds.`)
  }
  const message = queue.messages().find(each => each.receipt === receipt)
  if (!message || message.visibleAt <= now) return 'gone'
  queue.change({ ...message, visibleAt: now + seconds * 1000 })
  return 'changed'
}
