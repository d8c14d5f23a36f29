import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Caller } from '../../../functions/adapters/lean/caller.ts'
import { leanQueue, leanQueueReads } from '../../../functions/adapters/lean/queue.ts'

/** Takes down what goes over the wire, and gives SQS's receipt for the message in it. */
const sending = () => {
  const sent: string[] = []
  const caller: Caller = {
    endpoint: { url: new URL('http://127.0.0.1:9'), custom: true },
    call: async ({ body }) => {
      sent.push(String(body))
      const MD5OfMessageBody = hash('md5', JSON.parse(String(body)).MessageBody)
      const answer = { status: 200, headers: {}, body: Buffer.from(JSON.stringify({ MD5OfMessageBody })) }
      return { attempts: 1, answer, refusal: undefined }
    },
    connect: async () => {},
  }
  return { sent, queue: leanQueue(caller) }
}

const MESSAGE = { QueueUrl: 'https://sqs.example.com/1/q', MessageAttributes: {} }

describe('a message on its way to the queue', () => {
  it.each([
    ['a body', { id: 'f', headers: { 'x-a': '"quoted"\\' }, body: { encoding: 'zstd', data: 'KLUv/QQA+/==' } }],
    ['an empty body', { id: 'f', body: { encoding: 'base64', data: '' } }],
    ['a header that is called data', { headers: { data: 'x\\"y' }, body: { encoding: 'base64', data: 'YQ==' } }],
    ['a header that is called data, and nothing to escape', { headers: { data: 'x' }, body: { data: 'YQ==' } }],
    ['a backslash in its body', { body: { data: 'a\\b' } }],
    ['a header that ends as a message does', { headers: { data: '"}}' }, body: { encoding: 'base64', data: 'YQ==' } }],
    ['a pointer', { id: 'f', body: { encoding: 'pointer', at: { kind: 's3', key: 'k' } } }],
    ['a pointer and a header that is called data', { headers: { data: 'x' }, body: { at: { key: 'k"}}' } } }],
    ['something after its body', { body: { data: 'YQ==' }, more: 'of "it"' }],
    ['nothing in it', {}],
  ])('a message with %s arrives character for character', async (_, said) => {
    const { sent, queue } = sending()
    const message = { ...MESSAGE, MessageBody: JSON.stringify(said) }
    expect(await queue.sendMessage(message, 'ascii-json')).toEqual({ kind: 'sent' })
    expect(sent.map(text => JSON.parse(text))).toEqual([message])
  })
})

it.each([true, false])(
  'whoever polls a queue is given the time that they wait for messages, at an own endpoint: %s',
  async custom => {
    const waited: unknown[] = []
    const caller: Caller = {
      endpoint: { url: new URL('http://127.0.0.1:9'), custom },
      call: async ({ waits }) => {
        waited.push(waits)
        return { attempts: 1, answer: { status: 200, headers: {}, body: Buffer.from('{}') }, refusal: undefined }
      },
      connect: async () => {},
    }
    expect(await leanQueueReads(caller).receiveMessages(MESSAGE.QueueUrl, { waitSeconds: 20 })).toEqual([])
    expect(waited).toEqual([20_000])
  },
)
