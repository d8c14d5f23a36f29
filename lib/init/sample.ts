import type { SourceConfig } from '../../functions/domain/source.ts'

/** What the worker of a new app does with its first events. */
export interface Sample {
  /** The source that is tried out first. */
  readonly source: string
  /** Its table: the id of the construct, the variable that names it, and what to say of it. */
  readonly table: { readonly id: string; readonly variable: string; readonly keeps: string }
  readonly worker: string
  readonly test: string
}

export const sampleFor = (sources: Readonly<Record<string, SourceConfig>>): Sample => {
  const stripe = Object.keys(sources).find(name => sources[name]?.provider === 'stripe')
  if (stripe !== undefined) return invoices(stripe, Object.keys(sources))
  return received(Object.keys(sources)[0] ?? '')
}

const invoices = (source: string, all: readonly string[]): Sample => ({
  source,
  table: { id: 'Invoices', variable: 'INVOICES_TABLE', keeps: 'paid invoices' },
  worker: `import { consume, type Handler, ignore } from 'hooklatch/consume'

/** What is used of it. If you install the package \`stripe\`, \`event.json()\` has Stripe's own types and you can delete this. */
interface InvoicePaid {
  readonly data: { readonly object: { readonly id: string; readonly amount_paid: number } }
}

/** Called at least once with each event, and never again once the event is done. If it throws, it is called again later. */
export const work: Handler<${all.map(name => `'${name}'`).join(' | ')}> = async (event, { commit }) => {
  if (${all.length > 1 ? `event.source !== '${source}' || ` : ''}event.type !== 'invoice.paid') return ignore('only paid invoices are of use')
  const { data } = await event.json<InvoicePaid>()
  const TableName = process.env.INVOICES_TABLE ?? ''
  // The invoice and the event's \`done\` in one transaction: both, or neither.
  await commit([{ Put: { TableName, Item: { id: data.object.id, paid: data.object.amount_paid } } }])
}

export const handler = consume(work)
`,
  test: `import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { testReceiver } from 'hooklatch/testing'
import sources from './sources.ts'
import { work } from './worker.ts'

process.env.INVOICES_TABLE = 'invoices'
const tables = { invoices: { partitionKey: 'id' } }

await test('an invoice is kept once, however often it is delivered', async () => {
  const receiver = await testReceiver({ sources, work, tables })
  const invoice = { id: 'in_1', amount_paid: 2000 }
  const event = await receiver.send('${source}', { type: 'invoice.paid', data: { object: invoice } }, { times: 3 })
  equal(event.status, 'done')
  deepEqual(receiver.items('invoices'), [{ id: 'in_1', paid: 2000 }])
})

await test('an invoice is kept once, even if the worker dies before it can say that it is done', async () => {
  const receiver = await testReceiver({ sources, work, tables })
  receiver.crash('after-effect')
  const event = await receiver.send('${source}', { type: 'invoice.paid' })
  await receiver.advance('1h')
  equal(event.status, 'done')
  equal(receiver.items('invoices').length, 1)
})

await test('other events are ignored', async () => {
  const receiver = await testReceiver({ sources, work, tables })
  const event = await receiver.send('${source}', { type: 'customer.created' })
  equal(event.status, 'ignored')
})
`,
})

const received = (source: string): Sample => ({
  source,
  table: { id: 'Received', variable: 'RECEIVED_TABLE', keeps: 'what has come' },
  worker: `import { consume, type Handler } from 'hooklatch/consume'

/** Called at least once with each event, and never again once the event is done. If it throws, it is called again later. */
export const work: Handler = async (event, { commit }) => {
  const { id, source, type, receivedAt } = event
  const TableName = process.env.RECEIVED_TABLE ?? ''
  // Your write and the event's \`done\` in one transaction: both, or neither.
  await commit([{ Put: { TableName, Item: { id, source, type, receivedAt } } }])
}

export const handler = consume(work)
`,
  test: `import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { testReceiver } from 'hooklatch/testing'
import sources from './sources.ts'
import { work } from './worker.ts'

process.env.RECEIVED_TABLE = 'received'
const tables = { received: { partitionKey: 'id' } }

await test('an event is kept once, however often it is delivered', async () => {
  const receiver = await testReceiver({ sources, work, tables })
  const event = await receiver.send('${source}', {}, { times: 3 })
  equal(event.status, 'done')
  equal(receiver.items('received').length, 1)
})

await test('an event is kept once, even if the worker dies before it can say that it is done', async () => {
  const receiver = await testReceiver({ sources, work, tables })
  receiver.crash('after-effect')
  const event = await receiver.send('${source}', {})
  await receiver.advance('1h')
  equal(event.status, 'done')
  equal(receiver.items('received').length, 1)
})
`,
})
