import { expect, test } from 'vitest'
import { testReceiver } from '../../lib/testing.ts'
import sources from './sources.ts'
import { work } from './worker.ts'

test('an invoice that is delivered five times is stored once', async () => {
  const receiver = await testReceiver({ sources, work, tables: { invoices: { partitionKey: 'id' } } })
  const event = await receiver.send('stripe', { type: 'invoice.paid' }, { times: 5 })

  // The sender sends it again an hour later, and SQS delivers its message a second time.
  await receiver.advance('1h')
  expect((await receiver.resend(event)).status).toBe(200)
  await receiver.redeliver(event)

  expect(event.calls).toHaveLength(1)
  expect(receiver.items('invoices')).toHaveLength(1)
})
