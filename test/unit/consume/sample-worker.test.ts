import { afterEach, describe, expect, it, vi } from 'vitest'
import { work } from '../../../functions/worker/handler.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

const given = (provider: string, body: object) => {
  vi.stubEnv('INVOICES_TABLE', 'invoices')
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const text = JSON.stringify(body)
  const event = { provider, type: 'invoice.paid', eventId: 'e', text: async () => text, json: async () => body }
  const committed: unknown[] = []
  const commit = async (writes: readonly unknown[]) => void committed.push(...writes)
  return { committed, run: () => work(event as never, { commit } as never) }
}

describe('the worker of this repository', () => {
  it('a paid invoice of Stripe is written to the table for invoices', async () => {
    const { committed, run } = given('stripe', { data: { object: { id: 'in_1', amount_paid: 7 } } })
    await run()
    expect(committed).toEqual([{ Put: { TableName: 'invoices', Item: { id: 'in_1', paid: 7 } } }])
  })

  it('an event of another sender that is called the same is done, and writes no invoice', async () => {
    const { committed, run } = given('svix', { type: 'invoice.paid', data: {} })
    await run()
    expect(committed).toEqual([])
  })
})
