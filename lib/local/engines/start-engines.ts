import type { Exchange } from '../../../functions/adapters/lean/exchange.ts'
import type { DynamoKind, Endpoints } from '../../connect/instance.ts'
import { availableDynamo } from './dynamo-command.ts'
import { inProcess } from './in-process.ts'
import { type DynamoEngine, startDynamo } from './start-dynamo.ts'
import { startFauxqs } from './start-fauxqs.ts'
import { startMemoryDynamo } from './start-memory-dynamo.ts'

export interface Engines {
  readonly dynamodb: DynamoEngine
  readonly endpoints: Endpoints
  /** For whoever is in this process too. */
  readonly exchange: Exchange
  stop(): Promise<void>
}

export interface EngineOptions {
  /** @default nothing is kept */
  readonly dataDir?: string
  /** @default the first that can run here */
  readonly dynamodb?: DynamoKind
  /** What callers have to show. @default 'local', which everybody knows: for tests */
  readonly accessKey?: string
}

/** Servers that speak the AWS protocols on loopback, and end with this process however it ends. */
export const startEngines = async ({
  dataDir,
  dynamodb,
  accessKey = 'local',
}: EngineOptions = {}): Promise<Engines> => {
  const kind = dynamodb ?? (await firstAvailable())
  const [tables, queues] = await Promise.all([
    kind === 'memory' ? startMemoryDynamo(accessKey) : startDynamo(kind, dataDir),
    startFauxqs(dataDir, accessKey),
  ])
  return {
    dynamodb: tables,
    exchange: inProcess(
      new Map([
        [queues.endpoint, queues.answer],
        ...(tables.answer ? [[tables.endpoint, tables.answer] as const] : []),
      ]),
    ),
    endpoints: { dynamodb: tables.endpoint, sqs: queues.endpoint, s3: queues.endpoint, accessKey },
    stop: async () => {
      await Promise.all([tables.stop(), queues.stop()])
    },
  }
}

const firstAvailable = async (): Promise<DynamoKind> => {
  const found = await availableDynamo()
  if ('missing' in found) throw new Error(found.missing)
  return found.kind
}
