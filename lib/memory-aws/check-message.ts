import type { QueueMessage } from '../../functions/adapters/wire/queue-calls.ts'
import { fault } from './fault.ts'

export type Sendable = Omit<QueueMessage, 'QueueUrl'>

export const MAX_MESSAGE_BYTES = 1024 * 1024
const MOST_ATTRIBUTES = 10

/** Why SQS does not take a message; `undefined` if it does. */
export const checkMessage = (message: Sendable, fifo: boolean): Error | undefined =>
  checkBody(message) ?? checkAttributes(message) ?? (fifo ? checkOrdered(message) : checkUnordered(message))

export const NO_BODY = (): Error => fault('MissingParameter', 'The request must contain the parameter MessageBody.')

/** As SQS counts: the body, and of each attribute its name, its type and its value. */
export const messageBytes = ({ MessageBody, MessageAttributes }: Sendable): number =>
  Object.entries(MessageAttributes).reduce(
    (sum, [name, { DataType, StringValue }]) => sum + Buffer.byteLength(name + DataType + StringValue),
    Buffer.byteLength(MessageBody),
  )

/** What XML has no character for. A lone surrogate is sent as U+FFFD, which is allowed. */
const ILLEGAL = /[^\t\n\r\u0020-\ufffd]/

const checkBody = (message: Sendable): Error | undefined => {
  if (message.MessageBody === '') return NO_BODY()
  if (ILLEGAL.test(message.MessageBody))
    return fault('InvalidMessageContents', 'Invalid characters in the message body.')
  if (messageBytes(message) > MAX_MESSAGE_BYTES)
    return invalidValue(`The message is longer than ${MAX_MESSAGE_BYTES} bytes.`)
  return undefined
}

const checkAttributes = ({ MessageAttributes }: Sendable): Error | undefined => {
  const entries = Object.entries(MessageAttributes)
  if (entries.length > MOST_ATTRIBUTES) return invalidValue(`A message has at most ${MOST_ATTRIBUTES} attributes.`)
  for (const [name, { StringValue }] of entries) {
    if (StringValue === '') return invalidValue(`The message attribute "${name}" is empty.`)
    if (ILLEGAL.test(StringValue)) return invalidValue(`The message attribute "${name}" has invalid characters.`)
  }
  return undefined
}

const checkOrdered = ({ MessageGroupId, MessageDeduplicationId }: Sendable): Error | undefined => {
  if (!MessageGroupId) return fault('MissingParameter', 'The request must contain the parameter MessageGroupId.')
  if (!MessageDeduplicationId) return invalidValue('The queue should have a MessageDeduplicationId for each message.')
  return undefined
}

const checkUnordered = ({ MessageDeduplicationId }: Sendable): Error | undefined =>
  MessageDeduplicationId === undefined
    ? undefined
    : invalidValue('The request include parameter that is not valid for this queue type: MessageDeduplicationId.')

const invalidValue = (message: string): Error => fault('InvalidParameterValue', message)
