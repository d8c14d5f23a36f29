import { consume, type Handler, ignore } from 'hooklatch/consume'

/** What is used of it. If you install the package `stripe`, `event.json()` has Stripe's own types and you can delete this. */
interface InvoicePaid {
  readonly data: { readonly object: { readonly id: string; readonly amount_paid: number } }
}

/** Called at least once with each event, and never again once the event is done. If it throws, it is called again later. */
export const work: Handler<'stripe' | 'github'> = async (event, { commit }) => {
  if (event.source !== 'stripe' || event.type !== 'invoice.paid') return ignore('only paid invoices are of use')
  const { data } = await event.json<InvoicePaid>()
  const TableName = process.env.INVOICES_TABLE ?? ''
  // The invoice and the event's `done` in one transaction: both, or neither.
  await commit([{ Put: { TableName, Item: { id: data.object.id, paid: data.object.amount_paid } } }])
}

export const handler = consume(work)
