import { expect, test } from 'vitest'
import { testReceiver } from '../../lib/testing.ts'
import sources from './sources.ts'
import { work } from './worker.ts'

const update = (created: number, amount_paid: number) => ({
  type: 'invoice.paid',
  created,
  data: { object: { id: 'in_1', amount_paid } },
})

test('an older update that comes late does not replace a newer one', async () => {
  const receiver = await testReceiver({ sources, work, tables: { invoices: { partitionKey: 'id' } } })
  receiver.hold()
  await receiver.send('stripe', update(1_000, 10))
  await receiver.send('stripe', update(2_000, 20))
  await receiver.release('newest-first')

  expect(receiver.items('invoices')).toEqual([{ id: 'in_1', paid: 20 }])
})
