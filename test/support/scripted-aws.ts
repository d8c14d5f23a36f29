import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CLIENTS } from './engines.ts'

/** A request as it came over the wire. */
export interface Asked {
  /** `DynamoDB_20120810.PutItem`, or the method of S3. */
  readonly operation: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** An answer to give: an object is sent as JSON, a fault by its name. */
export interface Scripted {
  readonly status?: number
  readonly fault?: string
  readonly body?: object | string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

export type ScriptedAws = Awaited<ReturnType<typeof scriptedAws>>

/** Answers as a test says, each request with the next answer and then always with the last, and remembers what it was asked. */
export const scriptedAws = async () => {
  const asked: Asked[] = []
  let answers: (Scripted | 'nothing')[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      asked.push(askedBy(request, Buffer.concat(chunks)))
      const answer = answers.length > 1 ? answers.shift() : answers[0]
      if (answer && answer !== 'nothing') give(answer, response)
    })
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    /** Each client that has to answer like the other. */
    clients: Object.entries(CLIENTS).map(([name, callsOf]) => {
      const aws = callsOf({ dynamodb: endpoint, sqs: endpoint, s3: endpoint, secrets: endpoint })
      return { name, aws }
    }),
    asked,
    endpoint,
    /** The input of the last request, from its JSON. */
    lastInput: () => JSON.parse(String(asked.at(-1)?.body)),
    script: (...next: (Scripted | 'nothing')[]): void => {
      answers = next
      asked.length = 0
    },
    stop: (): Promise<void> => {
      server.closeAllConnections()
      return new Promise(closed => server.close(() => closed()))
    },
  }
}

const askedBy = ({ headers, method, url = '' }: IncomingMessage, body: Buffer): Asked => ({
  operation: String(headers['x-amz-target'] ?? method),
  path: url.replace(/\?.*$/, ''),
  headers,
  body,
})

const give = ({ status, fault, body = {}, headers }: Scripted, response: ServerResponse): void => {
  const said = fault === undefined ? body : { __type: `com.amazonaws#${fault}`, message: 'no', ...(body as object) }
  response.writeHead(status ?? (fault === undefined ? 200 : 400), { 'content-type': 'application/json', ...headers })
  response.end(said instanceof Uint8Array || typeof said === 'string' ? said : JSON.stringify(said))
}
