import type { QueueCalls, ReceivedMessage } from '../../../functions/adapters/wire/queue-calls.ts'
import type { Draft, QueueOperation } from './random-messages.ts'

export interface QueueUnderTest {
  readonly calls: Omit<QueueCalls, 'receiveMessages'>
  receive(url: string): Promise<readonly ReceivedMessage[]>
  readonly queue: string
  readonly deadLetters: string
}

/** Makes the calls of one sequence, and remembers the receipts that it was given. */
export const queueDriver = ({ calls, receive, queue, deadLetters }: QueueUnderTest) => {
  const fifo = queue.endsWith('.fifo')
  /** By body, in the order they were given. */
  const receipts = new Map<string, { readonly url: string; readonly receipt: string }[]>()
  let sent = 0

  const entryOf = ({ text, group, deduplication, attributes }: Draft) => ({
    MessageBody: text === '' ? '' : `${sent++} ${text}`,
    MessageAttributes: Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [name, { DataType: 'String' as const, StringValue: value }]),
    ),
    ...(fifo && group && { MessageGroupId: group }),
    ...(fifo && deduplication !== undefined && { MessageDeduplicationId: String(deduplication) }),
  })

  const send = async (drafts: readonly Draft[]): Promise<unknown> => {
    const [first, ...others] = drafts.map(entryOf)
    if (first && others.length === 0) {
      const answer = await calls.sendMessage({ QueueUrl: queue, ...first })
      return answer.kind === 'sent' ? 'sent' : nameOf(answer.error)
    }
    const answer = await calls.sendMessageBatch(queue, first ? [first, ...others] : [])
    if (answer.kind === 'refused') return nameOf(answer.error)
    return [...answer.failed].map(([place, { cause, certain }]) => [place, cause.split(':')[0], certain])
  }

  const take = async (url: string): Promise<unknown> => {
    const messages = (await receive(url)).toSorted((left, right) => (left.body < right.body ? -1 : 1))
    for (const { body, receipt } of messages) receipts.set(body, [...(receipts.get(body) ?? []), { url, receipt }])
    return messages.map(({ body, attributes, system }) => ({
      body,
      attributes,
      receives: system.ApproximateReceiveCount,
      group: system.MessageGroupId,
      deduplication: system.MessageDeduplicationId,
    }))
  }

  const handle = async (kind: 'delete' | 'hide' | 'show', which: number, stale: boolean): Promise<unknown> => {
    const known = [...receipts.keys()].sort()
    const body = known[which % Math.max(known.length, 1)] ?? ''
    const given = receipts.get(body)?.at(stale ? 0 : -1)
    if (!given) return 'nothing to handle'
    if (kind === 'delete') return calls.deleteMessages(given.url, [given.receipt])
    return calls.changeVisibility(given.url, given.receipt, kind === 'hide' ? 60 : 0)
  }

  return async (operation: QueueOperation): Promise<unknown> => {
    switch (operation.kind) {
      case 'send':
        return send(operation.messages)
      case 'receive':
        return take(operation.from === 'queue' ? queue : deadLetters)
      case 'state':
        return [(await calls.queueState(queue)).messages, (await calls.queueState(deadLetters)).messages]
      default:
        return handle(operation.kind, operation.which, operation.stale)
    }
  }
}

/** Some names come with the name of the service in front, as the older protocol has them. */
const nameOf = ({ name }: Error): string => name.replace('AWS.SimpleQueueService.', '')
