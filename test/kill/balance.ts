import { ScanCommand } from '@aws-sdk/lib-dynamodb'
import type { Millis } from '../../functions/domain/brands.ts'
import { millis } from '../../functions/domain/brands.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import { allStores } from '../support/stores.ts'
import type { KillRig } from './rig.ts'
import type { Senders } from './senders.ts'

/** What is in the stores when all is over, or not yet. */
export interface Stock {
  readonly records: readonly EventRecord[]
  readonly messages: number
  readonly deadLetters: number
}

/** No run is longer, by the functions' clock. */
const DAY_MS = 86_400_000

export const takeStock = async (rig: KillRig, now: Millis): Promise<Stock> => {
  const { aws } = rig.clients()
  const { queueUrl, deadLettersUrl } = rig.resources
  const store = allStores(aws, rig.resources).records
  const records: EventRecord[] = []
  let after: string | undefined
  do {
    const page = await store.list({
      limit: 500,
      now,
      from: millis(now - DAY_MS),
      ...(after !== undefined && { after }),
    })
    records.push(...page.records)
    after = page.next ?? undefined
  } while (after !== undefined)
  const [{ messages }, dead] = await Promise.all([aws.queue.queueState(queueUrl), aws.queue.queueState(deadLettersUrl)])
  return { records, messages, deadLetters: dead.messages }
}

export const isQuiet = ({ records, messages, deadLetters }: Stock): boolean =>
  messages + deadLetters === 0 && records.every(({ status }) => status === 'done' || status === 'failed')

/** Rows that handlers left, by the event's fingerprint. */
export const effectsOf = async (rig: KillRig): Promise<ReadonlyMap<string, number>> => {
  const { dynamodb } = rig.clients()
  const effects = new Map<string, number>()
  let from: Record<string, unknown> | undefined
  do {
    const page = await dynamodb.send(
      new ScanCommand({ TableName: rig.effectsTable, ConsistentRead: true, ExclusiveStartKey: from }),
    )
    for (const { id } of page.Items ?? []) effects.set(id, (effects.get(id) ?? 0) + 1)
    from = page.LastEvaluatedKey
  } while (from)
  return effects
}

/** Every sentence is something that does not add up. */
export const imbalances = (
  { events, answers, received, strange }: Senders,
  stock: Stock,
  effects: ReadonlyMap<string, number>,
): string[] => {
  const answered = Object.values(answers).reduce((sum, count) => sum + count, 0)
  const known = new Map(stock.records.map(record => [record.eventId, record]))
  const problems = [...strange]
  if (answered !== received) problems.push(`${received} deliveries were received, ${answered} are accounted for`)
  if (stock.messages + stock.deadLetters > 0)
    problems.push(`${stock.messages} messages and ${stock.deadLetters} dead letters are left`)
  for (const { id, source, forged, acknowledged } of events) {
    if (forged && (acknowledged || known.has(id))) problems.push(`${id} was forged, and got through`)
    if (!forged && source === 'stripe' && !acknowledged) problems.push(`${id} was never acknowledged`)
    if (acknowledged && !known.has(id)) problems.push(`${id} was acknowledged, and has no record`)
  }
  for (const record of stock.records) problems.push(...recordProblems(record, effects.get(record.fingerprint) ?? 0))
  return problems
}

const recordProblems = ({ eventId, status, bodyAt, lastError }: EventRecord, effects: number): string[] => {
  const problems: string[] = []
  if (status !== 'done' && status !== 'failed') problems.push(`${eventId} stays ${status}: ${lastError}`)
  if (status === 'done' && effects !== 1) problems.push(`${eventId} is done, with ${effects} effects`)
  if (status === 'failed' && bodyAt === null) problems.push(`${eventId} failed without its body: ${lastError}`)
  // Committed together with "done", so never without it.
  if (status === 'failed' && effects > (eventId.endsWith('commit') ? 0 : 1))
    problems.push(`${eventId} failed, with ${effects} effects`)
  return problems
}
