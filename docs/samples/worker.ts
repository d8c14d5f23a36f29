import { consume } from '../../functions/consume/consume.ts'
import type { Handler } from '../../functions/consume/handle.ts'
import { Unprocessable } from '../../functions/domain/event.ts'

interface InvoicePaid {
  readonly created: number
  readonly data: { readonly object: { readonly id: string; readonly amount_paid: number } }
}

export const work: Handler = async (event, { commit, newest }) => {
  if (event.type !== 'invoice.paid') throw new Unprocessable(`no use for ${event.type}`)
  const { created, data } = await event.json<InvoicePaid>()

  // An update that arrives after a newer one is none.
  if ((await newest(data.object.id, created)) === 'stale') return

  // Your write and the event's `done` in one transaction: both, or neither.
  const invoice = { id: data.object.id, paid: data.object.amount_paid }
  await commit([{ Put: { TableName: 'invoices', Item: invoice } }])
}

export const handler = consume(work)
