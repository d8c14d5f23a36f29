import { consume } from '../../functions/consume/consume.ts'
import { Unprocessable } from '../../functions/domain/event.ts'

export const handler = consume(async (event, { commit, newest }) => {
  const invoice = await event.json<{ data: { id: string; version: number; amount: number } }>()
  if (event.type !== 'invoice.paid') throw new Unprocessable(`no use for ${event.type}`)

  // An update that arrives after a newer one is none.
  if ((await newest(invoice.data.id, invoice.data.version)) === 'stale') return

  // Your write and the event's `done` in one transaction: both, or neither.
  await commit([{ Put: { TableName: 'invoices', Item: { id: invoice.data.id, paid: invoice.data.amount } } }])
})
