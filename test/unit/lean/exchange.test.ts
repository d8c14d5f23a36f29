import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openAws } from '../../../functions/adapters/lean/every-call.ts'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** A service that stops answering on the connections it has, and answers on new ones: as a NAT that forgot them does. */
const forgetfulService = async (silentAtFirst = 0) => {
  const silent = new Set<Socket>()
  const open = new Set<Socket>()
  let asked = 0
  server = createServer((request, response) => {
    asked++
    request.resume()
    if (!silent.has(request.socket)) response.end('{}')
  })
  let forgetsNewOnes = false
  server.on('connection', socket => {
    open.add(socket)
    if (forgetsNewOnes || open.size <= silentAtFirst) silent.add(socket)
  })
  await new Promise<void>(listening => server?.listen(0, '127.0.0.1', listening))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forget: () => {
      for (const socket of open) silent.add(socket)
    },
    forgetNewOnes: () => {
      forgetsNewOnes = true
    },
    asked: () => asked,
    connections: () => open.size,
  }
}

const client = (endpoint: string, attempts: number) =>
  openAws({ env: environmentOf(endpoint), attempts, patience: { connect: 1_000, answer: 150 } }).dynamo

const environmentOf = (endpoint: string) => ({
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'AKID',
  AWS_SECRET_ACCESS_KEY: 'secret',
  AWS_ENDPOINT_URL: endpoint,
})

const GET = { TableName: 'events', Key: { fingerprint: 'f' } }

describe('kept connections that fall silent', () => {
  it('a kept connection that falls silent takes the other idle ones with it, and the second attempt is on a new one', async () => {
    const service = await forgetfulService()
    const dynamo = client(service.endpoint, 2)
    await dynamo.getItem(GET)
    await Promise.all([dynamo.getItem(GET), dynamo.getItem(GET), dynamo.getItem(GET)])
    expect(service.connections()).toBe(3)
    service.forget()
    expect(await dynamo.getItem(GET)).toBeUndefined()
    expect(service.asked()).toBe(4 + 2)
    expect(service.connections()).toBe(4)
  })

  it('a kept connection that was idle for longer than an answer may take is given up all the same if it falls silent', async () => {
    const service = await forgetfulService()
    const dynamo = client(service.endpoint, 2)
    await dynamo.getItem(GET)
    await new Promise(resolve => setTimeout(resolve, 400))
    service.forget()
    await dynamo.getItem(GET)
    expect([service.asked(), service.connections()]).toEqual([3, 2])
  })

  it('a new connection that falls silent is not stale: the second attempt is on an idle one', async () => {
    const service = await forgetfulService()
    const dynamo = client(service.endpoint, 2)
    await dynamo.getItem(GET)
    await Promise.all([dynamo.getItem(GET), dynamo.getItem(GET)])
    service.forgetNewOnes()
    await Promise.all([dynamo.getItem(GET), dynamo.getItem(GET), dynamo.getItem(GET)])
    expect(service.asked()).toBe(3 + 4)
    expect(service.connections()).toBe(3)
  })

  it('the first request opens a connection alone, and those that come meanwhile wait for its answer', async () => {
    const service = await forgetfulService()
    const dynamo = client(service.endpoint, 2)
    const first = dynamo.getItem(GET)
    const others = [dynamo.getItem(GET), dynamo.getItem(GET)]
    await first
    expect(service.asked()).toBe(1)
    await Promise.all(others)
    expect([service.asked(), service.connections()]).toEqual([3, 2])
  })
})

describe('connections of a new process', () => {
  const times = <Made>(count: number, make: () => Promise<Made>) => Promise.all(Array.from({ length: count }, make))

  it('ten requests at once share three connections at first, and every ten answers allow one more', async () => {
    const service = await forgetfulService()
    const dynamo = client(service.endpoint, 1)
    await times(10, () => dynamo.getItem(GET))
    expect(service.connections()).toBe(3)
    await times(10, () => dynamo.getItem(GET))
    expect(service.connections()).toBe(4)
    await times(10, () => dynamo.getItem(GET))
    expect([service.connections(), service.asked()]).toEqual([5, 30])
  })

  it('three connections that fall silent hold up other requests for 100 ms, and not until they time out', async () => {
    const service = await forgetfulService(3)
    const pauses: number[] = []
    const let100MsPass: (() => void)[] = []
    const pause = (delay: number) =>
      new Promise<void>(resolve => {
        pauses.push(delay)
        let100MsPass.push(resolve)
      })
    const patience = { connect: 1_000, answer: 60_000 }
    const { dynamo } = openAws({ env: environmentOf(service.endpoint), attempts: 1, patience, pause })
    const asked = Array.from({ length: 5 }, () => dynamo.getItem(GET).catch(() => 'failed'))
    // The first is alone and silent. Then there are three more, of which two are silent: the third answers, and the last has its connection.
    await vi.waitUntil(() => service.asked() === 1)
    let100MsPass[0]?.()
    expect(await Promise.all(asked.slice(3))).toEqual([undefined, undefined])
    expect(pauses[0]).toBe(100)
    server?.closeAllConnections()
    expect(await Promise.all(asked.slice(0, 3))).toEqual(['failed', 'failed', 'failed'])
  })

  it('requests that are not held wait for nothing', async () => {
    const service = await forgetfulService()
    const pauses: number[] = []
    const pause = async (delay: number) => void pauses.push(delay)
    const { dynamo } = openAws({ env: environmentOf(service.endpoint), pause })
    await dynamo.getItem(GET)
    await times(3, () => dynamo.getItem(GET))
    expect(pauses).toEqual([])
  })

  it('polls that wait for a message keep no connection from other calls', async () => {
    const waiting: ServerResponse[] = []
    server = createServer((request, response) => {
      request.resume()
      if (request.headers['x-amz-target'] === 'AmazonSQS.ReceiveMessage') waiting.push(response)
      else response.end('{}')
    })
    await new Promise<void>(listening => server?.listen(0, '127.0.0.1', listening))
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { queue } = openAws({ env: environmentOf(endpoint) })
    const polls = times(5, () => queue.receiveMessages('q', { waitSeconds: 20 }))
    expect(await queue.deleteMessages('q', ['receipt'])).toEqual([])
    await vi.waitUntil(() => waiting.length === 5)
    for (const response of waiting) response.end('{}')
    expect(await polls).toEqual([[], [], [], [], []])
  })
})
