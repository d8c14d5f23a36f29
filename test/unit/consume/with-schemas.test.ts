import { expect, it } from 'vitest'
import { z } from 'zod'
import { testReceiver } from '../../../lib/testing.ts'

const schema = z.object({ data: z.object({ object: z.object({ paidAt: z.coerce.date() }) }) })
const sources = { stripe: { provider: 'stripe', schema }, github: { provider: 'github' } }

/** A receiver, and the bodies that its handler was given. */
const setUp = async () => {
  const bodies: unknown[] = []
  const receiver = await testReceiver({ sources, work: async event => void bodies.push(await event.json()) })
  return { receiver, bodies }
}

it('a body that does not match the schema of its source fails at once, with the path that was wrong', async () => {
  const { receiver, bodies } = await setUp()
  const event = await receiver.send('stripe', { data: { object: { paidAt: 'never' } } })
  expect(event).toMatchObject({ status: 'failed', attempts: 1, answer: { status: 202 } })
  expect(event.lastError).toMatch(/^SchemaMismatch: \/data\/object\/paidAt: /)
  expect(bodies).toEqual([])
})

it('a body that matches the schema of its source is handed over as the schema makes it', async () => {
  const { receiver, bodies } = await setUp()
  await receiver.send('stripe', { data: { object: { paidAt: '2026-01-01' } } })
  expect(bodies).toEqual([{ data: { object: { paidAt: new Date('2026-01-01') } } }])
})

it('a source without a schema is not checked', async () => {
  const { receiver } = await setUp()
  expect((await receiver.send('github')).status).toBe('done')
})

it('a body that is not JSON does not match a schema', async () => {
  const custom = {
    acme: { provider: 'custom', schema, config: { scheme: { kind: 'token', header: 'x-acme' }, id: 'header:x-id' } },
  }
  const receiver = await testReceiver({ sources: custom, work: () => {} })
  const event = await receiver.send('acme', 'plain text', { headers: { 'x-id': '1', 'content-type': 'text/plain' } })
  expect(event).toMatchObject({ status: 'failed', lastError: 'SchemaMismatch: the body is not JSON' })
})
