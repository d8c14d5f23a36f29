import { millis } from '../../../functions/domain/brands.ts'
import { countsOf } from '../../connect/counts-of.ts'
import { sumOf } from '../../operator/counts.ts'
import { type Check, type Found, fine, warning } from './finding.ts'

/** Longer than the senders in the catalogue try; one that sends once a month is still not seen. */
const DAYS = 14

/** A function URL: what holds a flood back. */
const boundOf = (concurrency: string): Found =>
  concurrency === 'unreserved'
    ? warning(
        'a flood at the function URL can use up every Lambda of the account: nothing bounds it',
        'set reservedConcurrency, such as 100, or use api: http, which has a throttle',
      )
    : fine(`a flood at the function URL is held to ${concurrency} calls at once`)

/** With a domain of one's own, the address that AWS gave the API is a second door: who still uses it, or whether it is closed. */
export const checkDomain: Check = async ({ connection, sources }) => {
  const { executeApi: door, receiveConcurrency = undefined } =
    connection.kind === 'aws' ? connection.outputs : NO_OUTPUTS
  if (receiveConcurrency !== undefined) return [boundOf(receiveConcurrency)]
  if (door === undefined) return []
  if (door === 'closed') return [fine('only your domain answers: the execute-api address is closed')]
  const until = connection.now()
  const names = [...sources.keys()]
  const from = millis(until - DAYS * 86_400_000)
  const counts = await countsOf(connection, { sources: names, metrics: ['ExecuteApi'], from, until })
  const found = names.flatMap(source => around(source, sumOf(counts, source, 'ExecuteApi')))
  return found.length > 0 ? found : [CAN_BE_CLOSED]
}

const NO_OUTPUTS: { readonly executeApi?: string; readonly receiveConcurrency?: string } = {}

const around = (source: string, count: number): Found[] => {
  const says = `${count} deliveries of the last ${DAYS} days came to the execute-api address instead of your domain: closing it would refuse them`
  return count === 0 ? [] : [warning(says, 'give its sender the URL that `npx hooklatch sources` shows', source)]
}

const CAN_BE_CLOSED = fine(
  `the execute-api address is open, and no sender was seen there in the last ${DAYS} days (counted since this version was deployed)`,
  'close it: disableExecuteApiEndpoint: true',
)
