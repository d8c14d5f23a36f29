import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb'
import { toItem } from '../../functions/adapters/event-items.ts'
import { EVENTS_TABLE } from '../../functions/contract/tables.ts'
import { type Fingerprint, millis } from '../../functions/domain/brands.ts'
import { readNumber } from '../../lib/cli/flags.ts'
import { isRefusal, refuse } from '../../lib/connect/refusal.ts'
import { findEvents, type Search } from '../../lib/console/find-events.ts'
import { availableDynamo } from '../../lib/local/engines/dynamo-command.ts'
import { startEngines } from '../../lib/local/engines/start-engines.ts'
import { clientsFor, freshTable, sdkCalls } from '../support/engines.ts'
import { claimedRecord, NOON } from '../support/events.ts'
import { allStores } from '../support/stores.ts'
import { print, tool } from '../tools/tool.ts'

export const listBench = tool({
  summary: "Measures how long the console's list takes with many records behind it.",
  flags: { records: { value: 'N', help: 'how many (default 100000)' } },
  async run({ flags }) {
    const records = readNumber(flags.records, 'records', { min: 1, max: 100_000_000, otherwise: 100_000 })
    if (isRefusal(records)) return records
    const dynamodb = await availableDynamo()
    if ('missing' in dynamodb) return refuse(dynamodb.missing)
    const engines = await startEngines({ dynamodb: dynamodb.kind })
    try {
      const table = await freshTable(engines.endpoints.dynamodb, EVENTS_TABLE)
      const client = clientsFor(engines.endpoints).dynamodb
      const begun = performance.now()
      await write(client, table, records)
      const seconds = Math.round((performance.now() - begun) / 1000)
      print(`${records} records written to ${dynamodb.kind} in ${seconds} s, ${megabytes()}`)
      await measureAll(allStores(sdkCalls(engines.endpoints), { eventsTable: table }).records)
      return 0
    } finally {
      await engines.stop()
    }
  },
})

const SPAN_MS = 20 * 3_600_000
const TIMES = 20
const BATCH = 25

const megabytes = (): string => `${Math.round(process.memoryUsage.rss() / 1_048_576)} MB`

const write = async (client: Clients['dynamodb'], table: string, count: number): Promise<void> => {
  const recordAt = (index: number) => {
    const fingerprint = createHash('sha256').update(`record ${index}`).digest('hex') as Fingerprint
    const at = millis(NOON - Math.floor((index / count) * SPAN_MS))
    const type = index % 10_000 === 9_999 ? 'charge.dispute.created' : 'invoice.paid'
    return { ...claimedRecord(at, { eventId: `evt_${index}`, type }), fingerprint }
  }
  for (let index = 0; index < count; index += BATCH) {
    const records = Array.from({ length: Math.min(BATCH, count - index) }, (_, each) => recordAt(index + each))
    const puts = records.map(record => ({ PutRequest: { Item: toItem(record) } }))
    await client.send(new BatchWriteCommand({ RequestItems: { [table]: puts } }))
  }
}

type Clients = ReturnType<typeof clientsFor>
type Events = Parameters<typeof findEvents>[0]

const ANYTHING: Search = {
  source: '',
  status: '',
  type: '',
  destination: '',
  q: '',
  limit: 50,
  now: NOON,
  from: millis(NOON - 30 * 86_400_000),
  after: null,
}

const measureAll = async (events: Events): Promise<void> => {
  await measure(events, 'first page', {})
  await measure(events, 'first page of a rare type (2,000 records read)', { type: 'charge.dispute.created' })
  let [after, pages]: [string | null, number] = [null, 0]
  do {
    after = (await findEvents(events, { ...ANYTHING, limit: 500, after })).next
    pages += 1
    if (pages % 50 === 0) print(`page ${pages}, ${megabytes()}`)
  } while (after !== null)
  print(`all ${pages} pages read, ${megabytes()}`)
}

const measure = async (events: Events, name: string, search: Partial<Search>): Promise<void> => {
  const taken: number[] = []
  for (let times = 0; times < TIMES; times += 1) {
    const start = performance.now()
    await findEvents(events, { ...ANYTHING, ...search })
    taken.push(performance.now() - start)
  }
  taken.sort((left, right) => left - right)
  print(`${name}: median ${taken[TIMES / 2]?.toFixed(0)} ms, slowest ${taken.at(-1)?.toFixed(0)} ms, ${megabytes()}`)
}
