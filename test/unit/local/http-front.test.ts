import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { APIGatewayProxyEvent, APIGatewayProxyEventV2 } from 'aws-lambda'
import { afterEach, describe, expect, it } from 'vitest'
import { millis } from '../../../functions/domain/brands.ts'
import { type FrontOptions, httpFront } from '../../../lib/local/http-front.ts'

const NOON = millis(Date.parse('2026-11-16T12:00:00Z'))
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const open = async (options: Partial<FrontOptions> = {}) => {
  const seen: unknown[] = []
  const errors: unknown[] = []
  const server = httpFront({
    handler: async event => {
      seen.push(event)
      return { statusCode: 202, headers: { 'content-type': 'application/json' }, body: '{"status":"accepted"}' }
    },
    now: () => NOON,
    welcome: origin => `welcome to ${origin}`,
    onError: error => errors.push(error),
    ...options,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    errors,
    v2: () => seen[0] as APIGatewayProxyEventV2,
    v1: () => seen[0] as APIGatewayProxyEvent,
  }
}

const SIGNED =
  'AWS4-HMAC-SHA256 Credential=alice/20261116/us-east-1/execute-api/aws4_request, SignedHeaders=host, Signature=0'

/** Headers as an array are sent as they are, repeated ones repeated. */
const post = (url: string, headers: string[], body: string | Buffer, method = 'POST'): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const host = new URL(url).host
    const request = httpRequest(url, {
      method,
      headers: ['Host', host, 'Content-Length', String(Buffer.byteLength(body)), ...headers],
    })
    request.once('error', reject).once('response', response => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
    request.end(body)
  })

describe('a request becomes the event of an HTTP API', () => {
  it('the event of an HTTP API has lower-case names, joined headers, separate cookies, and path and query as they were sent', async () => {
    const front = await open()
    const headers = ['Content-Type', 'application/json', 'X-Twice', 'one', 'x-twice', 'two', 'Cookie', 'a=1; b=2']
    await post(`${front.url}/webhooks/stripe?b=2&a=%20x&b=3`, headers, '{"id":"evt_1"}')
    expect(front.v2()).toMatchObject({
      version: '2.0',
      routeKey: 'ANY /webhooks/{source}',
      rawPath: '/webhooks/stripe',
      rawQueryString: 'b=2&a=%20x&b=3',
      queryStringParameters: { a: ' x', b: '2,3' },
      pathParameters: { source: 'stripe' },
      cookies: ['a=1', 'b=2'],
      headers: {
        'content-type': 'application/json',
        'content-length': '14',
        'x-twice': 'one,two',
        'x-forwarded-proto': 'http',
        'x-amzn-trace-id': expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/),
      },
      requestContext: {
        domainName: `127.0.0.1:${front.port}`,
        http: { method: 'POST', path: '/webhooks/stripe', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1' },
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        stage: '$default',
        time: '16/Nov/2026:12:00:00 +0000',
        timeEpoch: NOON,
      },
      body: '{"id":"evt_1"}',
      isBase64Encoded: false,
    })
    expect(front.v2().headers).not.toHaveProperty('cookie')
  })

  it.each([
    ['application/json', false],
    ['application/json; charset=utf-8', false],
    ['text/plain', false],
    ['application/xml', false],
    ['application/x-www-form-urlencoded', true],
    ['application/vnd.api+json', true],
    ['application/octet-stream', true],
    [undefined, true],
  ])('an HTTP API event with a body of type %s is in base64: %s', async (type, isBase64Encoded) => {
    const front = await open()
    await post(`${front.url}/webhooks/x`, type === undefined ? [] : ['Content-Type', type], 'a=b')
    expect(front.v2()).toMatchObject({ body: isBase64Encoded ? 'YT1i' : 'a=b', isBase64Encoded })
  })

  it('the event of an HTTP API keeps every byte of a text that is not UTF-8', async () => {
    const front = await open()
    await post(`${front.url}/webhooks/x`, ['Content-Type', 'application/json'], Buffer.from([0x22, 0xff, 0x22]))
    expect(front.v2()).toMatchObject({ body: 'Iv8i', isBase64Encoded: true })
  })

  it('the event of an HTTP API without a body has no body field and no base64 flag, whatever the method', async () => {
    const front = await open()
    await post(`${front.url}/webhooks/caf%C3%A9`, [], '', 'PUT')
    expect(front.v2()).toMatchObject({ isBase64Encoded: false, pathParameters: { source: 'café' } })
    expect(front.v2()).not.toHaveProperty('body')
    expect(front.v2().requestContext.http.method).toBe('PUT')
  })
})

describe('a request becomes the event of a REST API', () => {
  it('the event of a REST API has header names as spelled, every value, and the body in base64', async () => {
    const front = await open({ format: 'v1' })
    await post(
      `${front.url}/webhooks/github?a=1&a=2`,
      ['Content-Type', 'application/json', 'X-Twice', 'one', 'X-Twice', 'two'],
      '{}',
    )
    expect(front.v1()).toMatchObject({
      resource: '/webhooks/{source}',
      path: '/webhooks/github',
      httpMethod: 'POST',
      headers: { 'X-Twice': 'two' },
      multiValueHeaders: { 'Content-Type': ['application/json'], 'X-Twice': ['one', 'two'] },
      queryStringParameters: { a: '2' },
      multiValueQueryStringParameters: { a: ['1', '2'] },
      pathParameters: { source: 'github' },
      requestContext: {
        path: '/webhooks/github',
        domainName: `127.0.0.1:${front.port}`,
        identity: { sourceIp: '127.0.0.1' },
      },
      body: 'e30=',
      isBase64Encoded: true,
    })
  })
})

describe('the front', () => {
  it.each(['/webhooks', '/webhooks/', '/webhooks/a/b', '/other', '/webhooksx/a'])(
    'the front answers 404 on %s without calling a function',
    async path => {
      const front = await open()
      const answer = await fetch(front.url + path, { method: 'POST' })
      expect([answer.status, await answer.text()]).toEqual([404, '{"message":"Not Found"}'])
      expect(front.v2()).toBeUndefined()
    },
  )

  it('docs/problems.md lists what the front says in the words of API Gateway and not as problem details', async () => {
    const handler = () => Promise.reject(new Error('no function'))
    const asked = async (format: 'v1' | 'v2', path: string, size = 0) => {
      const front = await open({ format, handler, publish: handler })
      const answer = await fetch(front.url + path, { method: 'POST', body: Buffer.alloc(size) })
      return `${answer.status} \`${await answer.text()}\``
    }
    const page = readFileSync(new URL('../../../docs/problems.md', import.meta.url), 'utf8')
    const said = [
      await asked('v2', '/publish/orders'),
      await asked('v1', '/publish/orders'),
      await asked('v2', '/nowhere'),
      await asked('v2', '/webhooks/x', 10 * 1024 * 1024 + 1),
      await asked('v2', '/webhooks/x'),
    ]
    expect(new Set(said).size).toBe(5)
    expect(said.filter(answer => !page.includes(answer))).toEqual([])
  })

  it.each([
    ['/webhooks/stripe', ['Origin', 'http://evil.example']],
    ['/webhooks/stripe', ['Sec-Fetch-Site', 'same-origin']],
    ['/publish/orders', ['Origin', 'null']],
  ])('the front takes nothing from a web page, whatever name it came by: %s %j', async (path, headers) => {
    const publish = () => Promise.reject(new Error('no function'))
    const front = await open({ publish })
    expect(await post(front.url + path, [...headers, 'Authorization', SIGNED], '{}')).toBe(403)
    expect(front.v2()).toBeUndefined()
  })

  it('the front publishes for a loopback address alone, and takes deliveries from a tunnel', async () => {
    const publish = async () => ({ statusCode: 202, headers: {}, body: '' })
    const front = await open({ publish })
    const asHost = (path: string, host: string) =>
      new Promise(resolve => {
        const headers = { host, authorization: SIGNED }
        httpRequest(front.url + path, { method: 'POST', headers }, answer => {
          answer.resume()
          resolve(answer.statusCode)
        }).end('{}')
      })
    expect(await asHost('/publish/orders', 'evil.example')).toBe(403)
    expect(await asHost('/publish/orders', `127.0.0.1:${front.port}`)).toBe(202)
    expect(await asHost('/webhooks/stripe', 'my-tunnel.example')).toBe(202)
  })

  it('the front shows a browser a welcome page', async () => {
    const front = await open()
    expect(await (await fetch(front.url)).text()).toBe(`welcome to ${front.url}`)
  })

  it('the front takes 10 MiB and refuses one byte more, announced or not', async () => {
    const front = await open()
    const limit = 10 * 1024 * 1024
    expect(await post(`${front.url}/webhooks/x`, [], Buffer.alloc(limit))).toBe(202)
    expect(await post(`${front.url}/webhooks/x`, [], Buffer.alloc(limit + 1))).toBe(413)
    const chunked = await fetch(`${front.url}/webhooks/x`, {
      method: 'POST',
      body: new Blob([Buffer.alloc(limit + 1)]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect([chunked.status, await chunked.text()]).toEqual([413, '{"message":"Request Entity Too Large"}'])
  })

  it('what a handler throws is told to the operator and not to the sender', async () => {
    const front = await open({ handler: () => Promise.reject(new Error('a secret detail')) })
    const answer = await fetch(`${front.url}/webhooks/x`, { method: 'POST' })
    expect([answer.status, await answer.text()]).toEqual([500, '{"message":"Internal Server Error"}'])
    expect(front.errors).toEqual([new Error('a secret detail')])
  })

  it('the front survives senders that leave in mid-body or do not speak HTTP', async () => {
    const front = await open()
    for (const words of ['POST /webhooks/x HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf', 'hello\r\n\r\n']) {
      const socket = connect(front.port, '127.0.0.1')
      socket.on('error', () => {})
      await new Promise<void>(resolve => socket.write(words, () => resolve()))
      socket.resetAndDestroy()
      await once(socket, 'close')
    }
    expect(await post(`${front.url}/webhooks/x`, [], 'still there')).toBe(202)
    expect(front.errors).toEqual([])
  })
})
