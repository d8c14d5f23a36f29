import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { testReceiver } from 'hooklatch/testing'
import sources from './sources.ts'
import { work } from './worker.ts'

process.env.INVOICES_TABLE = 'invoices'
const tables = { invoices: { partitionKey: 'id' } }

await test('an invoice is kept once, however often it is delivered', async () => {
  const receiver = await testReceiver({ sources, work, tables })
  const invoice = { id: 'in_1', amount_paid: 2000 }
  const event = await receiver.send('stripe', { type: 'invoice.paid', data: { object: invoice } }, { times: 3 })
  equal(event.status, 'done')
  deepEqual(receiver.items('invoices'), [{ id: 'in_1', paid: 2000 }])
})

await test('an invoice is kept once, even if the worker dies before it can say that it is done', async () => {
  const receiver = await testReceiver({ sources, work, tables })
  receiver.crash('after-effect')
  const event = await receiver.send('stripe', { type: 'invoice.paid' })
  await receiver.advance('1h')
  equal(event.status, 'done')
  equal(receiver.items('invoices').length, 1)
})

await test('other events are ignored', async () => {
  const receiver = await testReceiver({ sources, work, tables })
  const event = await receiver.send('stripe', { type: 'customer.created' })
  equal(event.status, 'ignored')
})
