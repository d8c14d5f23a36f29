import type { WebhookEvent } from '../../../functions/domain/event.ts'

/** An event as a handler is given it. */
export const eventWith = (body: string | Uint8Array, fields: Partial<WebhookEvent> = {}): WebhookEvent => {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body
  return {
    id: 'a'.repeat(64),
    source: 'stripe',
    provider: 'stripe',
    eventId: 'evt_1',
    type: 'invoice.paid',
    generation: 0,
    idempotencyKey: `${'a'.repeat(56)}-0`,
    receivedAt: '2026-11-15T12:00:00.000Z',
    correlationId: 'request-1',
    bodySigned: true,
    headers: { 'content-type': 'application/json' },
    ordering: null,
    bytes: async () => new Uint8Array(bytes),
    text: async () => Buffer.from(bytes).toString('utf8'),
    json: async () => JSON.parse(Buffer.from(bytes).toString('utf8')),
    ...fields,
  }
}

/** What a handler of ours needs of its tools. */
export const TOOLS = { signal: new AbortController().signal } as never
