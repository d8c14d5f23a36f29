import { beforeAll, describe, expect, it } from 'vitest'
import type { Message } from '../../functions/contract/message.ts'
import type { Queue } from '../../functions/domain/ports.ts'
import { checkSeal } from '../../functions/domain/seal.ts'
import { RIG_KEY } from '../support/sealed.ts'

export interface OpenQueue {
  readonly queue: Queue
  /** The text and the string attributes of the one message on it, which is then taken off. */
  receive(): Promise<{ readonly text: string; readonly attributes: Readonly<Record<string, string>> }>
}

const MESSAGE: Message = {
  version: 1,
  id: 'f'.repeat(64),
  source: 'stripe',
  provider: 'stripe',
  eventId: 'evt_1',
  type: 'invoice.paid',
  generation: 0,
  edition: 0,
  receivedAt: '2026-11-15T12:00:00.000Z',
  correlationId: 'request-1',
  expiresAt: 1_790_000_000,
  retain: 604_800,
  bodySigned: true,
  headers: { 'content-type': 'application/json' },
  ordering: null,
  body: { sha256: '0'.repeat(64), size: 2, encoding: 'base64', data: 'e30=' },
}

/** The law of the queue. */
export const queueLaw = (open: () => Promise<OpenQueue>): void => {
  let opened: OpenQueue
  beforeAll(async () => {
    opened = await open()
  })

  describe('a message', () => {
    it('a message arrives as it was sent, with source, correlation id and trace as attributes', async () => {
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
      expect(await opened.queue.send(MESSAGE, { traceparent }, RIG_KEY)).toEqual({ kind: 'sent' })
      const { text, attributes } = await opened.receive()
      expect(JSON.parse(text)).toEqual({ mac: expect.stringMatching(/^[0-9a-f]{64}$/), ...MESSAGE })
      expect(checkSeal(RIG_KEY, text)).toBe('ours')
      expect(attributes).toEqual({ source: 'stripe', correlationId: 'request-1', traceparent })
    })

    it('messages that are sent together all arrive', async () => {
      const entries = ['evt_a', 'evt_b', 'evt_c'].map(eventId => ({ message: { ...MESSAGE, eventId }, trace: {} }))
      expect(await opened.queue.sendBatch(entries, RIG_KEY)).toEqual(entries.map(() => ({ kind: 'sent' })))
      const received = [await opened.receive(), await opened.receive(), await opened.receive()]
      expect(received.map(({ text }) => JSON.parse(text).eventId).sort()).toEqual(['evt_a', 'evt_b', 'evt_c'])
    })

    it('a message may contain every character that XML does not allow', async () => {
      const eventId = 'a\u0000b\u0008c\ufffed\uffffe\ud800f\u{1f600}'
      await opened.queue.send({ ...MESSAGE, eventId }, {}, RIG_KEY)
      expect(JSON.parse((await opened.receive()).text).eventId).toBe(eventId)
    })

    it('a message of just under a megabyte is taken', async () => {
      const data = 'A'.repeat(960_000)
      await opened.queue.send({ ...MESSAGE, body: { ...MESSAGE.body, encoding: 'base64', data } }, {}, RIG_KEY)
      expect(JSON.parse((await opened.receive()).text).body.data).toHaveLength(960_000)
    })
  })
}
