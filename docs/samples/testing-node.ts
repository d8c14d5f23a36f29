import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testReceiver } from '../../lib/testing.ts'
import sources from './sources.ts'
import { work } from './worker.ts'

test('a paid invoice is stored', async () => {
  const receiver = await testReceiver({ sources, work, tables: { invoices: { partitionKey: 'id' } } })
  const event = await receiver.send('stripe', { type: 'invoice.paid' })
  assert.equal(event.lastError, null)
  assert.equal(event.status, 'done')
  assert.equal(receiver.items('invoices').length, 1)
})
