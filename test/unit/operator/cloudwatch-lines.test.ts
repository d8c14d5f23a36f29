import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs'
import { mockClient } from 'aws-sdk-client-mock'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { millis } from '../../../functions/domain/brands.ts'
import { cloudwatchLines } from '../../../lib/operator/cloudwatch-lines.ts'
import { NOON } from '../../support/events.ts'

const logs = mockClient(CloudWatchLogsClient)
// Other files of this process speak to a server.
afterAll(() => {
  logs.restore()
})
beforeEach(() => logs.reset())

const read = async (query: object = {}): Promise<string[]> => {
  const source = cloudwatchLines(new CloudWatchLogsClient({ region: 'us-east-1' }), ['/receive', '/worker'])
  const found: string[] = []
  for await (const line of source.lines({ from: NOON, until: millis(NOON + 1_000), ...query })) found.push(line)
  return found
}

describe('lines in CloudWatch', () => {
  it('log lines are read from CloudWatch page by page, group by group, within the time asked for', async () => {
    logs
      .on(FilterLogEventsCommand, { logGroupName: '/receive' })
      .resolves({ events: [{ message: 'one' }], nextToken: 'n' })
    logs
      .on(FilterLogEventsCommand, { logGroupName: '/receive', nextToken: 'n' })
      .resolves({ events: [{ message: 'two' }] })
    logs.on(FilterLogEventsCommand, { logGroupName: '/worker' }).resolves({ events: [{ message: 'three' }] })
    expect(await read()).toEqual(['one', 'two', 'three'])
    expect(logs.commandCalls(FilterLogEventsCommand)[0]?.args[0].input).toMatchObject({
      startTime: NOON,
      endTime: NOON + 1_001,
      filterPattern: '"_aws"',
    })
  })

  it('log lines that contain a text are filtered by CloudWatch, whatever characters it has', async () => {
    logs.on(FilterLogEventsCommand).resolves({ events: [] })
    await read({ contains: 'evt"1\\' })
    expect(logs.commandCalls(FilterLogEventsCommand)[0]?.args[0].input.filterPattern).toBe('"evt\\"1\\\\"')
  })

  it('reading log lines is given up if it takes too long', async () => {
    logs.on(FilterLogEventsCommand).resolves({ events: [{ message: 'one' }], nextToken: 'for ever' })
    await expect(read({ withinMs: -1 })).rejects.toThrow('too long')
  })
})
