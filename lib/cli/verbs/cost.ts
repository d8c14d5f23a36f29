import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import { FRONT_NAMES, type Month, monthlyBill } from '../../cost/monthly-bill.ts'
import { OUR_PRICES, readPrices } from '../../cost/prices.ts'
import type { Front } from '../../cost/usage.ts'
import { printTable } from '../../terminal/table.ts'
import { jsonLines, type Terminal } from '../../terminal/terminal.ts'
import { allOf, type FlagValues, readDuration, readNumber } from '../flags.ts'
import { verb } from '../verb.ts'

const FLAGS = {
  events: { value: 'N', help: 'New events a month. Default 1000000.' },
  body: { value: 'BYTES', help: 'Size of a body: 8000, 8KB, 1MB. Default 8KB.' },
  duplicates: { value: 'PERCENT', help: 'How many of a hundred deliveries are duplicates. Default 5.' },
  retain: { value: 'DURATION', help: 'How long bodies are kept for replay: none, 7d, 30d. Default 7d.' },
  front: {
    value: 'http|rest|url',
    help: 'What stands in front: an HTTP or REST API, or a function URL. Default http.',
  },
  sources: { value: 'N', help: 'Sources that send something. Default 1.' },
  destinations: { value: 'N', help: 'Destinations besides the worker. Default 0.' },
  copies: { value: 'N', help: 'Copies of each event, if it goes to several destinations. Default 0.' },
  dashboard: { help: 'With the CloudWatch dashboard (`dashboard: true`).' },
  key: { help: 'With a KMS key of your own (`encryptionKey`).' },
  reconciled: { value: 'N', help: 'Sources that are compared with their sender\u2019s list every hour. Default 0.' },
  prices: { value: 'FILE', help: 'Your own price file. Default: list prices of us-east-1.' },
  json: { help: 'Print the bill as JSON.' },
} as const

export const cost = verb({
  summary: 'Show what a month would cost in AWS, item by item.',
  operands: [],
  flags: FLAGS,
  teaches: [
    'Uses the counts that the benchmark checks, at list prices: no free tier, no discount, and without your own handler.',
    '',
    '  npx hooklatch cost',
    '  npx hooklatch cost --events 50000000 --body 2KB --duplicates 10 --retain none',
    '  npx hooklatch cost --front rest --json | jq .total',
  ].join('\n'),
  async run({ flags }, terminal) {
    const month = readMonth(flags)
    if (isRefusal(month)) return month
    const prices = await pricesFrom(flags.prices)
    if (isRefusal(prices)) return prices
    const bill = monthlyBill(month, prices)
    if (flags.json) terminal.out(jsonLines({ ...month, ...bill, region: prices.region, asOf: prices.asOf }))
    else show(month, bill, prices, terminal)
    return 0
  },
})

const readMonth = (flags: FlagValues<typeof FLAGS>): Month | Refusal => {
  const read = allOf(
    readCount(flags.events, 'events', 1_000_000),
    readBytes(flags.body),
    readNumber(flags.duplicates, 'duplicates', { min: 0, max: 99, otherwise: 5 }),
    flags.retain === 'none' ? 0 : readDuration(flags.retain, 'retain', '7d'),
    readFront(flags.front),
    readNumber(flags.sources, 'sources', { min: 1, max: 1_000, otherwise: 1 }),
    readNumber(flags.destinations, 'destinations', { min: 0, max: 1_000, otherwise: 0 }),
    readNumber(flags.copies, 'copies', { min: 0, max: 1_000, otherwise: 0 }),
    readNumber(flags.reconciled, 'reconciled', { min: 0, max: 1_000, otherwise: 0 }),
  )
  if (isRefusal(read)) return read
  const [events, bodyBytes, duplicates, retainMillis, front, sources, destinations, copies, reconciled] = read
  const retainDays = retainMillis / 86_400_000
  const [dashboard, ownKey] = [flags.dashboard === true, flags.key === true]
  return {
    events,
    bodyBytes,
    duplicatePercent: duplicates,
    retainDays,
    front,
    sources,
    destinations,
    copies,
    dashboard,
    ownKey,
    reconciled,
  }
}

const readCount = (text: string | undefined, name: string, otherwise: number): number | Refusal => {
  if (text === undefined) return otherwise
  if (/^\d{1,13}$/.test(text)) return Number(text)
  return refuse(`--${name} ${text} is not a whole number, such as 1000000.`, 2)
}

const UNITS: Readonly<Record<string, number>> = { '': 1, b: 1, kb: 1_000, mb: 1_000_000 }
const MOST_BYTES = 4_194_304

const readBytes = (text = '8KB'): number | Refusal => {
  const [, digits = '', unit = ''] = /^(\d{1,7})\s?(b|kb|mb)?$/i.exec(text) ?? []
  const bytes = digits === '' ? Number.NaN : Number(digits) * (UNITS[unit.toLowerCase()] ?? Number.NaN)
  if (bytes >= 1 && bytes <= MOST_BYTES) return bytes
  return refuse(`--body ${text} is not a size from 1 byte to 4 MiB, such as 8000, 8KB or 1MB.`, 2)
}

const readFront = (text = 'http'): Front | Refusal =>
  text === 'http' || text === 'rest' || text === 'url'
    ? text
    : refuse(`--front ${text} is not a front: expected http, rest or url.`, 2)

const pricesFrom = async (file: string | undefined) => {
  try {
    return readPrices(file ?? OUR_PRICES)
  } catch (error) {
    return refuse(`--prices ${file} cannot be used: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const show = (
  { events, bodyBytes, duplicatePercent, retainDays, front }: Month,
  { items, total, perMillionEvents }: ReturnType<typeof monthlyBill>,
  { region, asOf }: ReturnType<typeof readPrices>,
  terminal: Terminal,
): void => {
  const rows = items.map(({ item, dollars, why }) => [item, dollars.toFixed(2), why])
  printTable(terminal, ['item', '$ a month', 'for'], [...rows, ['total', total.toFixed(2), '']])
  terminal.out('')
  const each = perMillionEvents === null ? '' : `: $${perMillionEvents.toFixed(2)} per million events`
  const kept = retainDays === 0 ? 'bodies not kept' : `bodies kept for ${retainDays} days`
  terminal.out(
    `${events} new events of ${bodyBytes} bytes, ${duplicatePercent} % of deliveries duplicates, ${kept}, ${FRONT_NAMES[front]}${each}.`,
  )
  terminal.out(`List prices of ${region}, ${asOf}. The time of your own handler is not included.`)
}
