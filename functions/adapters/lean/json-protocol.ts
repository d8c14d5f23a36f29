import type { Call, Caller } from './caller.ts'
import type { Incoming } from './exchange.ts'
import { type Fault, ServiceFault } from './service-fault.ts'

/** What else a call may say. */
type Asking = Pick<Call, 'url' | 'waits' | 'expects'>

/** `AmazonSQS.SendMessage` and its kin: JSON in, JSON out, an error's name in `__type`. */
export const jsonCalls = (caller: Caller, target: string, version: '1.0' | '1.1') => {
  /** Made once for each operation. */
  const known = new Map<string, Call['headers']>()
  const headersOf = (operation: string): Call['headers'] => {
    const headers = known.get(operation) ?? {
      'content-type': `application/x-amz-json-${version}`,
      'x-amz-target': `${target}.${operation}`,
    }
    known.set(operation, headers)
    return headers
  }
  return async <Output>(
    operation: string,
    /** Or its JSON. */
    input: object | string,
    { url, waits = 0, expects }: Asking = NOTHING_ELSE,
  ): Promise<Output & { readonly attempts: number; readonly refused: boolean }> => {
    const text = typeof input === 'string' ? input : JSON.stringify(input)
    const asked: Call = { headers: headersOf(operation), body: text, readFault, waits, expects }
    const { attempts, answer, refusal } = await caller.call(url ? { ...asked, url } : asked)
    const said = refusal ? refusal.details : answer.body.length > 2 ? JSON.parse(answer.body.toString('utf8')) : {}
    return { ...said, attempts, refused: refusal !== undefined }
  }
}

const NOTHING_ELSE: Asking = {}

/** What else an error says besides its name and message. */
export const detailsOf = <Details>(fault: ServiceFault): Partial<Details> => fault.details as Partial<Details>

export const isFault = (error: unknown, name: string): error is ServiceFault =>
  error instanceof ServiceFault && error.name === name

export const readFault = (answer: Incoming): Fault => {
  const details = parsed(answer)
  const { __type, message, Message } = details
  const type = String(__type ?? answer.headers['x-amzn-errortype'] ?? `HTTP ${answer.status}`)
  return { code: nameOf(type), message: String(message ?? Message ?? ''), details }
}

/** `com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException`, and what a REST service says after a colon. */
const nameOf = (type: string): string => {
  const name = type.slice(type.lastIndexOf('#') + 1)
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(0, colon)
}

/** A load balancer in front of a service answers in HTML. */
const parsed = ({ body }: Incoming): Readonly<Record<string, unknown>> => {
  try {
    return JSON.parse(body.toString('utf8')) ?? {}
  } catch {
    return {}
  }
}
