import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DynamoKind, ProgramKind } from '../../connect/instance.ts'
import { dynamoCommand } from './dynamo-command.ts'
import type { Answering } from './in-process.ts'
import { type Supervised, supervise } from './supervise.ts'

const READY_WITHIN_MS = 30_000
const POLL_MS = 20
const STARTS = 3

export interface DynamoEngine {
  readonly kind: DynamoKind
  readonly endpoint: string
  readonly pid: number
  /** Resolves, with how, if the engine ends without being asked to. */
  readonly died: Promise<string>
  /** If it is in this process. */
  readonly answer?: Answering
  stop(): Promise<void>
}

/** In memory, or on disk under `dataDir`. SECURITY.md says who can reach it. */
export const startDynamo = async (kind: ProgramKind, dataDir?: string): Promise<DynamoEngine> => {
  const { engine, endpoint } = await firstToAnswer(kind, dataDir)

  let asked = false
  const died = Promise.withResolvers<string>()
  void engine.ended.then(how => asked || died.resolve(how))
  return {
    kind,
    endpoint,
    pid: engine.pid,
    died: died.promise,
    stop: () => {
      asked = true
      return engine.stop()
    },
  }
}

/** Another process may have taken the port that was free a moment ago: an engine that ends at once is started again. */
const firstToAnswer = async (
  kind: ProgramKind,
  dataDir: string | undefined,
  left = STARTS - 1,
): Promise<{ readonly engine: Supervised; readonly endpoint: string }> => {
  // DynamoDB Local has no flag for an address: it listens on every interface.
  const address = kind === 'dynoxide' ? hiddenAddress() : '127.0.0.1'
  const port = await freePort(address)
  const endpoint = `http://${address}:${port}`
  const { command, args } = dynamoCommand(kind, { address, port, dataDir })
  const engine = await supervise(command, args)
  const ended = await endedBeforeAnswer(kind, endpoint, engine)
  if (ended === undefined) return { engine, endpoint }
  if (left > 0) return firstToAnswer(kind, dataDir, left - 1)
  throw new Error(`The DynamoDB engine ${kind} ended while starting (${ended}).`)
}

/**
 * For an engine that answers everybody: one of 16 million loopback addresses, which a web page would have to guess together
 * with the port. Only Linux has them all without being told; elsewhere the port alone is random.
 */
const hiddenAddress = (): string =>
  process.platform === 'linux' ? `127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}` : '127.0.0.1'

/** For engines that cannot tell which port they chose. */
const freePort = (address: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, address, () => {
      const bound = server.address()
      server.close(() => (typeof bound === 'object' && bound ? resolve(bound.port) : reject(new Error('no port'))))
    })
  })

const endedBeforeAnswer = async (
  kind: ProgramKind,
  endpoint: string,
  engine: Supervised,
): Promise<string | undefined> => {
  const deadline = Date.now() + READY_WITHIN_MS
  while (Date.now() < deadline) {
    if (await answers(endpoint)) return
    const ended = await Promise.race([engine.ended, sleep(POLL_MS)])
    if (ended !== undefined) return ended
  }
  await engine.stop()
  throw new Error(`The DynamoDB engine ${kind} gave no answer within ${READY_WITHIN_MS / 1000} seconds.`)
}

const answers = async (endpoint: string): Promise<boolean> => {
  try {
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'DynamoDB_20120810.ListTables',
        'x-amz-date': '20260101T000000Z',
        // Engines check that there is a signature, not what it says.
        authorization:
          'AWS4-HMAC-SHA256 Credential=nobody/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
      },
      body: '{}',
    })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}
