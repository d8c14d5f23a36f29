import { SendMessageCommand, SQSClient, SQSServiceException } from '@aws-sdk/client-sqs'
import { mockClient } from 'aws-sdk-client-mock'
import { beforeEach, describe, expect, it } from 'vitest'
import { sqsQueue } from '../../../functions/adapters/sqs-queue.ts'
import type { Message } from '../../../functions/contract/message.ts'

const sqs = mockClient(SQSClient)
const queue = sqsQueue(new SQSClient({ region: 'us-east-1' }), { standard: 'https://sqs.example/queue' })

const MESSAGE: Message = {
  version: 1,
  id: 'f'.repeat(64),
  source: 'stripe',
  provider: 'stripe',
  eventId: 'evt_caf\u00e9',
  type: null,
  generation: 0,
  edition: 0,
  receivedAt: '2026-11-15T12:00:00.000Z',
  correlationId: 'request-1',
  expiresAt: 1_800_000_000,
  headers: {},
  ordering: null,
  body: { sha256: '0'.repeat(64), size: 2, encoding: 'base64', data: 'e30=' },
}

const fault = (kind: 'client' | 'server', attempts: number) =>
  new SQSServiceException({ name: 'Nope', message: 'no', $fault: kind, $metadata: { attempts } })

beforeEach(() => sqs.reset())

describe('sending', () => {
  it('is one SendMessage of ASCII text with the attributes that have a value', async () => {
    sqs.on(SendMessageCommand).resolves({})
    expect(await queue.send(MESSAGE, { amazonTrace: 'Root=1-5759e988-bd862e3fe1be46a994272793' })).toEqual({
      kind: 'sent',
    })
    const input = sqs.commandCalls(SendMessageCommand)[0]?.args[0].input
    expect(input?.QueueUrl).toBe('https://sqs.example/queue')
    expect(input?.MessageBody).toContain('"eventId":"evt_caf\\u00e9"')
    expect(input?.MessageAttributes).toEqual({
      source: { DataType: 'String', StringValue: 'stripe' },
      correlationId: { DataType: 'String', StringValue: 'request-1' },
      'x-amzn-trace-id': { DataType: 'String', StringValue: 'Root=1-5759e988-bd862e3fe1be46a994272793' },
    })
  })

  it.each([
    ['a 4xx to the only attempt', fault('client', 1), 'refused'],
    ['a 4xx after a retry, when the first attempt may have been applied', fault('client', 2), 'unavailable'],
    ['a 5xx', fault('server', 1), 'unavailable'],
    ['a broken connection', new Error('socket hang up'), 'unavailable'],
  ] as const)('answers %s as it is', async (_name, error, kind) => {
    sqs.on(SendMessageCommand).rejects(error)
    expect((await queue.send(MESSAGE, {})).kind).toBe(kind)
  })
})
