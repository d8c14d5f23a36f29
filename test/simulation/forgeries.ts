import { createHash } from 'node:crypto'
import type { Message } from '../../functions/contract/message.ts'
import type { Chance } from './random.ts'
import type { Rig } from './rig.ts'
import { SEVERAL_URL, urlOf } from './sim-destinations.ts'

/** How many schedules have one. */
const FORGED = 0.05
const BODY = '{ "by": "somebody else" }'

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Somebody who may send to a queue puts the message of an event there, with a body of their own. */
export const forgeOne = (rig: Rig, luck: Chance): void => {
  const { timeline, ledger, aws, focus } = rig
  if (!luck.happens(focus.forges ? 1 : FORGED)) return
  timeline.after(luck.between(1_000, 60_000), () => {
    const { lastMessage } = ledger
    // Whoever sends to a group names it.
    if (!lastMessage || lastMessage.ordering) return
    const { to = ['worker'] } = lastMessage
    const QueueUrl = to.length > 1 ? SEVERAL_URL : urlOf(String(to[0]))
    const data = Buffer.from(BODY).toString('base64')
    const body: Message['body'] = { sha256: digestOf(BODY), size: BODY.length, encoding: 'base64', data }
    aws.queue.sendMessage({ QueueUrl, MessageBody: JSON.stringify({ ...lastMessage, body }), MessageAttributes: {} })
    rig.count('forged')
    rig.wake()
  })
}

/** It is kept under a name of its own, and says nothing of the event. */
export const asForged = ({ ledger }: Rig, text: string, messageId: string, said: Message): Message => {
  if (said.body.sha256 !== digestOf(BODY)) return said
  ledger.signed.add(messageId, text)
  return { ...said, id: digestOf(`unread message ${text}`), generation: 0 }
}
