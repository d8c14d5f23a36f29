import { findPackageJSON } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BuildAppOptions, buildApp } from 'fauxqs'
import { strangerOf } from './refuse-strangers.ts'

export interface QueueAndObjectEngine {
  /** SQS and S3 alike. */
  readonly endpoint: string
  stop(): Promise<void>
}

/**
 * fauxqs in this process. Its own `startFauxqs` listens on every interface, so the server is built from its parts and bound
 * to loopback; it answers only who shows the access key. The parts that write to disk are not in its public face and are imported by file (the version is pinned).
 */
export const startFauxqs = async (dataDir?: string, accessKey = 'local'): Promise<QueueAndObjectEngine> => {
  const disk = dataDir === undefined ? undefined : await persistentStores(dataDir)
  const server = buildApp({ logger: false, ...(disk && { stores: disk.stores }) })
  server.addHook('onRequest', async (request, reply) => {
    const stranger = strangerOf(request.headers, accessKey)
    if (stranger !== undefined) return reply.code(403).send({ message: stranger })
  })
  if (disk) server.addHook('preClose', async () => disk.close())
  const endpoint = await server.listen({ host: '127.0.0.1', port: 0 })
  return { endpoint, stop: async () => server.close() }
}

type Stores = NonNullable<BuildAppOptions['stores']>

interface Persistence {
  load(sqs: Stores['sqsStore'], sns: Stores['snsStore'], s3: Stores['s3Store']): void
  close(): void
}

const persistentStores = async (dataDir: string): Promise<{ stores: Stores; close(): void }> => {
  const manifest = findPackageJSON('fauxqs', import.meta.url)
  if (manifest === undefined) throw new Error('the package fauxqs is not installed: run `npm ci`.')
  const part = (file: string) => import(new URL(join('dist', file), pathToFileURL(manifest)).href)
  const [sqs, sns, s3, disk] = await Promise.all(
    ['sqs/sqsStore.js', 'sns/snsStore.js', 's3/s3Store.js', 'persistence.js'].map(part),
  )
  const stores: Stores = { sqsStore: new sqs.SqsStore(), snsStore: new sns.SnsStore(), s3Store: new s3.S3Store() }
  const persistence: Persistence = new disk.PersistenceManager(dataDir)
  // Loaded before it is attached, or loading would write everything again.
  persistence.load(stores.sqsStore, stores.snsStore, stores.s3Store)
  Object.assign(stores.sqsStore, { persistence })
  Object.assign(stores.s3Store, { persistence })
  for (const queue of stores.sqsStore.allQueues()) Object.assign(queue, { persistence })
  return { stores, close: () => persistence.close() }
}
