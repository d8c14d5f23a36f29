import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { describe, expect, it } from 'vitest'
import { openAws as openReceiver } from '../../../functions/adapters/lean/aws.ts'
import type { Settings } from '../../../functions/adapters/lean/caller.ts'
import { openAws } from '../../../functions/adapters/lean/every-call.ts'
import {
  ConnectionFault,
  type Incoming,
  type Outgoing,
  type Patience,
} from '../../../functions/adapters/lean/exchange.ts'

const ENV = { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' }
const NOON = Date.UTC(2026, 10, 18, 12)
const GET = { TableName: 'events', Key: { fingerprint: 'f' } }
const QUEUE = 'https://sqs.eu-central-1.amazonaws.com/123456789012/events'

const answer = (status: number, body: object | string = {}, headers: Incoming['headers'] = {}): Incoming => ({
  status,
  headers,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
})
const fault = (name: string, status = 400, headers: Incoming['headers'] = {}) =>
  answer(status, { __type: `com.amazonaws#${name}`, message: 'no' }, headers)
const broken = (name: string, stale: boolean) => new ConnectionFault(name, 'gone', stale)

type Answer = Incoming | Error

/** AWS without a network: it gives these answers one after the other, and the last one for ever. */
const scripted = (answers: readonly Answer[], settings: Partial<Settings> = {}) => {
  const asked: (Outgoing & { readonly patience: Patience })[] = []
  const pauses: number[] = []
  const left = [...answers]
  const all: Partial<Settings> = {
    env: ENV,
    now: () => NOON,
    random: () => 0.5,
    elapsed: () => 0,
    pause: async delay => void pauses.push(delay),
    exchange: async (outgoing, patience) => {
      asked.push({ ...outgoing, patience })
      const next = left.length > 1 ? left.shift() : left[0]
      if (next instanceof Error) throw next
      return next as Incoming
    },
    ...settings,
  }
  return { aws: openAws(all), receiver: openReceiver(all), asked, pauses }
}

const nameOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'answered',
    (error: Error) => error.name,
  )

describe('repeats', () => {
  it('a call that fails is repeated twice, with pauses of up to 100 and 200 ms, and then thrown', async () => {
    const { aws, asked, pauses } = scripted([fault('InternalServerError', 500)])
    expect(await nameOf(aws.dynamo.getItem(GET))).toBe('InternalServerError')
    expect(asked).toHaveLength(3)
    expect(pauses).toEqual([50, 100])
  })

  it('a call is repeated until it is answered', async () => {
    const { aws, asked } = scripted([fault('InternalServerError', 500), answer(200, { Item: { a: { S: 'b' } } })])
    expect(await aws.dynamo.getItem(GET)).toEqual({ a: 'b' })
    expect(asked).toHaveLength(2)
  })

  it.each([
    ['ProvisionedThroughputExceededException', 400],
    ['ThrottlingException', 400],
    ['RequestThrottled', 403],
    ['TransactionInProgressException', 400],
    ['HTTP 429', 429],
  ])('a call that is throttled (%s, %d) is repeated after pauses of up to 500 and 1000 ms', async (name, status) => {
    const said = status === 429 ? answer(429, '') : fault(name, status)
    const { aws, asked, pauses } = scripted([said])
    expect(await nameOf(aws.dynamo.getItem(GET))).toBe(name)
    expect(asked).toHaveLength(3)
    expect(pauses).toEqual([250, 500])
  })

  it.each([
    ['RequestTimeout', 400],
    ['ConditionalRequestConflict', 409],
    ['InternalError', 400],
  ])('a call that met a passing fault (%s, %d) is repeated', async (name, status) => {
    const { aws, asked } = scripted([fault(name, status), answer(200)])
    expect(await nameOf(aws.dynamo.getItem(GET))).toBe('answered')
    expect(asked).toHaveLength(2)
  })

  it.each([
    ['ValidationException', 400],
    ['AccessDeniedException', 403],
    ['ResourceNotFoundException', 404],
    ['SomethingOdd', 499],
  ])('a call that is refused for good (%s, %d) is made once', async (name, status) => {
    const { aws, asked, pauses } = scripted([fault(name, status)])
    expect(await nameOf(aws.dynamo.getItem(GET))).toBe(name)
    expect([asked.length, pauses.length]).toEqual([1, 0])
  })

  it('a mistake of ours that no service answered is thrown after one attempt', async () => {
    const { aws, asked } = scripted([new TypeError('ours')])
    expect(await nameOf(aws.dynamo.getItem(GET))).toBe('TypeError')
    expect(asked).toHaveLength(1)
  })

  it('a connection that breaks is tried again after a pause, and a stale one at once', async () => {
    const { aws, asked, pauses } = scripted([broken('ECONNRESET', true), broken('ETIMEDOUT', false), answer(200)])
    expect(await nameOf(aws.dynamo.getItem(GET))).toBe('answered')
    expect(asked).toHaveLength(3)
    expect(pauses).toEqual([100])
  })

  it('a repeat whose wait would end after the deadline does not start, and one that ends with it does', async () => {
    const late = async (ms: number) => {
      const times = [0, ms]
      const elapsed = () => (times.length > 1 ? (times.shift() as number) : (times[0] as number))
      const { aws, asked, pauses } = scripted([fault('InternalServerError', 500)], { attempts: 2, elapsed })
      await nameOf(aws.dynamo.getItem(GET))
      return [asked.length, pauses.length]
    }
    // Six seconds for a call with its repeats; this one would wait for 50 ms.
    expect(await late(5_950)).toEqual([2, 1])
    expect(await late(5_951)).toEqual([1, 0])
  })

  it('the deadline is counted from the beginning of the call, and not of the process', async () => {
    let hours = 3_600_000
    const { aws, asked } = scripted([fault('InternalServerError', 500)], { elapsed: () => hours++ })
    await nameOf(aws.dynamo.getItem(GET))
    expect(asked).toHaveLength(3)
  })

  it.each([
    ['a redirect', answer(301, '<html>'), 'HTTP 301', 1],
    ['an answer of 300', answer(300, ''), 'HTTP 300', 1],
    ['a page of a load balancer', answer(503, '<html>busy</html>'), 'HTTP 503', 3],
    ['an error that is only null', answer(500, 'null'), 'HTTP 500', 3],
  ])('%s is no answer, and is thrown under its status', async (_, said, name, attempts) => {
    const { aws, asked } = scripted([said])
    expect(await nameOf(aws.dynamo.getItem(GET))).toBe(name)
    expect(asked).toHaveLength(attempts)
  })

  it.each([
    ['a type with a namespace', { __type: 'com.amazonaws.dynamodb.v20120810#AccessDenied' }, {}],
    ['a type with a link behind it', { __type: 'AccessDenied:http://internal.amazon.com/coral/' }, {}],
    ['a header', {}, { 'x-amzn-errortype': 'AccessDenied:http://internal.amazon.com/coral/' }],
  ])('the name of a fault is read from %s', async (_, body, headers) => {
    const { aws } = scripted([answer(403, { ...body, Message: 'not you' }, headers)])
    await expect(aws.dynamo.getItem(GET)).rejects.toMatchObject({ name: 'AccessDenied', message: 'not you' })
  })

  it('a fault without a message has an empty one', async () => {
    const { aws } = scripted([answer(403, { __type: 'AccessDenied' })])
    await expect(aws.dynamo.getItem(GET)).rejects.toMatchObject({ name: 'AccessDenied', message: '' })
  })

  it('a fault of a service carries no stack, and a later error of anybody else does', async () => {
    const { aws } = scripted([fault('AccessDenied')])
    const thrown = await aws.dynamo.getItem(GET).catch((error: Error) => error)
    expect((thrown as Error).stack).not.toContain('\n')
    expect(new Error('later').stack).toContain('caller.test.ts')
  })
})

describe('a clock that is wrong', () => {
  const signedAt = ({ headers }: Outgoing) => headers['x-amz-date']
  const dated = (at: number, name = 'InvalidSignatureException') =>
    fault(name, 400, { date: new Date(at).toUTCString() })

  it('a signature that is refused for its date is made again with the date of the service, at once and from then on', async () => {
    const { aws, asked, pauses } = scripted([dated(NOON + 3_600_000), answer(200)])
    await aws.dynamo.getItem(GET)
    await aws.dynamo.getItem(GET)
    expect(asked.map(signedAt)).toEqual(['20261118T120000Z', '20261118T130000Z', '20261118T130000Z'])
    expect(pauses).toEqual([])
  })

  it('a clock that is ahead is set right too', async () => {
    const { aws, asked } = scripted([dated(NOON - 3_600_000, 'RequestTimeTooSkewed'), answer(200)])
    await aws.dynamo.getItem(GET)
    expect(asked.map(signedAt)).toEqual(['20261118T120000Z', '20261118T110000Z'])
  })

  it('a signature that is refused though its date is right is not made again', async () => {
    for (const [off, attempts] of [
      [240_000, 1],
      [241_000, 2],
    ] as const) {
      const { aws, asked } = scripted([dated(NOON + off)])
      expect(await nameOf(aws.dynamo.getItem(GET))).toBe('InvalidSignatureException')
      expect(asked).toHaveLength(attempts)
    }
  })

  it('any other refusal says nothing of the clock, whatever its date', async () => {
    const { aws, asked } = scripted([dated(NOON + 3_600_000, 'AccessDeniedException')])
    await nameOf(aws.dynamo.getItem(GET))
    expect(asked).toHaveLength(1)
  })
})

describe('a request', () => {
  it('a request has a second for its connection and two and a half for its answer', async () => {
    const { aws, asked } = scripted([answer(200)])
    await aws.dynamo.getItem(GET)
    expect(asked[0]?.patience).toEqual({ connect: 1_000, answer: 2_500 })
  })

  it('a poll has the time that the queue was asked to take besides', async () => {
    const { aws, asked } = scripted([answer(200)])
    await aws.queue.receiveMessages(QUEUE, { waitSeconds: 20 })
    expect(asked[0]?.patience).toEqual({ connect: 1_000, answer: 22_500 })
  })

  it('a request says how many bytes it has, and not how many characters', async () => {
    const { aws, asked } = scripted([answer(200)])
    await aws.dynamo.getItem({ TableName: 'é', Key: {} })
    expect(asked[0]?.body).toBe('{"TableName":"é","Key":{}}')
    expect(asked[0]?.headers['content-length']).toBe('27')
  })

  it('a request carries the trace of its invocation outside the signature, and none without one', async () => {
    const trace = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1'
    const traced = scripted([answer(200)], { env: { ...ENV, _X_AMZN_TRACE_ID: trace } })
    await traced.aws.dynamo.getItem(GET)
    expect(traced.asked[0]?.headers['x-amzn-trace-id']).toBe(trace)
    expect(traced.asked[0]?.headers['user-agent']).toBe('hooklatch')
    expect(traced.asked[0]?.headers.authorization).toContain('SignedHeaders=content-type;host;x-amz-date;x-amz-target,')
    const plain = scripted([answer(200)])
    await plain.aws.dynamo.getItem(GET)
    expect(plain.asked[0]?.headers).not.toHaveProperty('x-amzn-trace-id')
    expect(plain.asked[0]?.headers['user-agent']).toBe('hooklatch')
  })

  it.each([
    ['AWS_ACCESS_KEY_ID', { ...ENV, AWS_ACCESS_KEY_ID: undefined }],
    ['AWS_SECRET_ACCESS_KEY', { ...ENV, AWS_SECRET_ACCESS_KEY: '' }],
  ])('without %s nothing is asked, and the error names what to set', async (name, env) => {
    const { aws, asked } = scripted([answer(200)], { env })
    await expect(aws.dynamo.getItem(GET)).rejects.toThrow(name)
    expect(asked).toEqual([])
  })

  it('a region is read from AWS_DEFAULT_REGION if AWS_REGION is not set', async () => {
    const { AWS_REGION, ...env } = ENV
    const { aws, asked } = scripted([answer(200)], { env: { ...env, AWS_DEFAULT_REGION: 'eu-west-1' } })
    await aws.dynamo.getItem(GET)
    expect(asked[0]?.url.href).toBe('https://dynamodb.eu-west-1.amazonaws.com/')
  })
})

describe('where a request goes', () => {
  const object = { bytes: Uint8Array.of(1), metadata: {} }
  const OWN = { ...ENV, AWS_ENDPOINT_URL: 'http://localhost:4566' }
  const placeOf = (outgoing: Outgoing | undefined) => `${outgoing?.method} ${outgoing?.url.host} ${outgoing?.path}`

  it('a message goes to the host that its queue URL names, and to our own endpoint if there is one', async () => {
    const away = 'https://sqs.eu-west-1.amazonaws.com/123456789012/events'
    const hosted = scripted([answer(200)])
    await hosted.aws.queue.deleteMessages(away, [])
    expect(placeOf(hosted.asked[0])).toBe('POST sqs.eu-west-1.amazonaws.com /')
    const own = scripted([answer(200)], { env: OWN })
    await own.aws.queue.deleteMessages(away, [])
    expect(placeOf(own.asked[0])).toBe('POST localhost:4566 /')
  })

  it('a bucket is a host, and a path if its name has a dot or the endpoint is our own', async () => {
    const { aws, asked } = scripted([answer(200, '')])
    await aws.objects.put('bodies', '7d/a b', object)
    await aws.objects.put('my.bodies', "7d/it's (*)!", object)
    const own = scripted([answer(200, '')], { env: OWN })
    await own.aws.objects.put('bodies', '7d/a b', object)
    expect([...asked, ...own.asked].map(placeOf)).toEqual([
      'PUT bodies.s3.eu-central-1.amazonaws.com /7d/a%20b',
      'PUT s3.eu-central-1.amazonaws.com /my.bodies/7d/it%27s%20%28%2A%29%21',
      'PUT localhost:4566 /bodies/7d/a%20b',
    ])
  })

  it('a put replaces what is there: it sets no condition', async () => {
    const { aws, asked } = scripted([answer(200, '')])
    await aws.objects.put('bodies', 'key', { bytes: Uint8Array.of(1), metadata: { compressed: 'false' } })
    expect(asked[0]?.headers).not.toHaveProperty('if-none-match')
    expect(asked[0]?.headers).toMatchObject({ 'x-amz-meta-compressed': 'false' })
  })

  it('all keys under a prefix are listed, page after page', async () => {
    const page = (keys: readonly string[], next = '') =>
      answer(
        200,
        `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${keys.map(key => `<C><Key>${key}</Key>\n<ETag>"e"</ETag><Size>1234</Size></C>`).join('')}${next}</ListBucketResult>`,
      )
    const more = '<NextContinuationToken>1/a+b=</NextContinuationToken>'
    const { aws, asked } = scripted([page(['7d/f/1', '7d/f/2'], more), page(['7d/f/3'])])
    expect(await aws.objects.list('bodies', '7d/f/')).toEqual(
      ['7d/f/1', '7d/f/2', '7d/f/3'].map(key => ({ key, size: 1234 })),
    )
    expect(asked.map(placeOf)).toEqual([
      'GET bodies.s3.eu-central-1.amazonaws.com /?list-type=2&prefix=7d%2Ff%2F',
      'GET bodies.s3.eu-central-1.amazonaws.com /?continuation-token=1%2Fa%2Bb%3D&list-type=2&prefix=7d%2Ff%2F',
    ])
  })

  it('a prefix that nothing lies under has no keys', async () => {
    const { aws } = scripted([answer(200, '<ListBucketResult></ListBucketResult>')])
    expect(await aws.objects.list('bodies', '7d/f/')).toEqual([])
  })

  it.each([
    ['nothing', ''],
    ['an error', '<?xml version="1.0"?><Error><Code>InternalError</Code><Message>try again</Message></Error>'],
    ['the page of a proxy', '<html>Log in</html>'],
    ['half of a list', '<ListBucketResult><Contents><Key>7d/f/1</Key>'],
  ])('a 200 with %s is no empty list', async (_, body) => {
    const { aws } = scripted([answer(200, body)])
    await expect(aws.objects.list('bodies', '7d/f/')).rejects.toThrow('S3 answered 200 without a whole list')
  })

  it.each(['put', 'list'] as const)('a bucket that refuses %s says so under its own name', async operation => {
    const { aws } = scripted([answer(403, '<Error><Code>AccessDenied</Code><Message>no</Message></Error>')])
    const asked = operation === 'put' ? aws.objects.put('bodies', 'key', object) : aws.objects.list('bodies', '7d/')
    await expect(asked).rejects.toMatchObject({ name: 'AccessDenied', message: 'no' })
  })

  it('an answer of S3 that is no XML is thrown under its status', async () => {
    const { aws } = scripted([answer(403, 'no')])
    await expect(aws.objects.get('bodies', 'key')).rejects.toMatchObject({ name: 'HTTP 403', message: '' })
  })

  it('AWS is asked over TLS, in one context for all services, and our own endpoint as it says', async () => {
    const { aws, asked } = scripted([answer(200)])
    await aws.dynamo.getItem(GET)
    await aws.queue.deleteMessages(QUEUE, [])
    const agents = asked.map(({ agent }) => agent as unknown as { options: Record<string, unknown>; protocol: string })
    expect(asked.map(({ request }) => request)).toEqual([secureRequest, secureRequest])
    expect(agents.map(({ protocol }) => protocol)).toEqual(['https:', 'https:'])
    expect(agents[0]?.options).toMatchObject({ keepAlive: true, maxSockets: 50, scheduling: 'lifo' })
    expect(agents[0]?.options.secureContext).toBeDefined()
    expect(agents[1]?.options.secureContext).toBe(agents[0]?.options.secureContext)
    const own = scripted([answer(200)], { env: OWN })
    await own.aws.dynamo.getItem(GET)
    expect(own.asked[0]?.request).toBe(plainRequest)
    expect(own.asked[0]?.agent).toMatchObject({ keepAlive: true, protocol: 'http:' })
  })
})

describe('a receiver that starts', () => {
  it('a receiver opens a connection to the table and one to the queue before its first delivery', async () => {
    const { receiver, asked } = scripted([answer(404, 'healthy')])
    await receiver.prime()
    expect(asked.map(({ method, path, url, body }) => [method, path, url.host, body])).toEqual([
      ['GET', '/ping', 'dynamodb.eu-central-1.amazonaws.com', ''],
      ['GET', '/ping', 'sqs.eu-central-1.amazonaws.com', ''],
    ])
    expect(asked.map(({ headers }) => headers)).toEqual(asked.map(({ url }) => ({ host: url.host })))
  })

  it('a receiver starts though nothing answers yet', async () => {
    const { receiver } = scripted([broken('ECONNREFUSED', false)])
    expect(await receiver.prime()).toBeUndefined()
  })

  it('a receiver calls the table, the queue, the bucket and the secrets', async () => {
    const { receiver, asked } = scripted([answer(200, '{}')])
    await receiver.dynamo.getItem(GET)
    await receiver.objects.put('bodies', 'key', { bytes: Uint8Array.of(1), metadata: {} })
    await receiver.secrets.getSecret('signing')
    await receiver.queue.sendMessage({ QueueUrl: QUEUE, MessageBody: '', MessageAttributes: {} }).catch(() => undefined)
    expect(asked.map(({ url }) => url.host)).toEqual([
      'dynamodb.eu-central-1.amazonaws.com',
      'bodies.s3.eu-central-1.amazonaws.com',
      'secretsmanager.eu-central-1.amazonaws.com',
      'sqs.eu-central-1.amazonaws.com',
    ])
  })
})

/** Every pause lasts until a test ends it, and so does every exchange that it does not let answer. */
const silent = (settings: Partial<Settings> = {}) => {
  const pauses: (() => void)[] = []
  const waiting: ((incoming: Incoming) => void)[] = []
  const aws = openAws({
    env: ENV,
    now: () => NOON,
    attempts: 1,
    pause: () => new Promise<void>(end => void pauses.push(end)),
    exchange: () => new Promise<Incoming>(resolve => void waiting.push(resolve)),
    ...settings,
  })
  const settled = () => new Promise<void>(resolve => void setImmediate(resolve))
  return {
    aws,
    pauses,
    asked: () => waiting.length,
    ask: async (count: number) => {
      for (let made = 0; made < count; made += 1) void aws.dynamo.getItem(GET)
      await settled()
    },
    let100MsPass: async () => {
      pauses.shift()?.()
      await settled()
    },
    letAnswer: async (count: number) => {
      for (const resolve of waiting.slice(0, count)) resolve(answer(200))
      await settled()
    },
    settled,
  }
}

describe('requests that are held', () => {
  it('while nothing answers, three more requests go every 100 ms', async () => {
    const { ask, asked, pauses, let100MsPass } = silent()
    await ask(9)
    expect([asked(), pauses.length]).toEqual([1, 1])
    await let100MsPass()
    expect([asked(), pauses.length]).toEqual([4, 1])
    await let100MsPass()
    expect([asked(), pauses.length]).toEqual([7, 1])
    await let100MsPass()
    expect([asked(), pauses.length]).toEqual([9, 0])
  })

  it('no more requests go than there may be connections', async () => {
    const { ask, asked, let100MsPass } = silent({ connections: 5 })
    await ask(9)
    await let100MsPass()
    await let100MsPass()
    await let100MsPass()
    expect(asked()).toBe(5)
  })

  it('an answer lets others go, and then nobody waits for 100 ms to pass', async () => {
    const { ask, asked, pauses, letAnswer, let100MsPass } = silent()
    await ask(3)
    await letAnswer(1)
    expect(asked()).toBe(3)
    await let100MsPass()
    expect(pauses).toEqual([])
  })

  it('requests that are held later are looked after as the first ones were', async () => {
    const { ask, asked, pauses, let100MsPass } = silent()
    await ask(4)
    await let100MsPass()
    expect([asked(), pauses.length]).toEqual([4, 0])
    await ask(2)
    expect([asked(), pauses.length]).toEqual([4, 1])
    await let100MsPass()
    expect(asked()).toBe(6)
  })

  it('a time in which something answered allows no more requests than its answers do', async () => {
    const { ask, asked, letAnswer, let100MsPass } = silent()
    await ask(9)
    await letAnswer(1)
    expect(asked()).toBe(4)
    await let100MsPass()
    expect(asked()).toBe(4)
  })

  it('a poll is never held, and lets go what was', async () => {
    const { aws, asked, settled } = silent()
    for (let made = 0; made < 3; made += 1) void aws.queue.deleteMessages(QUEUE, [])
    await settled()
    expect(asked()).toBe(1)
    for (let made = 0; made < 4; made += 1) void aws.queue.receiveMessages(QUEUE, { waitSeconds: 20 })
    await settled()
    expect(asked()).toBe(7)
  })
})

describe('what a call says and hears', () => {
  const MESSAGE = { QueueUrl: QUEUE, MessageBody: 'a', MessageAttributes: {} }
  const UPDATE = { TableName: 'events', Key: {}, UpdateExpression: 'SET a = :a', ExpressionAttributeValues: {} }
  const QUERY = { TableName: 'events', KeyConditionExpression: 'a = :a', ExpressionAttributeValues: {} }
  const TRANSACTION = {
    ClientRequestToken: 't',
    TransactItems: [{ Put: { TableName: 'events', Item: { fingerprint: 'f' } } }],
  }

  it.each<[string, (aws: ReturnType<typeof openAws>) => Promise<unknown>]>([
    ['DynamoDB_20120810.PutItem', ({ dynamo }) => dynamo.putItem({ TableName: 'events', Item: {} })],
    ['DynamoDB_20120810.UpdateItem', ({ dynamo }) => dynamo.updateItem(UPDATE)],
    ['DynamoDB_20120810.GetItem', ({ dynamo }) => dynamo.getItem(GET)],
    ['DynamoDB_20120810.TransactWriteItems', ({ dynamo }) => dynamo.transactWriteItems(TRANSACTION)],
    ['DynamoDB_20120810.BatchGetItem', ({ dynamo }) => dynamo.batchGetItem({ TableName: 'events', Keys: [] })],
    ['DynamoDB_20120810.Query', ({ dynamo }) => dynamo.query(QUERY)],
    ['AmazonSQS.SendMessage', ({ queue }) => queue.sendMessage(MESSAGE).catch(() => undefined)],
    ['AmazonSQS.ChangeMessageVisibility', ({ queue }) => queue.changeVisibility(QUEUE, 'r', 1)],
    ['secretsmanager.GetSecretValue', ({ secrets }) => secrets.getSecret('signing')],
  ])('%s is one call under that name', async (target, call) => {
    const { aws, asked } = scripted([answer(200)])
    await call(aws)
    expect(asked.map(({ headers }) => headers['x-amz-target'])).toEqual([target])
  })

  it('every write of a transaction is sent in the spelling of DynamoDB', async () => {
    const { aws, asked } = scripted([answer(200)])
    await aws.dynamo.transactWriteItems(TRANSACTION)
    expect(JSON.parse(String(asked[0]?.body)).TransactItems).toEqual([
      { Put: { TableName: 'events', Item: { fingerprint: { S: 'f' } } } },
    ])
  })

  it('a cancelled transaction without reasons has none, and a page without items is empty', async () => {
    const cancelled = scripted([fault('TransactionCanceledException')])
    expect(await cancelled.aws.dynamo.transactWriteItems(TRANSACTION)).toMatchObject({ kind: 'cancelled', reasons: [] })
    const { aws } = scripted([answer(200)])
    expect(await aws.dynamo.query(QUERY)).toEqual({ items: [], lastKey: undefined })
  })

  it('an answer without a body is an answer', async () => {
    const { aws } = scripted([answer(200, '')])
    expect(await aws.queue.changeVisibility(QUEUE, 'r', 1)).toBe('changed')
  })

  it('a request is signed with the key and the token of the environment, of that moment', async () => {
    const env: Record<string, string> = { ...ENV, AWS_SESSION_TOKEN: 'token' }
    const { aws, asked } = scripted([answer(200)], { env })
    await aws.dynamo.getItem(GET)
    env.AWS_ACCESS_KEY_ID = 'AKIDROTATED'
    await aws.dynamo.getItem(GET)
    expect(asked[0]?.headers.authorization).toContain('AKIDEXAMPLE/20261118/eu-central-1/dynamodb/aws4_request,')
    expect(asked[0]?.headers['x-amz-security-token']).toBe('token')
    expect(asked[1]?.headers.authorization).toContain('Credential=AKIDROTATED/')
  })

  it.each([
    [301, 'thrown'],
    [400, 'refused'],
    [499, 'refused'],
    [500, 'thrown'],
    [503, 'thrown'],
  ])('a message whose only attempt is answered %d is %s', async (status, ending) => {
    const { aws } = scripted([fault('Odd', status)], { attempts: 1 })
    const sent = aws.queue.sendMessage(MESSAGE).then(
      ({ kind }) => kind,
      () => 'thrown',
    )
    expect(await sent).toBe(ending)
  })

  it('the time of a call is measured in milliseconds if nobody brings a clock', async () => {
    let asked = 0
    const exchange = async () => {
      asked += 1
      await new Promise(resolve => void setTimeout(resolve, 60))
      return fault('InternalServerError', 500)
    }
    const { dynamo } = openAws({ env: ENV, exchange, random: () => 0, deadline: 40 })
    expect(await nameOf(dynamo.getItem(GET))).toBe('InternalServerError')
    expect(asked).toBe(1)
  })
})
