import { consume, type Handler, ignore } from '../../lib/consume.ts'

interface InvoicePaid {
  readonly created: number
  readonly data: { readonly object: { readonly id: string; readonly amount_paid: number } }
}

export const work: Handler = async (event, { commit, newest }) => {
  if (event.type !== 'invoice.paid') return ignore('only paid invoices are of use')
  const { created, data } = await event.json<InvoicePaid>()

  // Skip an update that is older than one we have already seen.
  if ((await newest(data.object.id, created)) === 'stale') return

  // Your write and the event's `done` in one transaction: both, or neither.
  const TableName = process.env.INVOICES_TABLE ?? 'invoices'
  const invoice = { id: data.object.id, paid: data.object.amount_paid }
  await commit([{ Put: { TableName, Item: invoice } }])
}

export const handler = consume(work)
