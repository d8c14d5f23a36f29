import { appendFileSync } from 'node:fs'
import { ClientRequest } from 'node:http'
import { readCalls } from './read-calls.ts'

// Loaded before the code of a function or of a command (`NODE_OPTIONS=--import=...`): writes down every signed call that leaves its process.
const file = process.env.HOOKLATCH_CALLS
const caller = process.env.HOOKLATCH_CALLER ?? process.env.AWS_LAMBDA_FUNCTION_NAME

const seen = new Set<string>()

/** `AWS4-HMAC-SHA256 Credential=<key>/<day>/<region>/<service>/aws4_request, ...` */
const SIGNED = /^AWS4-HMAC-SHA256 Credential=(?:[^/]+\/){3}([^/]+)\//

const note = (request: ClientRequest, body: string): void => {
  const header = (name: string): string | undefined => request.getHeader(name)?.toString()
  const [, service] = SIGNED.exec(header('authorization') ?? '') ?? []
  if (service === undefined) return
  const { method, path } = request
  for (const call of readCalls({ service, method, path, target: header('x-amz-target'), body })) {
    const line = `${JSON.stringify({ caller, ...call })}\n`
    if (!seen.has(line)) appendFileSync(file as string, line)
    seen.add(line)
  }
}

const textOf = (chunk: unknown): string => {
  if (typeof chunk === 'string') return chunk
  return chunk instanceof Uint8Array ? Buffer.from(chunk).toString('utf8') : ''
}

if (file !== undefined && caller !== undefined) {
  const bodies = new WeakMap<ClientRequest, string>()
  const { write, end } = ClientRequest.prototype
  ClientRequest.prototype.write = function (this: ClientRequest, ...given: never[]) {
    bodies.set(this, (bodies.get(this) ?? '') + textOf(given[0]))
    return write.apply(this, given as never)
  } as typeof write
  ClientRequest.prototype.end = function (this: ClientRequest, ...given: never[]) {
    note(this, (bodies.get(this) ?? '') + textOf(given[0]))
    return end.apply(this, given as never)
  } as typeof end
}
