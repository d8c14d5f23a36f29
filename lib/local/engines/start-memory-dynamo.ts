import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { memoryDynamo } from '../../memory-aws/dynamo.ts'
import { dynamoProtocol } from '../../memory-aws/dynamo-protocol.ts'
import { strangerOf } from './refuse-strangers.ts'
import { sqliteTable, temporaryDatabase } from './sqlite-table.ts'
import type { DynamoEngine } from './start-dynamo.ts'

/** The memory AWS's DynamoDB behind a port: it keeps nothing, and ends with us. */
export const startMemoryDynamo = async (accessKey: string): Promise<DynamoEngine> => {
  const world = { now: Date.now, indexLag: () => 0, ttlLag: () => Number.POSITIVE_INFINITY, batchServes: asked }
  const database = temporaryDatabase()
  const answer = dynamoProtocol(memoryDynamo({}, world, (name, shape) => sqliteTable(database, name, shape)))
  const server = createServer(async (request, response) => {
    const stranger = strangerOf(request.headers, accessKey)
    const { status, body } =
      stranger === undefined ? await handle(request) : { status: 403, body: { message: stranger } }
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body))
  })
  const handle = async (request: IncomingMessage) => {
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? ''
    const text = (await buffer(request)).toString('utf8')
    return answer(operation, JSON.parse(text || '{}'))
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    kind: 'memory',
    answer,
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pid: process.pid,
    // It cannot end before us.
    died: new Promise(() => {}),
    stop: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const asked = (keys: number): number => keys
