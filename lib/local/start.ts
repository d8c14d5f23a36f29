import { join } from 'node:path'
import { awsBodies } from '../../functions/adapters/aws-bodies.ts'
import { dynamodbEvents } from '../../functions/adapters/dynamodb-events.ts'
import { sqsQueue } from '../../functions/adapters/sqs-queue.ts'
import { randomFence, systemClock } from '../../functions/adapters/system.ts'
import { RECEIVE_LEASE_MS } from '../../functions/contract/limits.ts'
import { iso, type Millis, millis } from '../../functions/domain/brands.ts'
import type { Source } from '../../functions/domain/source.ts'
import { type GatewayHandler, lambdaHandler } from '../../functions/receive/lambda.ts'
import type { World } from '../../functions/receive/world.ts'
import type { Terminal } from '../cli/terminal.ts'
import { sourceUrls } from './banner.ts'
import { checkSecrets } from './check-secrets.ts'
import { createResources, type Resources } from './create-resources.ts'
import { takeDataDir } from './data-dir.ts'
import { deliveryLog } from './delivery-log.ts'
import { type DeskClients, deskClients } from './desk-clients.ts'
import { endSignal } from './end-signal.ts'
import { availableDynamo } from './engines/dynamo-command.ts'
import { type Engines, startEngines } from './engines/start-engines.ts'
import { fileSecrets } from './file-secrets.ts'
import { httpFront } from './http-front.ts'
import { removeInstance, stateDir, writeInstance } from './instance.ts'
import { listenOn } from './listen-on.ts'
import { loadSources } from './load-sources.ts'
import { isRefusal, type Refusal, refuse } from './refusal.ts'
import { sampleConsumer } from './sample-consumer.ts'
import { welcome } from './welcome.ts'

export interface DeskOptions {
  readonly port: number
  /** Where `.hooklatch/` is. */
  readonly directory: string
  readonly dataDir: string | undefined
  readonly frozenAt: Millis | undefined
  readonly sourceFile: string
  readonly secretsFile: string
}

const ENVIRONMENT = 'local'

/** Fake, and the same for everybody: what is in memory is forgotten anyway. */
const FINGERPRINT_KEY_IN_MEMORY = 'hooklatch-local-fingerprint-key'

/** The composition root of the desk: runs until it is told to end, and answers its exit code. */
export const start = async (options: DeskOptions, terminal: Terminal): Promise<number | Refusal> => {
  const sources = await loadSources(options.sourceFile)
  if (isRefusal(sources)) return sources
  const notes = checkSecrets(options.secretsFile, sources)
  if (isRefusal(notes)) return notes
  const signal = endSignal()
  const closing: (() => unknown)[] = [signal.ignore]
  try {
    const desk = await open(options, sources, closing, terminal)
    if (isRefusal(desk)) return desk
    terminal.out(welcome({ ...desk, options, sources, notes }, terminal))
    const death = await Promise.race([signal.asked, desk.engines.dynamodb.died])
    return death === undefined ? 0 : engineDied(desk.engines, death, options)
  } finally {
    for (const close of closing.reverse()) await close()
  }
}
