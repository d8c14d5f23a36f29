import { describe, expect, it } from 'vitest'
import { cost } from '../../../lib/cli/verbs/cost.ts'
import { type Month, monthlyBill } from '../../../lib/cost/monthly-bill.ts'
import { readPrices } from '../../../lib/cost/prices.ts'

const MONTH: Month = {
  events: 1_000_000,
  bodyBytes: 8_000,
  duplicatePercent: 0,
  retainDays: 0,
  front: 'http',
  sources: 1,
}
const bill = (month: Partial<Month> = {}) => monthlyBill({ ...MONTH, ...month }, readPrices())
const dollars = (month: Partial<Month>, item: string): number | undefined =>
  bill(month).items.find(each => each.item === item)?.dollars

describe('the bill of a month', () => {
  it('the bill of a million events is what the benchmark counts, item by item', () => {
    const items = ['front door', 'receive', 'claims', 'queue'].map(item => dollars({}, item))
    expect(items).toEqual([1, 0.28, 1.88, 0.4])
  })

  it('the bill counts duplicates as deliveries, and one write unit for each', () => {
    expect(dollars({ duplicatePercent: 50 }, 'front door')).toBe(2)
    expect(dollars({ duplicatePercent: 50 }, 'claims')).toBe(2.5)
    expect(dollars({ duplicatePercent: 50 }, 'queue')).toBe(0.4)
  })

  it('a source that is compared with its sender\u2019s list costs a secret, three metrics, two alarms and some seconds of Lambda', () => {
    expect(dollars({}, 'reconcile')).toBeUndefined()
    expect(dollars({ reconciled: 2 }, 'reconcile')).toBeCloseTo(2 * (0.4 + 3 * 0.3 + 2 * 0.1), 0)
  })

  it('each copy of an event costs five write units, its message and a request, and the body is kept for four weeks', () => {
    expect(dollars({}, 'copies')).toBeUndefined()
    const [one, three] = [1, 3].map(copies => dollars({ copies }, 'copies') ?? 0) as [number, number]
    // 5 units of $0.625, 1.5 read units of $0.125, 1.67 requests of SQS, a third of one of Lambda, 280 bytes of log.
    expect((three - one) / 2).toBeCloseTo(3.125 + 0.1875 + 0.667 + 0.067 + 0.14, 1)
    expect(dollars({ copies: 2 }, 'bodies at rest')).toBe(dollars({ retainDays: 28 }, 'bodies at rest'))
    expect(dollars({ copies: 2 }, 'records at rest')).toBeCloseTo(3 * (dollars({}, 'records at rest') ?? 0), 1)
  })

  it('the bill has bodies at rest only if they are kept, in the place that is cheaper', () => {
    expect(dollars({}, 'bodies at rest')).toBeUndefined()
    expect(bill({ retainDays: 7 }).items.find(({ item }) => item === 'bodies at rest')?.why).toMatch(/^DynamoDB/)
    expect(
      bill({ retainDays: 7, bodyBytes: 1_000_000 }).items.find(({ item }) => item === 'bodies at rest')?.why,
    ).toMatch(/^S3/)
    expect(dollars({ retainDays: 7, bodyBytes: 1_000_000 }, 'bodies')).toBe(5)
  })

  it('the bill meters a body of a megabyte twice at the HTTP API, once at the REST API, and not at all at a function URL', () => {
    expect(dollars({ bodyBytes: 1_000_000 }, 'front door')).toBe(2)
    expect(dollars({ bodyBytes: 1_000_000, front: 'rest' }, 'front door')).toBe(3.5)
    expect(dollars({ bodyBytes: 1_000_000, front: 'url' }, 'front door')).toBeUndefined()
  })

  it('a key of the user costs its month and a bounded number of requests, whatever the events', () => {
    expect(dollars({}, 'key')).toBeUndefined()
    expect(dollars({ ownKey: true }, 'key')).toBe(1.53)
    expect(dollars({ ownKey: true, events: 50_000_000 }, 'key')).toBe(1.53)
    expect(dollars({ ownKey: true, destinations: 4 }, 'key')).toBe(2.05)
  })

  it('the bill of no events is what the stack costs by itself', () => {
    expect(bill({ events: 0 })).toMatchObject({ total: 4.29, perMillionEvents: null })
    expect(bill({ events: 0, sources: 14 }).total).toBe(18.59)
    expect(bill({ events: 0, dashboard: true }).total).toBe(7.29)
  })

  it('a stack that waits costs at most $5 a month with one source and $20 with fourteen', () => {
    expect(bill({ events: 0 }).total).toBeLessThanOrEqual(5)
    expect(bill({ events: 0, sources: 14 }).total).toBeLessThanOrEqual(20)
  })

  const byEvent = (front: Month['front']): number =>
    bill({ front, duplicatePercent: 5, retainDays: 7 })
      .items.filter(({ item }) => !['recovery', 'polling', 'metrics', 'secrets', 'alarms', 'access log'].includes(item))
      .reduce((sum, { dollars }) => sum + dollars, 0)

  it('a million events cost at most $7.25 by event behind an HTTP API, and $6.20 behind a function URL', () => {
    expect(byEvent('http')).toBeCloseTo(7.23, 6)
    expect(byEvent('url')).toBeCloseTo(6.2, 6)
    expect(byEvent('http')).toBeLessThanOrEqual(7.25)
    expect(byEvent('url')).toBeLessThanOrEqual(6.2 + 1e-9)
  })

  it('the access log of an API costs $0.16 a million events besides, and a function URL has none', () => {
    expect(dollars({ duplicatePercent: 5 }, 'access log')).toBe(0.16)
    expect(dollars({ front: 'url' }, 'access log')).toBeUndefined()
  })

  it('queues that wait cost what their pollers ask, for the worker and for each destination', () => {
    expect(dollars({ events: 0 }, 'polling')).toBe(0.53)
    expect(dollars({ events: 0, destinations: 2 }, 'polling')).toBe(1.58)
  })
})

describe('hooklatch cost', () => {
  const run = async (flags: Parameters<typeof cost.run>[0]['flags']) => {
    const lines: string[] = []
    const terminal = {
      out: (text: string | readonly string[]) => lines.push(...[text].flat()),
      err: () => {},
      style: (_: string, text: string) => text,
    }
    const given = { flags, positionals: [] }
    const result = await cost.run(given, terminal as unknown as Parameters<typeof cost.run>[1], async () => [])
    return { result, text: lines.join('\n') }
  }

  it('hooklatch cost prints items, a total and what it is for', async () => {
    const { result, text } = await run({ events: '2000000', body: '2KB', duplicates: '10', retain: 'none' })
    expect(result).toBe(0)
    expect(text).toMatch(/^claims\t3\.89\tDynamoDB/m)
    expect(text).toMatch(/^total\t\d+\.\d\d/m)
    expect(text).toContain('2000000 new events of 2000 bytes, 10 % of deliveries duplicates, bodies not kept, HTTP API')
  })

  it('hooklatch cost --json prints the same as JSON', async () => {
    const { text } = await run({ json: true })
    expect(JSON.parse(text)).toMatchObject({ events: 1_000_000, bodyBytes: 8_000, retainDays: 7, asOf: '2026-11-16' })
  })

  it('hooklatch cost refuses everything it cannot read at once', async () => {
    const { result } = await run({ events: 'many', body: '9GB', duplicates: '100', retain: 'forever', front: 'soap' })
    expect(result).toMatchObject({ exitCode: 2 })
    for (const flag of ['--events many', '--body 9GB', '--duplicates 100', '--retain forever', '--front soap']) {
      expect((result as { refused: string }).refused).toContain(flag)
    }
  })

  it('hooklatch cost says what a price file lacks', async () => {
    const { result } = await run({ prices: 'package.json' })
    expect((result as { refused: string }).refused).toMatch(/package.json is not a price file: region, asOf/)
  })
})
