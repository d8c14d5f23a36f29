import type { Context } from 'aws-lambda'
import { openAws } from '../../functions/adapters/lean/aws.ts'
import { secretsManagerSecrets } from '../../functions/adapters/secrets-manager-secrets.ts'
import { storesOver } from '../../functions/adapters/stores.ts'
import { randomFence, systemClock, systemPause } from '../../functions/adapters/system.ts'
import { millis } from '../../functions/domain/brands.ts'
import type { Clock } from '../../functions/domain/ports.ts'
import type { SourceConfig } from '../../functions/domain/source.ts'
import { resolveSources } from '../../functions/providers/sources.ts'
import { lambdaHandler } from '../../functions/receive/lambda.ts'
import { RECEIVER_STORES } from '../../functions/receive/receiver-stores.ts'
import { CHUNK_BYTES } from '../../lib/cost/counts.ts'
import type { Prices } from '../../lib/cost/prices.ts'
import { dollarsByItem, lambdaMillisOf, type Usage } from '../../lib/cost/usage.ts'
import { delivery, SECRET, SIZES, type Size, SOURCE } from './deliveries.ts'
import { environment } from './environment.ts'
import { type Recorded, type Stub, startStub } from './stub.ts'
import { writeUnits } from './write-units.ts'

export const CASES = ['new', 'duplicate', 'forged'] as const
export type Case = (typeof CASES)[number]

export interface Count {
  readonly calls: number
  readonly writeUnits: number
  readonly queueChunks: number
  readonly dollarsPerMillion: number
}

export type Counts = Readonly<Record<Case, Readonly<Record<Size, Count>>>>

/** Every request that the receiver makes, counted where it arrives, and what AWS would bill for it. */
export const countAll = async (prices: Prices, config: Partial<SourceConfig> = { retain: 'none' }): Promise<Counts> => {
  const stub = await startStub()
  try {
    const usages = await usagesOf(stub, config)
    const counted = (each: Usage): Count => ({
      calls: each.calls,
      writeUnits: each.writeUnits,
      queueChunks: each.queueChunks,
      dollarsPerMillion: dollarsPerMillion(each, prices),
    })
    const bySize = (name: Case) =>
      Object.fromEntries(Object.keys(SIZES).map(size => [size, counted(usages[name][size as Size])]))
    return Object.fromEntries(CASES.map(name => [name, bySize(name)])) as Counts
  } finally {
    await stub.stop()
  }
}

const dollarsPerMillion = (usage: Usage, prices: Prices): number =>
  Math.round(Object.values(dollarsByItem(usage, prices, 'http')).reduce((sum, each) => sum + each, 0) * 100) / 100

export const usagesOf = async (
  stub: Stub,
  config: Partial<SourceConfig>,
): Promise<Readonly<Record<Case, Readonly<Record<Size, Usage>>>>> => {
  const handler = receiverOn(stub, { provider: 'shopify', ...config })
  const used = async (id: string, bytes: number, secret: string): Promise<Usage> => {
    stub.take()
    await handler(delivery(id, bytes, secret, Date.now()), {} as Context)
    return usageOf(stub.take(), bytes)
  }
  const usages: Record<Case, Record<string, Usage>> = { new: {}, duplicate: {}, forged: {} }
  for (const [size, bytes] of Object.entries(SIZES)) {
    const id = `evt_${size}`
    usages.forged[size] = await used(id, bytes, 'not the secret')
    usages.new[size] = await used(id, bytes, SECRET)
    usages.duplicate[size] = await used(id, bytes, SECRET)
  }
  return usages as Record<Case, Record<Size, Usage>>
}

export const receiverOn = (
  { plain }: Stub,
  source: SourceConfig,
  write: (line: string) => void = () => {},
  now: Clock = systemClock,
) => {
  const env = environment(plain)
  const names = {
    eventsTable: 'events',
    bodiesTable: 'bodies',
    bodiesBucket: 'bodies',
    queueUrl: `${plain.sqs}/1/events`,
    signingSecrets: 'signing',
    fingerprintKey: 'key',
  }
  const makers = { ...RECEIVER_STORES, secrets: secretsManagerSecrets } as const
  return lambdaHandler(
    {
      ...storesOver(openAws({ env }), names, makers, now),
      environment: 'production',
      sources: resolveSources({ [SOURCE]: source }),
      now,
      newFence: randomFence,
      pause: systemPause,
      leaseMillis: millis(15_000),
    },
    write,
  )
}

const usageOf = (recorded: readonly Recorded[], bodyBytes: number): Usage => {
  const of = (operation: string) => recorded.filter(each => each.operation === operation)
  const writes = [...of('PutItem'), ...of('UpdateItem')]
  const units = writes.reduce((sum, { before, after = {} }) => sum + writeUnits({ before, after }), 0)
  return {
    bodyBytes,
    calls: recorded.length,
    writeUnits: units,
    queueChunks: of('SendMessage').reduce((sum, { input }) => sum + Math.ceil(messageBytes(input) / CHUNK_BYTES), 0),
    objectPuts: of('PutObject').length,
    lambdaMillis: lambdaMillisOf(recorded.length - (recorded.slice(1).some(isBody) ? 1 : 0)),
  }
}

/** After the claim it is written while the message is sent (test/unit/cost); before it, it takes a time of its own. */
const isBody = ({ operation, input }: Recorded): boolean => operation === 'PutObject' || input.TableName === 'bodies'

/** Body and attributes count. */
const messageBytes = ({ MessageBody, MessageAttributes }: Record<string, unknown>): number =>
  String(MessageBody).length + JSON.stringify(MessageAttributes ?? {}).length
