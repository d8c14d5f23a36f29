import { credentialsIn } from './credentials.ts'
import { type Endpoint, endpointOf, type Service } from './endpoint.ts'
import { type Environment, regionIn } from './environment.ts'
import { ConnectionFault, type Exchange, type Incoming, type Outgoing, type Patience } from './exchange.ts'
import { delayBefore, isRepeatable } from './repeats.ts'
import { type Fault, ServiceFault } from './service-fault.ts'
import { sign } from './sign.ts'
import { skewTold } from './skew.ts'
import { connectionOptions, transportOf } from './transport.ts'

export interface Settings {
  readonly env: Environment
  /** Milliseconds; the clock that signatures are dated by. */
  readonly now: () => number
  /** From 0 to 1, for the jitter. */
  readonly random: () => number
  readonly patience: Patience
  readonly attempts: number
  /** Of a call with all its repeats, in milliseconds: none starts when its wait would end after that. */
  readonly deadline: number
  /** Connections to one service at once; further requests wait for one. */
  readonly connections: number
  readonly exchange: Exchange
  /** Waits so many milliseconds: before a repeat, or for an answer while requests are held. */
  readonly pause: (delay: number) => Promise<unknown>
  /** Milliseconds since whenever: what a deadline is measured by. */
  readonly elapsed: () => number
}

export interface Call {
  readonly method?: string
  /** @default the service's endpoint */
  readonly url?: URL
  readonly path?: string
  /** Sorted and escaped. @default '' */
  readonly query?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | string
  /** Milliseconds that the service was asked to take its time for. @default 0 */
  readonly waits?: number
  readonly readFault: (answer: Incoming) => Fault
  /** The service's word for a refusal that is one of the answers, and no fault: nothing is thrown then. */
  readonly expects?: string | undefined
}

/** After so many attempts. */
export interface Answered {
  readonly attempts: number
  readonly answer: Incoming
  /** If it is the one that was expected. */
  readonly refusal: Fault | undefined
}

export interface Caller {
  readonly endpoint: Endpoint
  /** A 2xx or what is expected; anything else is thrown as what it is, after as many repeats as are worth while. */
  call(call: Call): Promise<Answered>
  /** Opens a connection and keeps it for the first call. Never fails. */
  connect(): Promise<void>
}

/** One service: signed requests over kept connections, repeated with care. */
export const callerOf = (service: Service, settings: Settings): Caller => {
  const { env, now, random, patience, connections, exchange, pause } = settings
  const endpoint = endpointOf(service, env)
  const { Agent, request } = transportOf(endpoint.url)
  const agent = new Agent({ ...connectionOptions(endpoint.url), maxSockets: connections, scheduling: 'lifo' })
  let region: string | undefined
  let skew = 0
  /** How many requests may be on their way at once; the others are held. */
  let allowed = 1
  let underWay = 0
  let answers = 0
  let watched = false
  const held: (() => void)[] = []

  const letGo = (): void => {
    for (; held.length > 0 && underWay < allowed; underWay += 1) held.shift()?.()
  }

  /** Where nothing answers, what is held would wait for connections that are silent, until they time out. */
  const watch = async (): Promise<void> => {
    for (watched = true; held.length > 0; ) {
      const before = answers
      await pause(HELD_MS)
      if (answers === before) allowed = Math.min(connections, allowed + AT_FIRST)
      letGo()
    }
    watched = false
  }

  const turn = (): Promise<void> =>
    new Promise(resolve => {
      held.push(resolve)
      if (!watched) void watch()
    })

  /**
   * The first request opens a connection alone. Those that come meanwhile wait for its answer: then one of them has its connection and the
   * others resume its session. Ten messages at once would be ten whole handshakes, half of a worker's cold start.
   */
  const taken = async (outgoing: Outgoing, waiting: Patience, waits = 0): Promise<Incoming> => {
    if (waits > 0) {
      // Somebody polls, and would keep a connection from the others.
      allowed = connections
      letGo()
      return exchange(outgoing, waiting)
    }
    if (underWay < allowed) underWay += 1
    else await turn()
    try {
      const answer = await exchange(outgoing, waiting)
      answers += 1
      return answer
    } finally {
      underWay -= 1
      allowed = Math.max(allowed, Math.min(connections, AT_FIRST + Math.floor(answers / 10)))
      if (held.length > 0) letGo()
    }
  }

  const attempt = async (call: Call, attempts: number): Promise<Answered> => {
    const { url = endpoint.url, method = 'POST', path = '/', query = '', body } = call
    const unsigned = { method, host: url.host, path, query, headers: call.headers, body }
    region ??= regionIn(env)
    const headers = sign(unsigned, { service, region }, credentialsIn(env), now() + skew)
    addUnsigned(headers, body, env)
    const waiting = call.waits ? { ...patience, answer: patience.answer + call.waits } : patience
    const target = query === '' ? path : `${path}?${query}`
    const answer = await taken({ url, method, path: target, headers, body, agent, request }, waiting, call.waits)
    if (answer.status < 300) return { attempts, answer, refusal: undefined }
    const fault = call.readFault(answer)
    if (fault.code === call.expects) return { attempts, answer, refusal: fault }
    throw ServiceFault.of(fault, answer)
  }

  /** The delay before the next attempt, or undefined where there is none or it would not help. */
  const delayAfter = (error: unknown, attempts: number): number | undefined => {
    if (error instanceof ServiceFault) error.attempts = attempts
    if (attempts >= settings.attempts) return undefined
    const told = skewTold(error, now(), skew)
    if (told !== undefined) {
      skew = told
      return 0
    }
    if (!isRepeatable(error)) return undefined
    if (error instanceof ConnectionFault && error.stale) {
      // After a freeze all of them are stale: none of them is worth a try.
      for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy()
      return 0
    }
    return delayBefore(attempts, error, random())
  }

  return {
    endpoint,
    call: call => repeated(attempts => attempt(call, attempts), delayAfter, settings),

    async connect() {
      const { url } = endpoint
      const ping = { url, method: 'GET', path: '/ping', headers: { host: url.host }, body: NOTHING, agent, request }
      await taken(ping, patience).catch(() => undefined)
    },
  }
}

/** Until it succeeds, is not worth a repeat, or has had its attempts or its time. */
const repeated = async (
  attempt: (attempts: number) => Promise<Answered>,
  delayAfter: (error: unknown, attempts: number) => number | undefined,
  { deadline, pause, elapsed }: Settings,
): Promise<Answered> => {
  const startedAt = elapsed()
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt(attempts)
    } catch (error) {
      const delay = delayAfter(error, attempts)
      if (delay === undefined || elapsed() - startedAt + delay > deadline) throw error
      if (delay > 0) await pause(delay)
    }
  }
}

/**
 * Connections to begin with; ten answers allow one more. Each takes 3 ms of CPU to open, which the first batch of a new worker would pay
 * for all ten, with nothing else to do than wait for the table.
 */
const AT_FIRST = 3
/** If nothing was answered for so long, as many again may go: an answer takes 5 ms, a handshake with it 30. */
const HELD_MS = 100

const NOTHING = ''

/** X-Ray joins the call to its trace by its header, and Lambda recognises an endless loop by it. */
const addUnsigned = (headers: Record<string, string>, body: Call['body'], { _X_AMZN_TRACE_ID }: Environment): void => {
  headers['user-agent'] = 'hooklatch'
  if (_X_AMZN_TRACE_ID) headers['x-amzn-trace-id'] = _X_AMZN_TRACE_ID
  headers['content-length'] = String(Buffer.byteLength(body))
}
