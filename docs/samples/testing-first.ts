import { expect, test } from 'vitest'
import { testReceiver } from '../../lib/testing.ts'
import sources from './sources.ts'
import { work } from './worker.ts'

const tables = { invoices: { partitionKey: 'id' } }

test('a paid invoice is stored', async () => {
  const receiver = await testReceiver({ sources, work, tables })
  const invoice = { id: 'in_1', amount_paid: 2000 }
  const event = await receiver.send('stripe', { type: 'invoice.paid', data: { object: invoice } })

  expect(event).toMatchObject({ status: 'done', lastError: null, attempts: 1, answer: { status: 202 } })
  expect(receiver.items('invoices')).toEqual([{ id: 'in_1', paid: 2000 }])
})

test('other types are ignored', async () => {
  const receiver = await testReceiver({ sources, work, tables })
  const event = await receiver.send('stripe', { type: 'customer.created' })

  expect(event).toMatchObject({ status: 'ignored', ignoredBecause: 'only paid invoices are of use' })
})
