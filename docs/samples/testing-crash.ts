import { expect, test } from 'vitest'
import type { Handler } from '../../lib/consume.ts'
import { testReceiver } from '../../lib/testing.ts'
import sources from './sources.ts'

/** Stands for an API that does the same thing once per idempotency key. */
const charges = new Map<string, number>()

const work: Handler = async event => {
  const { amount } = await event.json<{ amount: number }>()
  charges.set(event.idempotencyKey, amount)
}

test('a worker that dies after its effect has that effect once', async () => {
  const receiver = await testReceiver({ sources, work })
  receiver.crash('after-effect')
  const event = await receiver.send('stripe', { amount: 20 })
  expect(event.status).toBe('working')

  // Its lease and the visibility timeout of its message pass, and another worker takes over.
  await receiver.advance('1m')
  expect(event).toMatchObject({ status: 'done', attempts: 2 })
  expect(event.calls).toHaveLength(2)
  expect(charges.size).toBe(1)
})
