import type { Message } from '../../functions/contract/message.ts'
import { type Millis, millis } from '../../functions/domain/brands.ts'
import { seal } from '../../functions/domain/seal.ts'
import { Secret } from '../../functions/domain/secret.ts'
import { asForged } from './forgeries.ts'
import type { Rig } from './rig.ts'
import { FIRST_SECRETS } from './sim-secrets.ts'
import { NAMES } from './watch-writes.ts'

export interface SimMessage {
  readonly queueUrl: string
  readonly messageId: string
  readonly receipt: string
  readonly text: string
  /** What the text says. */
  readonly said: Message
  readonly receiveCount: number
  readonly sentAt: Millis
  readonly group: string | null
}

/** How often a received message stays visible, while there are faults: SQS may hand it out twice. */
const DUPLICATES = 0.1

/** Any messages that can be received: a standard queue has no order. */
export const receiveSome = (rig: Rig, queueUrl: string, most: number): readonly SimMessage[] => {
  const { aws, luck, fails, wake } = rig
  const received = aws.queue.receiveMessages(queueUrl, all => {
    if (queueUrl.endsWith('.fifo') || all.length === 0) return all.slice(0, most)
    const first = luck.below(all.length)
    return [...all.slice(first), ...all.slice(0, first)].slice(0, most)
  })
  // Those that were handed out too often are dead letters now.
  wake()
  return received.map(({ messageId, receipt, body, system }) => {
    const written = JSON.parse(body)
    const said = asForged(rig, body, messageId, written)
    const isLater = rig.isRolledBack && said === written && said.id < '8'
    if (isLater) rig.count('laterMessages')
    if (!queueUrl.endsWith('.fifo') && fails(DUPLICATES)) aws.queue.changeVisibility(queueUrl, receipt, 0)
    return {
      queueUrl,
      messageId,
      receipt,
      text: isLater ? asLater(said) : body,
      said,
      receiveCount: Number(system.ApproximateReceiveCount),
      sentAt: millis(Number(system.SentTimestamp)),
      group: system.MessageGroupId ?? null,
    }
  })
}

const KEY = new Secret(FIRST_SECRETS[NAMES.fingerprintKey])

/** As the next release would write it. */
const asLater = ({ mac, ...message }: Message & { readonly mac?: string }): string =>
  seal(KEY, JSON.stringify({ ...message, version: 2, more: 'of it' }))
