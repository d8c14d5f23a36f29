import {
  type CloudWatchLogsClient,
  GetQueryResultsCommand,
  type GetQueryResultsCommandOutput,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs'
import { millis } from '../../functions/domain/brands.ts'
import type { Pause } from '../../functions/domain/ports.ts'

/** By the name of the column. */
export type InsightsRow = Readonly<Record<string, string>>

export interface InsightsQuery {
  readonly groups: readonly string[]
  readonly from: number
  readonly until: number
  readonly text: string
}

/** As many as CloudWatch Logs Insights answers. */
export const MOST_ROWS = 10_000

const LOOK_AGAIN = millis(500)
/** Of a minute: a query over a hundred gigabytes takes about that. */
const MOST_LOOKS = 120

/** What a query of CloudWatch Logs Insights answers, as soon as it does; undefined if it failed or takes longer than a minute. */
export const insightsRows = async (
  client: CloudWatchLogsClient,
  { groups, from, until, text }: InsightsQuery,
  pause: Pause,
): Promise<readonly InsightsRow[] | undefined> => {
  const { queryId } = await client.send(
    new StartQueryCommand({
      logGroupNames: [...groups],
      // Whole seconds, so one more on either side: the query itself asks for the milliseconds.
      startTime: Math.floor(from / 1000) - 1,
      endTime: Math.ceil(until / 1000) + 1,
      queryString: text,
      limit: MOST_ROWS,
    }),
  )
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const found = await client.send(new GetQueryResultsCommand({ queryId }))
    if (found.status === 'Complete') return rowsOf(found)
    if (!PENDING.has(found.status)) return undefined
    await pause(LOOK_AGAIN)
  }
  return undefined
}

const PENDING: ReadonlySet<string | undefined> = new Set(['Scheduled', 'Running', 'Unknown'])

const rowsOf = ({ results = [] }: GetQueryResultsCommandOutput): readonly InsightsRow[] =>
  results.map(row => Object.fromEntries(row.map(({ field = '', value = '' }) => [field, value])))
