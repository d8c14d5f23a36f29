import type { Agent, IncomingMessage, RequestOptions, request } from 'node:http'
import { serverNameOf } from './transport.ts'
import { callOff, type Watch, watch } from './watch.ts'

export interface Outgoing {
  readonly url: URL
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Text goes out in one write with the headers, bytes in a second. */
  readonly body: Uint8Array | string
  readonly agent: Agent
  /** Of the module that the agent is from. */
  readonly request: typeof request
}

/** In milliseconds. */
export interface Patience {
  readonly connect: number
  /** From the moment there is a connection to the last byte of the answer. */
  readonly answer: number
}

export interface Incoming {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/**
 * Node sorts the headers of an answer into an object when it is first asked for them, and hardly anybody asks. A class: V8 is slow to make
 * objects with a getter of their own. The response leads to the request with its signature and token, so no error that is printed shows it.
 */
class Answer implements Incoming {
  readonly #response: IncomingMessage
  readonly status: number
  readonly body: Buffer

  constructor(response: IncomingMessage, body: Buffer) {
    this.#response = response
    this.status = response.statusCode ?? 0
    this.body = body
  }

  get headers(): Incoming['headers'] {
    return this.#response.headers
  }
}

/** The connection failed before there was a whole answer: nobody knows whether the request arrived. */
export class ConnectionFault extends Error {
  /** A kept connection that was closed or forgotten meanwhile: not a sign of trouble, and a new one will do. */
  readonly stale: boolean

  constructor(name: string, message: string, stale: boolean) {
    super(message)
    this.name = name
    this.stale = stale
  }
}

export type Exchange = (outgoing: Outgoing, patience: Patience) => Promise<Incoming>

/** One request and its whole answer, or a fault in time. */
export const exchange: Exchange = ({ url, method, path, headers, body, agent, request }, patience) =>
  new Promise((resolve, reject) => {
    const secure = url.protocol === 'https:'
    let watching: Watch | undefined
    const allow = (connection: object, milliseconds: number, phase: string): void => {
      watching = watch(connection, milliseconds, () => {
        const late = `${url.host}: no ${phase} within ${milliseconds} ms`
        sent.destroy(new ConnectionFault('TimeoutError', late, sent.reusedSocket && !answered))
      })
    }
    let answered = false
    const fail = (error: Error): void => {
      callOff(watching)
      reject(error instanceof ConnectionFault ? error : faultOf(error, url.host, sent.reusedSocket && !answered))
    }
    const { hostname: host, port } = url
    const servername = secure ? serverNameOf(host) : undefined
    const sent = request({ host, port, method, path, headers, agent, servername } as RequestOptions, response => {
      answered = true
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', fail)
      response.on('end', () => {
        callOff(watching)
        resolve(new Answer(response, chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
      })
    })
    sent.on('socket', socket => {
      if (!socket.connecting) return allow(socket, patience.answer, 'answer')
      allow(socket, patience.connect, 'connection')
      socket.once(secure ? 'secureConnect' : 'connect', () => allow(socket, patience.answer, 'answer'))
    })
    sent.on('error', fail)
    if (typeof body === 'string') sent.end(body, isAscii(body, headers) ? 'latin1' : 'utf8')
    else sent.end(body)
  })

/** As long in bytes as in characters: then it need not be encoded, which a large message would feel. */
const isAscii = (body: string, headers: Outgoing['headers']): boolean =>
  headers['content-length'] === String(body.length)

const CLOSED_BY_PEER: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE'])

const faultOf = (error: Error, host: string, reused: boolean): ConnectionFault => {
  const code = 'code' in error ? String(error.code) : error.name
  return new ConnectionFault(code, `${host}: ${error.message}`, reused && CLOSED_BY_PEER.has(code))
}
