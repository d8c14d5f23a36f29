import { type CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs'
import { systemPause } from '../../functions/adapters/system.ts'
import type { Pause } from '../../functions/domain/ports.ts'
import { isDenied } from './explain-fault.ts'
import { insightsRows, MOST_ROWS } from './insights-rows.ts'
import { type AskInsights, insightsStats } from './insights-stats.ts'
import type { LineQuery, LineSource } from './line-source.ts'

/** Of the receive, worker and bury functions, as the stack's outputs name them. */
export type LogGroups = readonly string[]

/** One group after the other, each oldest first; lines appear in CloudWatch some seconds after they are written. */
export const cloudwatchLines = (
  client: CloudWatchLogsClient,
  groups: LogGroups,
  pause: Pause = systemPause,
): LineSource => ({
  async *lines(query) {
    for (const group of groups) yield* groupLines(client, group, query)
  },

  async counted(query) {
    let isWhole = true
    const ask: AskInsights = async text => {
      const rows = await insightsRows(client, { groups, ...query, text }, pause)
      isWhole &&= rows !== undefined && rows.length < MOST_ROWS
      return rows ?? []
    }
    try {
      const counted = await insightsStats(ask, query)
      return isWhole ? counted : undefined
    } catch (error) {
      // The policy of an older version does not allow it, or others have as many queries under way as an account may.
      if (isDenied(error) || (error instanceof Error && error.name === 'LimitExceededException')) return undefined
      throw error
    }
  },
})

async function* groupLines(
  client: CloudWatchLogsClient,
  logGroupName: string,
  { from, until, contains, withinMs = Number.POSITIVE_INFINITY }: LineQuery,
): AsyncGenerator<string> {
  const startedAt = performance.now()
  const filterPattern = contains === undefined ? OURS : quoted(contains)
  const asked = { logGroupName, startTime: from, endTime: until + 1, filterPattern }
  for await (const { events = [], nextToken } of paginateFilterLogEvents({ client }, asked)) {
    for (const { message } of events) if (message !== undefined) yield message
    const isLate = performance.now() - startedAt > withinMs
    if (nextToken && isLate) throw new Error('it takes too long to look through all of them')
  }
}

/** Every line of ours has it, and none of the user's. */
const OURS = '"_aws"'

/** A term in quotes is looked for as it stands. */
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`
