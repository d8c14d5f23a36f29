import { parseArgs } from 'node:util'
import { client } from '../load/client.ts'
import { type Senders, sendersOf } from '../load/senders.ts'
import { endLocals, startLocal, workplace } from '../support/local-rig.ts'
import { measureRecords, type RecordFigures } from './records.ts'

/**
 * `npm run bench:system`: `npm start` under load, by share of duplicates and by connections; then listing, replay and recovery over
 * many records. What it prints says something about this machine; how the figures grow says something about Hooklatch.
 */
const { values } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '2000' },
    records: { type: 'string', default: '10000,100000' },
    json: { type: 'boolean' },
  },
})

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const DELIVERIES = Number(values.deliveries)
const SIZES = values.records.split(',').filter(Boolean).map(Number)
if (!(DELIVERIES > 0) || SIZES.some(size => !(size > 0))) {
  process.stderr.write(
    '--deliveries is a number, --records numbers with commas between them, such as 10000,100000,1000000.\n',
  )
  process.exit(2)
}

interface Throughput {
  readonly duplicates: number
  readonly connections: number
  readonly perSecond: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly not2xx: number
}

const under = async (
  url: string,
  senders: Senders,
  from: number,
  duplicates: number,
  connections: number,
): Promise<Throughput> => {
  const sender = client(url, connections)
  const distinct = Math.max(1, Math.round(DELIVERIES * (1 - duplicates)))
  // Signed beforehand: what is measured is the receiver. Repeats come long after their first, so that they are duplicates.
  const deliveries = Array.from({ length: DELIVERIES }, (_, index) => senders.event(from + (index % distinct)))
  const started = performance.now()
  const answers = await Promise.all(deliveries.map(each => sender.post(each)))
  const seconds = (performance.now() - started) / 1000
  sender.close()
  const times = answers.map(({ milliseconds }) => milliseconds).sort((left, right) => left - right)
  const at = (share: number): number => Math.round(times[Math.floor(share * (times.length - 1))] ?? Number.NaN)
  const not2xx = answers.filter(({ status }) => status !== 200 && status !== 202).length
  return {
    duplicates,
    connections,
    perSecond: Math.round(DELIVERIES / seconds),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    not2xx,
  }
}

const throughputs = async (): Promise<Throughput[]> => {
  const local = await startLocal(workplace())
  const senders = await sendersOf(local, 'system')
  const results: Throughput[] = []
  let from = 0
  const measure = async (duplicates: number, connections: number): Promise<void> => {
    results.push(await under(local.url, senders, from, duplicates, connections))
    from += DELIVERIES
  }
  await measure(0, 16)
  results.length = 0
  for (const duplicates of [0, 0.05, 0.5]) await measure(duplicates, 16)
  for (const connections of [1, 4, 64]) await measure(0, connections)
  local.pressCtrlC()
  await local.finished
  return results
}

const show = (loads: readonly Throughput[], records: readonly RecordFigures[]): void => {
  print('| duplicates | connections | deliveries/s | p50 ms | p95 ms | p99 ms | not 2xx |')
  print('| --- | --- | --- | --- | --- | --- | --- |')
  for (const each of loads) {
    const { duplicates, connections, perSecond, p50, p95, p99, not2xx } = each
    print(`| ${duplicates * 100} % | ${connections} | ${perSecond} | ${p50} | ${p95} | ${p99} | ${not2xx} |`)
  }
  print('')
  print(
    '| records | first page ms | page in the middle ms | one replay ms | recovery of 1,000 new ms | records it looked at | memory MB |',
  )
  print('| --- | --- | --- | --- | --- | --- | --- |')
  for (const { records: count, firstPage, laterPage, replay, recovery, seen, memory } of records) {
    print(`| ${count} | ${firstPage} | ${laterPage} | ${replay.toFixed(1)} | ${recovery} | ${seen} | ${memory} |`)
  }
}

try {
  const loads = await throughputs()
  const records: RecordFigures[] = []
  for (const size of SIZES) records.push(await measureRecords(size))
  if (values.json) print(JSON.stringify({ throughput: loads, records }, null, 2))
  else show(loads, records)
} finally {
  endLocals()
}
