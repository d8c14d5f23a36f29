import { countsOf, keptBytes, packedBytes } from './counts.ts'
import type { Prices } from './prices.ts'
import { dollarsByItem, type Front, MEMORY_MB } from './usage.ts'

export interface Month {
  /** New ones. */
  readonly events: number
  readonly bodyBytes: number
  /** Of all deliveries. */
  readonly duplicatePercent: number
  /** 0: bodies are not kept. */
  readonly retainDays: number
  readonly front: Front
  readonly sources: number
  /** Besides the worker. @default 0 */
  readonly destinations?: number
  /** Of each event, if it goes to several destinations. @default 0 */
  readonly copies?: number
  /** @default false, as in the construct */
  readonly dashboard?: boolean
  /** A key of KMS of their own. @default false */
  readonly ownKey?: boolean
  /** Sources that are compared with their sender's list every hour. @default 0 */
  readonly reconciled?: number
}

export interface BillItem {
  readonly item: string
  readonly dollars: number
  readonly why: string
}

export interface Bill {
  readonly items: readonly BillItem[]
  readonly total: number
  /** Of no events there is none. */
  readonly perMillionEvents: number | null
}

/** What a receiver costs in a month: what is counted for each delivery, what each event costs behind the queue, and what stands there. */
export const monthlyBill = (month: Month, prices: Prices): Bill => {
  const items = [...deliveries(month, prices), ...behindTheQueue(month, prices), ...standing(month, prices)].map(
    each => ({
      ...each,
      dollars: cents(each.dollars),
    }),
  )
  const total = cents(items.reduce((sum, { dollars }) => sum + dollars, 0))
  return { items, total, perMillionEvents: month.events === 0 ? null : cents((total / month.events) * MILLION) }
}

const MILLION = 1_000_000
const cents = (dollars: number): number => Math.round(dollars * 100) / 100

/** One line of log for each delivery and one for each event that was handled: as long as theirs in test/unit/cost. */
export const LINE_BYTES = { delivery: 293, work: 280 } as const

/** Each of those lines and each record has the id that the front gave the request: 16 characters of an HTTP API, else a UUID. */
export const LONGER_ID_BYTES = { http: 0, rest: 20, url: 20 } as const satisfies Record<Front, number>

/** Of the API's own log, one for each request: test/unit/cost counts it. A function URL has none. */
export const ACCESS_LINE_BYTES = { http: 300, rest: 300, url: 0 } as const satisfies Record<Front, number>

export const FRONT_NAMES = { http: 'HTTP API', rest: 'REST API', url: 'function URL' } as const satisfies Record<
  Front,
  string
>

const deliveries = ({ events, bodyBytes, duplicatePercent, retainDays, front }: Month, prices: Prices): BillItem[] => {
  const counts = countsOf({ bytes: bodyBytes, kept: retainDays > 0 })
  const repeated = (events * duplicatePercent) / (100 - duplicatePercent)
  const once = dollarsByItem(counts.new, prices, front)
  const again = dollarsByItem(counts.duplicate, prices, front)
  const both = (item: keyof typeof once): number => (once[item] * events + again[item] * repeated) / MILLION
  const [delivery, work] = [LINE_BYTES.delivery, LINE_BYTES.work].map(bytes => bytes + LONGER_ID_BYTES[front]) as [
    number,
    number,
  ]
  const written = (events + repeated) * delivery + events * work
  const all: readonly BillItem[] = [
    {
      item: 'front door',
      dollars: both('front'),
      why: `${FRONT_NAMES[front]}, ${Math.round(events + repeated)} deliveries`,
    },
    { item: 'receive', dollars: both('lambda'), why: `Lambda, ${MEMORY_MB} MB` },
    {
      item: 'claims',
      dollars: both('dynamodb'),
      why: `DynamoDB, ${counts.new.writeUnits} write units when new, ${counts.duplicate.writeUnits} when a duplicate`,
    },
    { item: 'queue', dollars: both('queue'), why: `SQS, ${counts.new.queueChunks} of 64 KB each to send` },
    { item: 'bodies', dollars: both('objects'), why: 'S3, one PUT for each large body' },
    {
      item: 'logs',
      dollars: (written / 1e9) * prices.logsGb,
      why: `CloudWatch, ${delivery} bytes a delivery, ${work} an event that is handled`,
    },
    {
      item: 'access log',
      dollars: (((events + repeated) * ACCESS_LINE_BYTES[front]) / 1e9) * prices.logsGb,
      why: `CloudWatch, ${ACCESS_LINE_BYTES[front]} bytes a delivery, of the API itself`,
    },
  ]
  return all.filter(({ dollars }) => dollars > 0)
}

/** Batches of ten at best; one event alone is what a quiet hour brings. Three is between them. */
const BATCH = 3

const behindTheQueue = (month: Month, prices: Prices): BillItem[] => {
  const { events, bodyBytes, destinations = 0 } = month
  const { queueChunks } = countsOf({ bytes: bodyBytes, kept: false }).new
  const batches = events / BATCH
  const received = Math.max(batches, (events * queueChunks) / BATCH) + batches
  return [
    {
      item: 'take and finish',
      dollars: (events * 2 * prices.dynamodbWriteUnit) / MILLION,
      why: 'DynamoDB, 2 write units an event',
    },
    {
      item: 'take messages',
      dollars: (received * prices.sqsRequest) / MILLION,
      why: `SQS, received and deleted ${BATCH} at a time`,
    },
    {
      item: 'worker',
      dollars: (batches * prices.lambdaRequest) / MILLION,
      why: 'Lambda requests; its time is your handler’s',
    },
    ...(month.copies ? [copiesOf(month, month.copies, prices)] : []),
    {
      item: 'recovery',
      dollars: (events * 0.5 * prices.dynamodbReadUnit) / MILLION + runs(prices),
      why: 'every minute: 16 index queries, a cursor, and half a read unit an event',
    },
    {
      item: 'polling',
      dollars: (POLLED_QUEUES * (1 + destinations) * POLLERS * POLLS * prices.sqsRequest) / MILLION,
      why: `SQS, ${POLLERS} pollers of Lambda that wait 20 seconds each, at ${POLLED_QUEUES * (1 + destinations)} queues`,
    },
  ]
}

/** Claim, entry of the listing, settle, take and finish. */
const COPY_WRITES = 5

/** The fan-out takes an event as a worker would, and keeps its body once more; each copy is read, sent and handled by itself. */
const copiesOf = ({ events, bodyBytes }: Month, copies: number, prices: Prices): BillItem => {
  const [kept, bare] = [true, false].map(each =>
    dollarsByItem(countsOf({ bytes: bodyBytes, kept: each }).new, prices, 'url'),
  ) as [ReturnType<typeof dollarsByItem>, ReturnType<typeof dollarsByItem>]
  const each =
    COPY_WRITES * prices.dynamodbWriteUnit +
    (Math.ceil(packedBytes(bodyBytes) / 4_096) + 0.5) * prices.dynamodbReadUnit +
    (1 + 2 / BATCH) * prices.sqsRequest +
    prices.lambdaRequest / BATCH +
    (LINE_BYTES.work / 1_000) * prices.logsGb
  return {
    item: 'copies',
    dollars: (events * (copies * each + kept.dynamodb - bare.dynamodb + kept.objects)) / MILLION,
    why: `${copies} of each event: DynamoDB, ${COPY_WRITES} write units each, SQS, Lambda requests and logs`,
  }
}

const MINUTES = 43_800
/** Of each of three passes a look at its cursor, and one of them moves it; the other two do so every ten minutes. */
const CURSOR = { reads: 3, writes: 1.2 } as const
const runs = (prices: Prices): number =>
  (MINUTES *
    ((16 * 0.5 + CURSOR.reads) * prices.dynamodbReadUnit +
      CURSOR.writes * prices.dynamodbWriteUnit +
      prices.lambdaRequest +
      0.2 * (MEMORY_MB / 1024) * prices.lambdaGbSecond)) /
  MILLION

/** A queue and its dead letters. */
const POLLED_QUEUES = 2
/** Lambda keeps five at a queue that is empty, as far as its users have counted. */
const POLLERS = 5
const POLLS = MINUTES * 3

/** Records are remembered for about 30 days. Each is an item and an entry of the listing index, with 100 bytes of overhead each; backups hold no index. */
export const RECORD_BYTES = { item: 588, entry: 245 } as const
/** Metrics that alarms watch, which is what is billed: two of them where one is a share of the other. test/infra counts them. */
export const ALARM_METRICS = { stack: 17, source: 5, destination: 6, reconciled: 2 } as const
/** Accepted and Duplicate. What else is a metric is so in the hours in which it goes wrong, and is billed by the hour. */
const METRICS = 2
/** AttemptFailed, say; its events are counted by source, too. */
const DESTINATION_METRICS = 1

/** Missing, Taken and Compared. */
const RECONCILE_METRICS = 3
/** A run: a few pages of a list, at the pace of its sender. Assumed. */
const RECONCILE_SECONDS = 5
const HOURS = 730

const reconcileMonth = (prices: Prices): number =>
  prices.secretMonth +
  RECONCILE_METRICS * prices.metricMonth +
  ALARM_METRICS.reconciled * prices.alarmMonth +
  (HOURS * (prices.lambdaRequest + RECONCILE_SECONDS * (MEMORY_MB / 1024) * prices.lambdaGbSecond)) / MILLION

/**
 * Each service keeps what KMS answered for five minutes and for each caller. So requests are bounded by the month, not by the events:
 * four functions on two tables, the senders and readers of two queues, the secrets and the bucket; five more for each destination.
 */
const KEY_CALLERS = { stack: 20, destination: 5 } as const
const FIVE_MINUTES = MINUTES / 5

/** Copies point to it, and it outlives the messages of all of them. */
const COPIED_BODY_DAYS = 28

const standing = (month: Month, prices: Prices): BillItem[] => {
  const { events, bodyBytes, front, sources, destinations = 0, reconciled = 0, copies = 0 } = month
  const retainDays = copies > 0 ? Math.max(month.retainDays, COPIED_BODY_DAYS) : month.retainDays
  const { dashboard = false, ownKey = false } = month
  const keyRequests = FIVE_MINUTES * (KEY_CALLERS.stack + destinations * KEY_CALLERS.destination)
  const alarmMetrics = ALARM_METRICS.stack + sources * ALARM_METRICS.source + destinations * ALARM_METRICS.destination
  const [itemGb, entryGb] = [RECORD_BYTES.item + LONGER_ID_BYTES[front], RECORD_BYTES.entry].map(
    bytes => (events * (1 + copies) * bytes) / 1e9,
  ) as [number, number]
  const { inTable, bytes: keptBodyBytes } = keptBytes(bodyBytes)
  const bodyGb = (events * keptBodyBytes * (retainDays / 30)) / 1e9
  const stored = (itemGb + entryGb) * prices.dynamodbGbMonth + itemGb * prices.dynamodbBackupGbMonth
  return [
    {
      item: 'records at rest',
      dollars: stored,
      why: `DynamoDB, ${(itemGb + entryGb).toFixed(1)} GB with backup, remembered for 30 days`,
    },
    {
      item: 'bodies at rest',
      dollars: bodyGb * (inTable ? prices.dynamodbGbMonth : prices.s3GbMonth),
      why: `${inTable ? 'DynamoDB' : 'S3'}, ${bodyGb.toFixed(1)} GB`,
    },
    {
      item: 'metrics',
      dollars: (sources * METRICS + destinations * DESTINATION_METRICS) * prices.metricMonth,
      why: `CloudWatch, ${METRICS} for each source${destinations > 0 ? ` and ${DESTINATION_METRICS} for each destination` : ''}`,
    },
    { item: 'secrets', dollars: 2 * prices.secretMonth, why: 'Secrets Manager, 2 secrets' },
    {
      item: 'alarms',
      dollars: alarmMetrics * prices.alarmMonth,
      why: `CloudWatch, ${ALARM_METRICS.stack} for the stack and ${ALARM_METRICS.source} for each source${destinations > 0 ? ' and destination' : ''}`,
    },
    {
      item: 'dashboard',
      dollars: dashboard ? prices.dashboardMonth : 0,
      why: 'CloudWatch, the first three of an account are free',
    },
    {
      item: 'key',
      dollars: ownKey ? prices.kmsKeyMonth + (keyRequests * prices.kmsRequest) / MILLION : 0,
      why: `KMS, one key, and ${keyRequests} requests at most`,
    },
    {
      item: 'reconcile',
      dollars: reconciled * reconcileMonth(prices),
      why: `each hour, for each of ${reconciled}: a secret, ${RECONCILE_METRICS} metrics, ${ALARM_METRICS.reconciled} alarms, and Lambda for ${RECONCILE_SECONDS} seconds`,
    },
  ].filter(({ dollars }) => dollars > 0)
}
