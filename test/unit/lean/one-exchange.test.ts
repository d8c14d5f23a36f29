import { EventEmitter } from 'node:events'
import { Agent, createServer, request, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { mock } from 'node:test'
import { inspect } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { ConnectionFault, exchange, type Outgoing } from '../../../functions/adapters/lean/exchange.ts'
import { ServiceFault } from '../../../functions/adapters/lean/service-fault.ts'

let server: Server | undefined
let agent: Agent | undefined
afterEach(() => {
  agent?.destroy()
  server?.closeAllConnections()
  server?.close()
  mock.timers.reset()
})

type Respond = (socket: Socket, body: Buffer, place: number) => void

/** A service that writes what a test says onto the socket, request by request, and a client with one kept connection. */
const service = async (respond: Respond) => {
  let place = 0
  server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', chunk => chunks.push(chunk))
    incoming.on('end', () => {
      response.detachSocket(incoming.socket)
      respond(incoming.socket, Buffer.concat(chunks), place++)
    })
  })
  await new Promise<void>(listening => server?.listen(0, '127.0.0.1', listening))
  agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return (body: Uint8Array | string = '') => {
    const headers = { 'content-length': String(Buffer.byteLength(body)) }
    const outgoing = { url, method: 'POST', path: '/', headers, body, agent: agent as Agent, request }
    return exchange(outgoing, { connect: 4_000, answer: 4_000 })
  }
}

const answerWith = (socket: Socket, text: string): void =>
  void socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`)

const faultOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'answered',
    (error: ConnectionFault) => ({ name: error.name, stale: error.stale }),
  )

describe('one request and its answer', () => {
  it.each([
    ['a text in ASCII', '{"a":1}', Buffer.from('{"a":1}')],
    ['a text with an accent, a sign and an emoji', 'é€😀', Buffer.from([195, 169, 226, 130, 172, 240, 159, 152, 128])],
    ['bytes', Uint8Array.of(0, 233, 255), Buffer.from([0, 233, 255])],
    ['nothing', '', Buffer.alloc(0)],
  ])('%s arrives byte for byte', async (_, body, bytes) => {
    const arrived: Buffer[] = []
    const send = await service((socket, came) => {
      arrived.push(came)
      answerWith(socket, '')
    })
    expect(await send(body)).toMatchObject({ status: 200, body: Buffer.alloc(0) })
    expect(arrived).toEqual([bytes])
  })

  it('an answer that comes in several pieces is whole', async () => {
    const send = await service(socket => {
      socket.write('HTTP/1.1 418 Odd\r\nX-Said: so\r\nContent-Length: 10\r\n\r\n')
      setTimeout(() => socket.write('first'), 10)
      setTimeout(() => socket.write('after'), 40)
    })
    const { status, headers, body } = await send()
    expect([status, headers['x-said'], String(body)]).toEqual([418, 'so', 'firstafter'])
  })
})

describe('a connection that fails', () => {
  it('an answer that became an error prints nothing of its request, and can be written as JSON', async () => {
    const send = await service(socket => answerWith(socket, '{"__type":"Throttled"}'))
    const answer = await send('a signed request')
    const fault = ServiceFault.of({ code: 'Throttled', message: '', details: {} }, answer)
    expect(inspect(fault, { depth: 9, showHidden: true })).not.toMatch(/content-length: 16|a signed request|_header/)
    expect(JSON.parse(JSON.stringify(fault))).toMatchObject({ name: 'Throttled' })
    expect(answer.headers).toEqual({ 'content-length': '22' })
  })

  it('a new connection that is closed without an answer is not stale', async () => {
    const send = await service(socket => void socket.destroy())
    expect(await faultOf(send())).toEqual({ name: 'ECONNRESET', stale: false })
  })

  it('a kept connection that is closed without an answer is stale', async () => {
    const send = await service((socket, _body, place) => {
      if (place === 0) answerWith(socket, 'ok')
      else socket.destroy()
    })
    await send()
    expect(await faultOf(send())).toEqual({ name: 'ECONNRESET', stale: true })
  })

  it('a kept connection that breaks off in the middle of an answer is a fault, and not stale', async () => {
    const send = await service((socket, _body, place) => {
      if (place === 0) return answerWith(socket, 'ok')
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf', () => socket.destroy())
    })
    await send()
    expect(await faultOf(send())).toEqual({ name: 'ECONNRESET', stale: false })
  })

  it('an answer that is no HTTP is a fault that names its host, and a kept connection is not stale for it', async () => {
    const send = await service((socket, _body, place) => {
      if (place === 0) answerWith(socket, 'ok')
      else socket.write('what?\r\n\r\n')
    })
    await send()
    const fault = await send().catch((error: ConnectionFault) => error)
    expect(fault).toBeInstanceOf(ConnectionFault)
    expect(fault).toMatchObject({ name: expect.stringMatching(/^HPE_/), stale: false })
    expect((fault as Error).message).toMatch(/^127\.0\.0\.1:\d+: /)
  })
})

/** A request that a test leads through its phases. */
class Led extends EventEmitter {
  reusedSocket = false
  destroyed = 0
  respond: (response: EventEmitter) => void = () => {}
  end(): void {}
  destroy(error: Error): void {
    this.destroyed += 1
    this.emit('error', error)
  }
}

const led = ({ protocol = 'http:', connecting = true, reused = false } = {}) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const sent = new Led()
  sent.reusedSocket = reused
  const made = ((_options: object, respond: Led['respond']) => {
    sent.respond = respond
    return sent
  }) as unknown as Outgoing['request']
  const url = new URL(`${protocol}//aws.example.com`)
  const outgoing = { url, method: 'GET', path: '/', headers: {}, body: '', agent: {} as Agent, request: made }
  const ended = exchange(outgoing, { connect: 1_000, answer: 2_500 }).then(
    ({ status }) => `answered ${status}`,
    ({ name, message, stale }: ConnectionFault) => `${name}: ${message}${stale ? ' (stale)' : ''}`,
  )
  const socket = Object.assign(new EventEmitter(), { connecting })
  sent.emit('socket', socket)
  const answer = () => {
    const response = Object.assign(new EventEmitter(), { statusCode: 200, headers: {} })
    sent.respond(response)
    return response
  }
  return { sent, socket, answer, ended, pass: (ms: number) => mock.timers.tick(ms) }
}

const NO_CONNECTION = 'TimeoutError: aws.example.com: no connection within 1000 ms'
const NO_ANSWER = 'TimeoutError: aws.example.com: no answer within 2500 ms'

describe('the patience of a request', () => {
  it('a connection that is not made within its time is a fault', async () => {
    const { sent, pass, ended } = led()
    pass(999)
    expect(sent.destroyed).toBe(0)
    pass(1)
    expect(await ended).toBe(NO_CONNECTION)
  })

  it.each([
    ['http:', 'connect'],
    ['https:', 'secureConnect'],
  ])('a connection over %s that was made has its whole time for an answer', async (protocol, made) => {
    const { sent, socket, pass, ended } = led({ protocol })
    pass(900)
    socket.emit(made)
    pass(2_499)
    expect(sent.destroyed).toBe(0)
    pass(1)
    expect(await ended).toBe(NO_ANSWER)
  })

  it('a connection over TLS is made only when the handshake is', async () => {
    const { socket, pass, ended } = led({ protocol: 'https:' })
    socket.emit('connect')
    pass(1_000)
    expect(await ended).toBe(NO_CONNECTION)
  })

  it('a kept connection has the time for an answer from the beginning, and is stale after it', async () => {
    const { sent, pass, ended } = led({ connecting: false, reused: true })
    pass(2_499)
    expect(sent.destroyed).toBe(0)
    pass(1)
    expect(await ended).toBe(`${NO_ANSWER} (stale)`)
  })

  it('a kept connection whose answer has begun and does not end is late, and not stale', async () => {
    const { answer, pass, ended } = led({ connecting: false, reused: true })
    answer()
    pass(2_500)
    expect(await ended).toBe(NO_ANSWER)
  })

  it('a request that was answered is not given up later', async () => {
    const { sent, answer, pass, ended } = led({ connecting: false })
    answer().emit('end')
    expect(await ended).toBe('answered 200')
    pass(10_000)
    expect(sent.destroyed).toBe(0)
  })

  it('a request that failed is not given up once more', async () => {
    const { sent, pass, ended } = led({ connecting: false })
    sent.emit('error', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
    expect(await ended).toBe('ECONNREFUSED: aws.example.com: refused')
    pass(10_000)
    expect(sent.destroyed).toBe(0)
  })
})
