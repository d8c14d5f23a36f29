import { consume } from '../consume/consume.ts'
import type { Handler } from '../consume/handle.ts'

interface InvoicePaid {
  readonly data: { readonly object: { readonly id: string; readonly amount_paid: number } }
}

/**
 * Your code goes here: it is called with each event at least once, and with an event that is done never again.
 * Throw, and the queue tries it again; return `ignore('why')` if you have no use for it. See docs/consume.md.
 */
export const work: Handler = async (event, { commit }) => {
  const body = await event.text()
  process.stdout.write(`${JSON.stringify({ handled: event.eventId, type: event.type, characters: body.length })}\n`)
  // The stack of this repository has a table for invoices (lib/stacks/sample-table.ts).
  const TableName = process.env.INVOICES_TABLE
  if (event.provider !== 'stripe' || event.type !== 'invoice.paid' || TableName === undefined) return

  // The invoice and the event's `done` in one transaction: both, or neither.
  const { data } = await event.json<InvoicePaid>()
  await commit([{ Put: { TableName, Item: { id: data.object.id, paid: data.object.amount_paid } } }])
}

/** The same as a Lambda, on the world the stack made; `npm start` calls `work` on its own. */
export const handler = consume(work)
