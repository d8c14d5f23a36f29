import { hash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { SECRET, SOURCE } from './deliveries.ts'

export interface Recorded {
  readonly operation: string
  readonly input: Record<string, unknown>
  /** Of the table as it was before and after, where it is a write. */
  readonly before: Item | undefined
  readonly after: Item | undefined
}

/** Where each service answers: hosts of their own, as in AWS, so no client finds the connection or the session of another. */
export type Services = Readonly<Record<'dynamodb' | 'sqs' | 'secretsmanager', string>>

export interface Stub extends Readonly<Record<'plain' | 'secure', Services>> {
  /** Every AWS call since the last look. */
  take(): Recorded[]
  forget(): void
  /** Opened since it started. */
  connections(): number
  stop(): Promise<void>
}

type Attribute = Readonly<Record<string, unknown>>
export type Item = Readonly<Record<string, Attribute>>

interface Answer {
  readonly status: number
  readonly body: object
}

const FINGERPRINT_KEY = 'bench-fingerprint-key'

/** DynamoDB, SQS and Secrets Manager for what receivers and workers ask of them: answers at once, and remembers what it was asked. */
export const startStub = async (tls?: { readonly key: string; readonly cert: string }): Promise<Stub> => {
  const tables = new Map<string, Item>()
  let recorded: Recorded[] = []

  const write = (operation: string, input: Record<string, unknown>): Answer => {
    const key = keyOf(input)
    const before = tables.get(key)
    const refused = operation === 'PutItem' && before !== undefined
    const written = operation === 'PutItem' ? (input.Item as Item) : updated(before ?? {}, input)
    const after = refused ? before : written
    tables.set(key, after)
    recorded.push({ operation, input, before, after })
    if (!refused) return { status: 200, body: input.ReturnValues === 'ALL_NEW' ? { Attributes: after } : {} }
    const __type = 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException'
    return { status: 400, body: { __type, message: 'The conditional request failed', Item: before } }
  }

  const answer = (operation: string, input: Record<string, unknown>): Answer => {
    if (operation === 'PutItem' || operation === 'UpdateItem') return write(operation, input)
    if (operation === 'GetSecretValue') {
      const text = input.SecretId === 'signing' ? JSON.stringify({ [SOURCE]: [SECRET] }) : FINGERPRINT_KEY
      return { status: 200, body: { SecretString: text } }
    }
    if (operation !== '') recorded.push({ operation, input, before: undefined, after: undefined })
    const sent = operation === 'SendMessage'
    return {
      status: 200,
      body: sent ? { MD5OfMessageBody: hash('md5', String(input.MessageBody)), MessageId: 'm' } : {},
    }
  }

  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const target = String(request.headers['x-amz-target'] ?? '').replace(/^.*\./, '')
      const operation = request.method === 'PUT' ? 'PutObject' : target
      const { status, body } = answer(operation, target ? JSON.parse(Buffer.concat(chunks).toString('utf8')) : {})
      const answered = Buffer.from(JSON.stringify(body))
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', 'content-length': answered.length })
      response.end(answered)
    })
  }
  let connections = 0
  const servers: Server[] = []
  const open = async (secure: boolean): Promise<string> => {
    const server = secure ? createSecureServer(tls ?? {}, serve) : createServer(serve)
    servers.push(server)
    server.keepAliveTimeout = 60_000
    server.on('connection', () => (connections += 1))
    await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    return secure ? `https://localhost:${port}` : `http://127.0.0.1:${port}`
  }
  const services = async (secure: boolean): Promise<Services> => {
    const [dynamodb, sqs, secretsmanager] = await Promise.all([open(secure), open(secure), open(secure)])
    return { dynamodb, sqs, secretsmanager }
  }
  return {
    plain: await services(false),
    secure: await services(true),
    take: () => {
      const taken = recorded
      recorded = []
      return taken
    },
    connections: () => connections,
    forget: () => {
      tables.clear()
      recorded = []
    },
    stop: async () => {
      for (const server of servers) server.closeAllConnections()
      await Promise.all(servers.map(server => new Promise(closed => server.close(closed))))
    },
  }
}

/** Our key is called fingerprint, that of Powertools id. */
const keyOf = (input: Record<string, unknown>): string => {
  const { fingerprint, id } = (input.Key ?? input.Item) as Item
  return `${input.TableName} ${JSON.stringify(fingerprint ?? id)}`
}

/** `SET a = :b, #c = :d`, which is all that receivers write. */
const updated = (item: Item, input: Record<string, unknown>): Item => {
  const names = (input.ExpressionAttributeNames ?? {}) as Record<string, string>
  const values = (input.ExpressionAttributeValues ?? {}) as Item
  const assigned = [...String(input.UpdateExpression).matchAll(/(#?\w+) = (?:if_not_exists\(#?\w+, )?(:\w+)/g)].flatMap(
    ([, name = '', value = '']) => {
      const given = values[value]
      return given ? [[names[name] ?? name, given] as const] : []
    },
  )
  return { ...item, ...Object.fromEntries(assigned) }
}
