import { allOf, readNumber } from '../../lib/cli/flags.ts'
import { isRefusal } from '../../lib/connect/refusal.ts'
import { client } from '../load/client.ts'
import { type Senders, sendersOf } from '../load/senders.ts'
import { endLocals, startLocal, workplace } from '../support/local-rig.ts'
import { print, tool } from '../tools/tool.ts'
import { type Growth, measureGrowth } from './growth.ts'
import { measureRecords, type RecordFigures } from './records.ts'

export const systemBench = tool({
  summary: 'Puts `npm start` under load, by share of duplicates and by connections; then lists, replays and recovers.',
  teaches: 'The figures say something about this machine; how they grow says something about Hooklatch.',
  flags: {
    deliveries: { value: 'N', help: 'of each load (default 2000; 0: no load)' },
    records: {
      value: 'N,N',
      help: 'sizes of the tables that are listed, replayed and recovered (default 10000,100000). Calls and read units are counted for all of them; what takes minutes to write to an engine, above 100000, is not timed',
    },
    json: { help: 'print JSON instead of tables' },
  },
  async run({ flags }) {
    const { records: sizes = '10000,100000' } = flags
    const asked = allOf(
      readNumber(flags.deliveries, 'deliveries', { min: 0, max: 100_000_000, otherwise: 2_000 }),
      allOf(
        ...sizes
          .split(',')
          .filter(Boolean)
          .map(size => readNumber(size, 'records', { min: 1, max: 100_000_000, otherwise: 1 })),
      ),
    )
    if (isRefusal(asked)) return asked
    const [deliveries, records] = asked
    try {
      // Each table as soon as it is there: the engine needs minutes for the last one.
      const told = <Figures>(figures: Figures, show: (figures: Figures) => void): Figures => {
        if (!flags.json) show(figures)
        return figures
      }
      const throughput = told(deliveries === 0 ? [] : await throughputs(deliveries), showLoads)
      const growth = told(await eachOf(records, measureGrowth), showGrowth)
      const timed = told(
        await eachOf(
          records.filter(size => size <= MOST_TIMED),
          measureRecords,
        ),
        showRecords,
      )
      if (flags.json) print(JSON.stringify({ throughput, growth, records: timed }, null, 2))
      return 0
    } finally {
      endLocals()
    }
  },
})

const MOST_TIMED = 100_000

const eachOf = async <Figures>(
  sizes: readonly number[],
  measure: (size: number) => Promise<Figures>,
): Promise<readonly Figures[]> => {
  const figures: Figures[] = []
  for (const size of sizes) figures.push(await measure(size))
  return figures
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

interface Load {
  readonly count: number
  /** The number of its first event. */
  readonly from: number
  readonly duplicates: number
  readonly connections: number
}

const under = async (url: string, senders: Senders, load: Load): Promise<Throughput> => {
  const { count, from, duplicates, connections } = load
  const sender = client(url, connections)
  const distinct = Math.max(1, Math.round(count * (1 - duplicates)))
  // Signed beforehand: what is measured is the receiver. Repeats come long after their first, so they are duplicates.
  const deliveries = Array.from({ length: count }, (_, index) => senders.event(from + (index % distinct)))
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
    perSecond: Math.round(count / seconds),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    not2xx,
  }
}

const throughputs = async (count: number): Promise<Throughput[]> => {
  const local = await startLocal(workplace())
  const senders = await sendersOf(local, 'system')
  const results: Throughput[] = []
  let from = 0
  const measure = async (duplicates: number, connections: number): Promise<void> => {
    results.push(await under(local.url, senders, { count, from, duplicates, connections }))
    from += count
  }
  await measure(0, 16)
  results.length = 0
  for (const duplicates of [0, 0.05, 0.5]) await measure(duplicates, 16)
  for (const connections of [1, 4, 64]) await measure(0, connections)
  local.pressCtrlC()
  await local.finished
  return results
}

const showLoads = (loads: readonly Throughput[]): void =>
  table(
    ['duplicates', 'connections', 'deliveries/s', 'p50 ms', 'p95 ms', 'p99 ms', 'not 2xx'],
    loads.map(({ duplicates, connections, perSecond, p50, p95, p99, not2xx }) => [
      `${duplicates * 100} %`,
      ...[connections, perSecond, p50, p95, p99, not2xx],
    ]),
  )

const both = ({ calls, readUnits }: Growth['firstPage']): string => `${calls} / ${readUnits}`

const showGrowth = (growth: readonly Growth[]): void =>
  table(
    ['records', 'first page', 'page in the middle', 'one replay', 'recovery of 1,000 new', 'seen', 'stats'],
    growth.map(({ records, firstPage, laterPage, replay, recovery, seen, statsCalls }) => [
      ...[records, both(firstPage), both(laterPage), both(replay), both(recovery), seen, statsCalls],
    ]),
  )

const showRecords = (figures: readonly RecordFigures[]): void =>
  table(
    ['records', 'first page ms', 'page in the middle ms', 'one replay ms', 'recovery ms', 'seen', 'memory MB'],
    figures.map(({ records, firstPage, laterPage, replay, recovery, seen, memory }) => [
      ...[records, firstPage, laterPage, replay.toFixed(1), recovery, seen, memory],
    ]),
  )

const table = (titles: readonly string[], rows: readonly (readonly (string | number)[])[]): void => {
  if (rows.length === 0) return
  for (const row of [titles, titles.map(() => '---'), ...rows]) print(`| ${row.join(' | ')} |`)
  print('')
}
