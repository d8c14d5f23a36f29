import { createHash } from 'node:crypto'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { scriptedAws } from '../../support/scripted-aws.ts'

const server = await scriptedAws()
afterAll(server.stop)

const QueueUrl = 'https://sqs.us-east-1.amazonaws.com/123456789012/events.fifo'
const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const source = { DataType: 'String', StringValue: 'stripe' } as const
const MESSAGE = {
  QueueUrl,
  MessageBody: 'one',
  MessageAttributes: { source },
  MessageGroupId: 'g',
  MessageDeduplicationId: 'd',
}
const ENTRIES = ['one', 'two', 'three'].map(MessageBody => ({ MessageBody, MessageAttributes: { source } }))
const OF_RECEIPT = 'Value r-0 for parameter ReceiptHandle is invalid. Reason:'
const SENT = { Id: '0', MessageId: 'm-0', MD5OfMessageBody: md5('one') }

describe.each(server.clients)('$name client', ({ name, aws: { queue } }) => {
  const target = (operation: string) => `AmazonSQS.${operation}`

  it(`a message is sent by the ${name} client as it was given`, async () => {
    server.script({ body: { MessageId: 'm', MD5OfMessageBody: md5('one') } })
    expect(await queue.sendMessage(MESSAGE)).toEqual({ kind: 'sent' })
    expect(server.asked[0]?.operation).toBe(target('SendMessage'))
    expect(server.lastInput()).toEqual(MESSAGE)
  })

  it(`a message of JSON in ASCII, with quotes and backslashes, is sent by the ${name} client as it was given`, async () => {
    const MessageBody = JSON.stringify({ a: '"quoted"', b: 'C:\\dir\\', c: '\\"', d: [1, null] })
    server.script({ body: { MessageId: 'm', MD5OfMessageBody: md5(MessageBody) } })
    expect(await queue.sendMessage({ ...MESSAGE, MessageBody }, 'ascii-json')).toEqual({ kind: 'sent' })
    expect(server.lastInput()).toEqual({ ...MESSAGE, MessageBody })
  })

  it(`many messages are sent by the ${name} client in one call, and each that failed is told by its place`, async () => {
    const Failed = [
      { Id: '1', Code: 'InvalidMessageContents', Message: 'bad', SenderFault: true },
      { Id: '2', Code: 'InternalError', SenderFault: false },
    ]
    server.script({ body: { Successful: [SENT], Failed } })
    expect(await queue.sendMessageBatch(QueueUrl, ENTRIES)).toEqual({
      kind: 'sent',
      failed: new Map([
        [1, { cause: 'InvalidMessageContents: bad', certain: true }],
        [2, { cause: 'InternalError: ', certain: false }],
      ]),
    })
    expect(server.lastInput()).toEqual({
      QueueUrl,
      Entries: [
        { Id: '0', MessageBody: 'one', MessageAttributes: { source } },
        { Id: '1', MessageBody: 'two', MessageAttributes: { source } },
        { Id: '2', MessageBody: 'three', MessageAttributes: { source } },
      ],
    })
  })

  it(`a batch that only a second attempt of the ${name} client sent leaves its failures uncertain`, async () => {
    const Failed = [{ Id: '0', Code: 'InvalidMessageContents', Message: 'bad', SenderFault: true }]
    server.script({ fault: 'InternalError', status: 500 }, { body: { Failed } })
    expect(await queue.sendMessageBatch(QueueUrl, ENTRIES.slice(0, 1))).toMatchObject({
      failed: new Map([[0, { cause: 'InvalidMessageContents: bad', certain: false }]]),
    })
    expect(server.asked).toHaveLength(2)
  })

  it(`an entry of a batch that the queue does not mention is not sent for the ${name} client, and nobody knows`, async () => {
    const Failed = [{ Id: '1', Code: 'InvalidMessageContents', Message: 'bad', SenderFault: true }]
    const silent = { cause: 'the queue said nothing of this message', certain: false }
    server.script({ body: { Successful: [SENT], Failed } }, { body: {} })
    expect(await queue.sendMessageBatch(QueueUrl, ENTRIES)).toMatchObject({
      failed: new Map([
        [1, { cause: 'InvalidMessageContents: bad', certain: true }],
        [2, silent],
      ]),
    })
    expect(await queue.sendMessageBatch(QueueUrl, ENTRIES.slice(0, 2))).toEqual({
      kind: 'sent',
      failed: new Map([
        [0, silent],
        [1, silent],
      ]),
    })
  })

  const SENDS = [
    ['sendMessage', () => queue.sendMessage(MESSAGE)],
    ['sendMessageBatch', () => queue.sendMessageBatch(QueueUrl, ENTRIES)],
  ] as const

  it.each(SENDS)(`a 4xx to the only attempt of %s by the ${name} client is a refusal`, async (_, send) => {
    server.script({ fault: 'AccessDenied', status: 403 })
    expect(await send()).toEqual({ kind: 'refused', error: expect.objectContaining({ name: 'AccessDenied' }) })
    expect(server.asked).toHaveLength(1)
  })

  it.each(SENDS)(`a 4xx to a later attempt of %s by the ${name} client is thrown: it may be there`, async (_, send) => {
    server.script({ fault: 'InternalError', status: 500 }, { fault: 'AccessDenied', status: 403 })
    await expect(send()).rejects.toMatchObject({ name: 'AccessDenied' })
  })

  it(`a message that the queue stored otherwise than the ${name} client sent it is thrown`, async () => {
    server.script({ body: { MessageId: 'm', MD5OfMessageBody: md5('another') } })
    await expect(queue.sendMessage(MESSAGE)).rejects.toThrow(/MD5|Checksum/)
  })

  it.each([md5('another'), undefined])(
    `a batch in which the queue stored an entry with the MD5 %s is thrown by the ${name} client`,
    async MD5OfMessageBody => {
      server.script({ body: { Successful: [{ ...SENT, MD5OfMessageBody }] } })
      await expect(queue.sendMessageBatch(QueueUrl, ENTRIES.slice(0, 1))).rejects.toThrow(/MD5|Checksum/)
    },
  )

  it(`up to ten messages are received by the ${name} client with all they carry`, async () => {
    const system = { ApproximateReceiveCount: '2', SentTimestamp: '1763208000123', MessageGroupId: 'g' }
    const received = { MessageId: 'm-1', ReceiptHandle: 'r-1', Body: 'one', MD5OfBody: md5('one'), Attributes: system }
    const bare = { MessageId: 'm-2', ReceiptHandle: 'r-2', Body: 'two', MD5OfBody: md5('two') }
    server.script({ body: { Messages: [{ ...received, MessageAttributes: { source } }, bare] } })
    expect(await queue.receiveMessages(QueueUrl, { waitSeconds: 20 })).toEqual([
      { messageId: 'm-1', receipt: 'r-1', body: 'one', system, attributes: { source: 'stripe' } },
      { messageId: 'm-2', receipt: 'r-2', body: 'two', system: {}, attributes: {} },
    ])
    expect(server.asked[0]?.operation).toBe(target('ReceiveMessage'))
    expect(server.lastInput()).toEqual({
      QueueUrl,
      MaxNumberOfMessages: 10,
      WaitTimeSeconds: 20,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    })
  })

  it(`an empty queue is an empty list for the ${name} client`, async () => {
    server.script({ body: {} })
    expect(await queue.receiveMessages(QueueUrl, { waitSeconds: 0 })).toEqual([])
  })

  it(`a wait that is given up ends at once for the ${name} client`, async () => {
    server.script('nothing')
    const waiting = new AbortController()
    const received = queue.receiveMessages(QueueUrl, { waitSeconds: 20, signal: waiting.signal })
    await vi.waitUntil(() => server.asked.length === 1)
    waiting.abort()
    await expect(received).rejects.toMatchObject({ name: 'AbortError' })
  })

  it(`a wait that was given up before it began asks the queue for nothing by the ${name} client`, async () => {
    server.script({ body: {} })
    const received = queue.receiveMessages(QueueUrl, { waitSeconds: 20, signal: AbortSignal.abort() })
    await expect(received).rejects.toMatchObject({ name: 'AbortError' })
    expect(server.asked).toEqual([])
  })

  it(`messages are deleted by the ${name} client in one call, and those that are still there are told`, async () => {
    const Failed = [{ Id: '1', Code: 'ReceiptHandleIsInvalid', SenderFault: true }]
    server.script({ body: { Successful: [{ Id: '0' }], Failed } }, { body: {} })
    expect(await queue.deleteMessages(QueueUrl, ['r-0', 'r-1'])).toEqual([1])
    expect(server.asked[0]?.operation).toBe(target('DeleteMessageBatch'))
    expect(server.lastInput()).toEqual({
      QueueUrl,
      Entries: [
        { Id: '0', ReceiptHandle: 'r-0' },
        { Id: '1', ReceiptHandle: 'r-1' },
      ],
    })
    expect(await queue.deleteMessages(QueueUrl, ['r-0'])).toEqual([])
  })

  it(`a message is hidden for longer by the ${name} client`, async () => {
    server.script({ body: {} })
    expect(await queue.changeVisibility(QueueUrl, 'r-0', 90)).toBe('changed')
    expect(server.asked[0]?.operation).toBe(target('ChangeMessageVisibility'))
    expect(server.lastInput()).toEqual({ QueueUrl, ReceiptHandle: 'r-0', VisibilityTimeout: 90 })
  })

  it.each([
    ['ReceiptHandleIsInvalid', 'The input receipt handle is invalid.'],
    ['MessageNotInflight', 'no'],
    [
      'InvalidParameterValue',
      `${OF_RECEIPT} Message does not exist or is not available for visibility timeout change.`,
    ],
    ['InvalidParameterValue', `${OF_RECEIPT} The receipt handle has expired.`],
  ])(`a message that cannot be hidden any more because of %s (%s) is gone for the ${name} client`, async (...said) => {
    const [fault, message] = said
    server.script({ fault, body: { message } })
    expect(await queue.changeVisibility(QueueUrl, 'r-0', 90)).toBe('gone')
  })

  it(`a message that cannot be hidden for so long is not gone for the ${name} client`, async () => {
    const message = 'Value 90000 for parameter VisibilityTimeout is invalid. Reason: Must be between 0 and 43200.'
    server.script({ fault: 'InvalidParameterValue', body: { message } })
    await expect(queue.changeVisibility(QueueUrl, 'r-0', 90_000)).rejects.toMatchObject({ message })
  })

  it(`the state of a queue is its ARN and all of its messages for the ${name} client, hidden ones included`, async () => {
    const QueueArn = 'arn:aws:sqs:us-east-1:123456789012:events.fifo'
    const Attributes = {
      QueueArn,
      ApproximateNumberOfMessages: '3',
      ApproximateNumberOfMessagesNotVisible: '4',
    }
    server.script({ body: { Attributes } }, { body: {} })
    expect(await queue.queueState(QueueUrl)).toEqual({ arn: QueueArn, messages: 7 })
    expect(server.asked[0]?.operation).toBe(target('GetQueueAttributes'))
    expect(server.lastInput()).toEqual({ QueueUrl, AttributeNames: Object.keys(Attributes) })
    expect(await queue.queueState(QueueUrl)).toEqual({ arn: '', messages: 0 })
  })

  it.each([
    ['receiveMessages', () => queue.receiveMessages(QueueUrl, { waitSeconds: 0 })],
    ['deleteMessages', () => queue.deleteMessages(QueueUrl, ['r-0'])],
    ['changeVisibility', () => queue.changeVisibility(QueueUrl, 'r-0', 90)],
    ['queueState', () => queue.queueState(QueueUrl)],
  ])(`any other fault of %s is thrown by the ${name} client under its own name`, async (_, call) => {
    server.script({ fault: 'AccessDenied', status: 403 })
    await expect(call()).rejects.toMatchObject({ name: 'AccessDenied' })
    expect(server.asked).toHaveLength(1)
  })
})
