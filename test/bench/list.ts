import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb'
import { dynamodbEvents } from '../../functions/adapters/dynamodb-events.ts'
import { toItem } from '../../functions/adapters/dynamodb-record.ts'
import { EVENTS_TABLE } from '../../functions/contract/tables.ts'
import { type Fingerprint, millis } from '../../functions/domain/brands.ts'
import { findEvents, type Search } from '../../lib/console/find-events.ts'
import { availableDynamo } from '../../lib/local/engines/dynamo-command.ts'
import { startEngines } from '../../lib/local/engines/start-engines.ts'
import { clientsFor, freshTable } from '../support/engines.ts'
import { claimedRecord, NOON } from '../support/events.ts'

/** How long the console's list takes with so many records behind it: `npm run bench:list -- 100000`. */
const RECORDS = Number(process.argv[2] ?? 100_000)
const SPAN_MS = 20 * 3_600_000
const TIMES = 20
const BATCH = 25

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const megabytes = (): string => `${Math.round(process.memoryUsage.rss() / 1_048_576)} MB`

const dynamodb = await availableDynamo()
if ('missing' in dynamodb) throw new Error(dynamodb.missing)
const engines = await startEngines({ dynamodb: dynamodb.kind })
try {
  const table = await freshTable(engines.endpoints.dynamodb, EVENTS_TABLE)
  const client = clientsFor(engines.endpoints).dynamodb
  const events = dynamodbEvents(client, table)
  const recordAt = (index: number) => {
    const fingerprint = createHash('sha256').update(`record ${index}`).digest('hex') as Fingerprint
    const at = millis(NOON - Math.floor((index / RECORDS) * SPAN_MS))
    const type = index % 10_000 === 9_999 ? 'charge.dispute.created' : 'invoice.paid'
    return { ...claimedRecord(at, { eventId: `evt_${index}`, type }), fingerprint }
  }
  const begun = performance.now()
  for (let index = 0; index < RECORDS; index += BATCH) {
    const records = Array.from({ length: Math.min(BATCH, RECORDS - index) }, (_, each) => recordAt(index + each))
    const puts = records.map(record => ({ PutRequest: { Item: toItem(record) } }))
    await client.send(new BatchWriteCommand({ RequestItems: { [table]: puts } }))
  }
  say(
    `${RECORDS} records written to ${dynamodb.kind} in ${Math.round((performance.now() - begun) / 1000)} s, ${megabytes()}`,
  )

  const anything: Search = {
    source: '',
    status: '',
    type: '',
    q: '',
    limit: 50,
    now: NOON,
    from: millis(NOON - 30 * 86_400_000),
    after: null,
  }
  const measure = async (name: string, search: Partial<Search>): Promise<void> => {
    const taken: number[] = []
    for (let times = 0; times < TIMES; times += 1) {
      const start = performance.now()
      await findEvents(events, { ...anything, ...search })
      taken.push(performance.now() - start)
    }
    taken.sort((left, right) => left - right)
    say(`${name}: median ${taken[TIMES / 2]?.toFixed(0)} ms, slowest ${taken.at(-1)?.toFixed(0)} ms, ${megabytes()}`)
  }
  await measure('first page', {})
  await measure('first page of a rare type (2,000 records read)', { type: 'charge.dispute.created' })
  let [after, pages]: [string | null, number] = [null, 0]
  do {
    after = (await findEvents(events, { ...anything, limit: 500, after })).next
    pages += 1
    if (pages % 50 === 0) say(`page ${pages}, ${megabytes()}`)
  } while (after !== null)
  say(`all ${pages} pages read, ${megabytes()}`)
} finally {
  await engines.stop()
}
