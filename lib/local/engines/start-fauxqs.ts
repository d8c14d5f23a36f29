import { findPackageJSON } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BuildAppOptions, buildApp } from 'fauxqs'
import type { Answering } from './in-process.ts'
import { strangerOf } from './refuse-strangers.ts'

export interface QueueAndObjectEngine {
  /** SQS and S3 alike. */
  readonly endpoint: string
  /** SQS alone. */
  readonly answer: Answering
  stop(): Promise<void>
}

/**
 * fauxqs in this process. Its own `startFauxqs` listens on every interface, so the server is built from its parts and bound
 * to loopback; it answers only who shows the access key. Parts that are not in its public face are imported by file (the version is pinned).
 */
export const startFauxqs = async (dataDir?: string, accessKey = 'local'): Promise<QueueAndObjectEngine> => {
  const part = parts()
  const stores = await newStores(part)
  const disk = dataDir === undefined ? undefined : await kept(stores, part, dataDir)
  const server = buildApp({ logger: false, stores })
  server.addHook('onRequest', async (request, reply) => {
    const stranger = strangerOf(request.headers, accessKey)
    if (stranger !== undefined) return reply.code(403).send({ message: stranger })
  })
  if (disk) server.addHook('preClose', async () => disk.close())
  const endpoint = await server.listen({ host: '127.0.0.1', port: 0 })
  return { endpoint, answer: await answering(stores, part), stop: async () => server.close() }
}

type Stores = NonNullable<BuildAppOptions['stores']>

// biome-ignore lint/suspicious/noExplicitAny: what is not in its public face has no types
type Part = (file: string) => Promise<any>

const parts = (): Part => {
  const manifest = findPackageJSON('fauxqs', import.meta.url)
  if (manifest === undefined) throw new Error('the package fauxqs is not installed: run `npm ci`.')
  return file => import(new URL(join('dist', file), pathToFileURL(manifest)).href)
}

const newStores = async (part: Part): Promise<Stores> => {
  const [{ SqsStore }, { SnsStore }, { S3Store }] = await Promise.all(
    ['sqs/sqsStore.js', 'sns/snsStore.js', 's3/s3Store.js'].map(part),
  )
  return { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store: new S3Store() }
}

interface Persistence {
  load(sqs: Stores['sqsStore'], sns: Stores['snsStore'], s3: Stores['s3Store']): void
  close(): void
}

const kept = async (stores: Stores, part: Part, dataDir: string): Promise<Persistence> => {
  const { PersistenceManager } = await part('persistence.js')
  const persistence: Persistence = new PersistenceManager(dataDir)
  // Loaded before it is attached, or loading would write everything again.
  persistence.load(stores.sqsStore, stores.snsStore, stores.s3Store)
  Object.assign(stores.sqsStore, { persistence })
  Object.assign(stores.s3Store, { persistence })
  for (const queue of stores.sqsStore.allQueues()) Object.assign(queue, { persistence })
  return persistence
}

/** What the functions call of SQS, by what stands behind its server too; creating a queue needs a request. */
const answering = async ({ sqsStore }: Stores, part: Part): Promise<Answering> => {
  const actions = new Map<string, Action>()
  for (const name of ACTIONS) {
    const own = `${name.charAt(0).toLowerCase()}${name.slice(1)}`
    actions.set(name, (await part(`sqs/actions/${own}.js`))[own])
  }
  const answer = async (action: Action, input: object) => {
    try {
      return { status: 200, body: await action(input, sqsStore) }
    } catch (error) {
      const { statusCode: status, toJSON } = error as Partial<SqsError>
      if (status === undefined || !toJSON) throw error
      return { status, body: toJSON.call(error) }
    }
  }
  return (operation, input) => {
    const action = actions.get(operation)
    return action && answer(action, input)
  }
}

interface SqsError {
  readonly statusCode: number
  toJSON(): object
}

type Action = (input: object, store: Stores['sqsStore']) => object | Promise<object>

const ACTIONS = [
  'SendMessage',
  'SendMessageBatch',
  'ReceiveMessage',
  'DeleteMessageBatch',
  'ChangeMessageVisibility',
  'GetQueueAttributes',
]
