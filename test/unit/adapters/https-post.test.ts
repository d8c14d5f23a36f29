import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { httpsPost } from '../../../functions/adapters/https-post.ts'
import type { PostRequest } from '../../../functions/domain/handing-over.ts'
import { isPublicAddress } from '../../../functions/domain/public-address.ts'
import { localhostChain } from '../../support/make-certificate.ts'

const { key, cert, authority } = localhostChain()
const asked: { path: string; body: string; id: string | undefined }[] = []
let server: Server
let port = 0

beforeAll(async () => {
  server = createServer({ key, cert }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      asked.push({ path, body: Buffer.concat(chunks).toString(), id: request.headers['webhook-id'] as string })
      if (path === '/hangs') return
      if (path === '/moved') response.writeHead(302, { location: '/elsewhere' })
      else if (path === '/busy') response.writeHead(503, { 'retry-after': '7' })
      else response.writeHead(200)
      response.end('thanks')
    })
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const request = (path: string, more: Partial<PostRequest> = {}): PostRequest => ({
  url: `https://localhost:${port}${path}`,
  headers: { 'webhook-id': 'a-0', 'content-length': '2' },
  body: Buffer.from('{}'),
  timeoutSeconds: 30,
  privateAddresses: true,
  signal: new AbortController().signal,
  ...more,
})
const resolve = async () => [{ address: '127.0.0.1', family: 4 }]

describe('a POST over https', () => {
  it('what is posted arrives, and the answer is told with its Retry-After', async () => {
    asked.length = 0
    expect(await httpsPost(request('/'), { ca: authority, resolve })).toEqual({ status: 200, retryAfter: undefined })
    expect(asked).toEqual([{ path: '/', body: '{}', id: 'a-0' }])
    expect(await httpsPost(request('/busy'), { ca: authority, resolve })).toEqual({ status: 503, retryAfter: '7' })
  })

  it('a redirect is not followed', async () => {
    asked.length = 0
    expect(await httpsPost(request('/moved'), { ca: authority, resolve })).toMatchObject({ status: 302 })
    expect(asked.map(({ path }) => path)).toEqual(['/moved'])
  })

  it('a service without a certificate that we trust gets nothing', async () => {
    asked.length = 0
    await expect(httpsPost(request('/'), { resolve })).rejects.toThrow(/unable to get local issuer certificate/)
    expect(asked).toEqual([])
  })

  it('a name that resolves to a private address is refused when it is connected to', async () => {
    asked.length = 0
    const refused = request('/', { privateAddresses: false })
    await expect(httpsPost(refused, { ca: authority, resolve })).rejects.toThrow(
      'localhost is 127.0.0.1, which is no public',
    )
    // One public address beside it does not help: the connection might take either.
    const both = async () => [{ address: '93.184.215.14', family: 4 }, ...(await resolve())]
    await expect(httpsPost(refused, { ca: authority, resolve: both })).rejects.toThrow('no public address')
    expect(asked).toEqual([])
  })

  it.each(['https://127.0.0.1', 'https://[::1]', 'https://169.254.169.254', 'https://2130706433', 'https://0x7f.1'])(
    'the address %s is refused before anything is sent',
    async url => {
      await expect(httpsPost(request('', { url, privateAddresses: false }))).rejects.toThrow('no public address')
    },
  )

  it('a service that does not answer in time is given up', async () => {
    await expect(httpsPost(request('/hangs', { timeoutSeconds: 0.2 }), { ca: authority, resolve })).rejects.toThrow(
      'localhost did not answer within 0.2 seconds',
    )
  })
})

describe('public addresses', () => {
  it.each(['93.184.215.14', '8.8.8.8', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'])('%s is public', address => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each([
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '127.0.0.1',
    '0.0.0.0',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    'fe80::1',
    'fe80::1%eth0',
    'fd00::1',
    'fd00:ec2::254',
    'ff02::1',
    '2002:a00:1::',
    '64:ff9b::a00:1',
    '2001:db8::1',
    'localhost',
    '',
  ])('%s is not public', address => {
    expect(isPublicAddress(address)).toBe(false)
  })
})
