import {
  CloudWatchLogsClient,
  FilterLogEventsCommand,
  GetQueryResultsCommand,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs'
import { mockClient } from 'aws-sdk-client-mock'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { millis } from '../../../functions/domain/brands.ts'
import { cloudwatchLines } from '../../../lib/operator/cloudwatch-lines.ts'
import { insightsStats } from '../../../lib/operator/insights-stats.ts'
import type { StatsQuery } from '../../../lib/operator/source-stats.ts'
import { stats } from '../../../lib/operator/stats.ts'
import { NOON } from '../../support/events.ts'
import { insights } from '../../support/insights.ts'
import { wholeRig } from '../../support/whole-rig.ts'

const logs = mockClient(CloudWatchLogsClient)
afterAll(() => {
  logs.restore()
})
beforeEach(() => logs.reset())

const QUERY: StatsQuery = { from: NOON, until: millis(NOON + 3_600_000), bucketMs: 30_000 }

/** Lines of two sources as the functions write them: accepted, duplicates, forged ones, done and failed, over some buckets. */
const someLines = async (): Promise<readonly string[]> => {
  const at = wholeRig()
  const write = (text: string): void => void at.lines.push(text)
  for (const [round, secret] of [undefined, undefined, 'whsec_wrong_0123456789abcdef00'].entries()) {
    const event = { id: `evt_${round}`, object: 'event', type: 'invoice.paid' }
    await at.stripe(event, secret === undefined ? {} : { secret })
    await at.stripe(event)
    at.advance(20_000)
  }
  await at.post({ source: 'nobody', body: '{}' })
  await at.deliver(async () => {}, at.texts(), { write })
  at.lines.push('what a handler printed\n', '{"handled":1}\n')
  return at.lines
}

const client = new CloudWatchLogsClient({ region: 'us-east-1' })
const source = () => cloudwatchLines(client, ['/receive', '/worker'], async () => {})

/** CloudWatch with so many lines that nobody reads them one by one. */
const bigLog = (lines: readonly string[]) => {
  const texts: string[] = []
  const filler = Array.from({ length: 60_000 }, () => ({ message: lines[0] ?? '' }))
  logs.on(FilterLogEventsCommand).resolves({ events: filler })
  logs.on(StartQueryCommand).callsFake(({ queryString }) => ({ queryId: String(texts.push(queryString) - 1) }))
  logs.on(GetQueryResultsCommand).callsFake(({ queryId }) => ({
    status: 'Complete',
    results: insights(lines, texts[Number(queryId)] ?? '').map(row =>
      Object.entries(row).map(([field, value]) => ({ field, value })),
    ),
  }))
}

describe('stats of more lines than are read one by one', () => {
  it.each([undefined, 'stripe'])('stats are the same by query as by line, of source %s', async name => {
    const lines = await someLines()
    const query = { ...QUERY, source: name }
    const byLine = await stats(
      {
        lines: async function* () {
          yield* lines
        },
      },
      query,
    )
    expect(byLine.sources[0]).toMatchObject({ source: 'stripe', accepted: 3, duplicate: 2, rejected: 1, done: 3 })
    const byQuery = await insightsStats(async text => insights(lines, text), query)
    expect(byQuery.toSorted((left, right) => right.received - left.received)).toEqual(byLine.sources)
  })

  it('three queries answer for any number of lines, over all log groups and the whole time', async () => {
    const lines = await someLines()
    bigLog(lines)
    const found = await stats(source(), QUERY)
    expect(found).toMatchObject({ truncated: false, sources: [{ source: 'stripe', received: 6, accepted: 3 }, {}] })
    expect(logs.commandCalls(FilterLogEventsCommand)).toHaveLength(1)
    expect(logs.commandCalls(StartQueryCommand)).toHaveLength(3)
    expect(logs.commandCalls(StartQueryCommand)[0]?.args[0].input).toMatchObject({
      logGroupNames: ['/receive', '/worker'],
      startTime: NOON / 1000 - 1,
      endTime: NOON / 1000 + 3_601,
      limit: 10_000,
    })
  })

  it('a query that still runs is looked at again', async () => {
    bigLog(await someLines())
    logs
      .on(GetQueryResultsCommand)
      .resolvesOnce({ status: 'Scheduled' })
      .resolvesOnce({ status: 'Running' })
      .resolves({ status: 'Complete', results: [] })
    expect((await stats(source(), QUERY)).sources).toEqual([])
    expect(logs.commandCalls(GetQueryResultsCommand)).toHaveLength(5)
  })

  it.each(['Failed', 'Timeout', 'Cancelled', 'Running'] as const)(
    'if a query ends or stays as %s, the lines are read one by one',
    async status => {
      bigLog(await someLines())
      logs.on(GetQueryResultsCommand).resolves({ status })
      const found = await stats(source(), QUERY)
      // 60,000 lines in each of two log groups.
      expect(found).toMatchObject({ truncated: false, sources: [{ source: 'stripe', received: 120_000 }] })
    },
  )

  it('if an account has too many queries under way, the lines are read one by one', async () => {
    bigLog(await someLines())
    logs.on(StartQueryCommand).rejects(Object.assign(new Error('too many'), { name: 'LimitExceededException' }))
    expect((await stats(source(), QUERY)).sources).toMatchObject([{ source: 'stripe', received: 120_000 }])
  })

  it('an operator who may not ask gets what can be read line by line, and is told if that is not all', async () => {
    bigLog(await someLines())
    logs.on(StartQueryCommand).rejects(Object.assign(new Error('no'), { name: 'AccessDeniedException' }))
    expect(await stats(source(), QUERY)).toMatchObject({ truncated: false, sources: [{ received: 120_000 }] })
    const many = Array.from({ length: 260_000 }, () => ({
      message: '{"_aws":{"Timestamp":1794744000000},"Source":"s","outcome":"accepted"}',
    }))
    logs.on(FilterLogEventsCommand).resolves({ events: many })
    expect(await stats(source(), { ...QUERY, from: millis(0), until: millis(2e12), bucketMs: 2e12 })).toMatchObject({
      truncated: true,
    })
  })
})
