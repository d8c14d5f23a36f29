import { createHash, createHmac } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sign, type Unsigned } from '../../../functions/adapters/lean/sign.ts'

const AT = Date.UTC(2026, 10, 16, 4, 5, 6, 789)

/** What the SDK hashes with. */
class Sha256 {
  readonly #hash
  constructor(key?: unknown) {
    this.#hash = key === undefined ? createHash('sha256') : createHmac('sha256', key as Uint8Array)
  }
  update(data: string | Uint8Array): void {
    this.#hash.update(data)
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }
}

interface Who {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** The same request, signed by the signer of the SDK. */
const bySdk = async (
  request: Unsigned,
  service: string,
  region: string,
  credentials: Who,
  at: number = AT,
): Promise<object> => {
  const signer = new SignatureV4({
    service,
    region,
    credentials,
    sha256: Sha256,
    applyChecksum: service === 's3',
    uriEscapePath: service !== 's3',
  })
  const { headers } = await signer.sign(
    {
      method: request.method,
      protocol: 'https:',
      hostname: request.host,
      path: request.path,
      query: {},
      headers: { ...request.headers, host: request.host },
      body: request.body,
    } as unknown as Parameters<typeof signer.sign>[0],
    { signingDate: new Date(at) },
  )
  return headers
}

const ROLE = { accessKeyId: 'ASIAEXAMPLE', secretAccessKey: 'wJalr/XUtn+FEMI', sessionToken: 'IQoJb3/token==' }
const USER = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret' }

const json = (target: string, body: string): Omit<Unsigned, 'host'> => ({
  method: 'POST',
  path: '/',
  headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': target },
  body: Buffer.from(body),
})

const CASES = [
  [
    'dynamodb',
    { ...json('DynamoDB_20120810.PutItem', '{"TableName":"events"}'), host: 'dynamodb.eu-west-1.amazonaws.com' },
  ],
  ['sqs', { ...json('AmazonSQS.SendMessage', '{"MessageBody":"caf\u00e9"}'), host: 'sqs.eu-west-1.amazonaws.com' }],
  [
    'secretsmanager',
    { ...json('secretsmanager.GetSecretValue', '{}'), host: 'secretsmanager.eu-west-1.amazonaws.com' },
  ],
  ['dynamodb', { ...json('DynamoDB_20120810.GetItem', '{}'), host: 'localhost:8000' }],
  [
    's3',
    {
      method: 'PUT',
      host: 'bodies.s3.eu-west-1.amazonaws.com',
      path: '/7d/9f86/2026-11-16',
      headers: { 'if-none-match': '*', 'x-amz-meta-compressed': 'true', 'x-amz-meta-expires-at': '1800000000' },
      body: Buffer.from([0, 255, 128]),
    },
  ],
  ['s3', { method: 'GET', host: 's3.eu-west-1.amazonaws.com', path: '/bucket/a%20b', headers: {}, body: '' }],
] as const satisfies readonly (readonly [string, Unsigned])[]

describe('a signature', () => {
  it.each(CASES)('a signature for %s is byte for byte that of the SDK', async (service, request) => {
    for (const credentials of [ROLE, USER]) {
      const ours = sign(request, { service, region: 'eu-west-1' }, credentials, AT)
      expect(ours).toEqual(await bySdk(request, service, 'eu-west-1', credentials))
    }
  })

  it('a signature of any body, secret, region and token is that of the SDK', async () => {
    const text = fc.string({ minLength: 1, unit: 'grapheme-ascii' }).filter(value => value.trim() === value)
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), text, text, text, async (body, secret, region, token) => {
        const request = { ...json('DynamoDB_20120810.PutItem', ''), body, host: 'dynamodb.example.com' }
        const credentials = {
          accessKeyId: 'AKIA',
          secretAccessKey: secret,
          sessionToken: token.replaceAll(/\s+/g, ' '),
        }
        const ours = sign(request, { service: 'dynamodb', region }, credentials, AT)
        expect(ours).toEqual(await bySdk(request, 'dynamodb', region, credentials))
      }),
      { numRuns: 200 },
    )
  })

  it('a signature uses new credentials at once, whatever was kept from the ones before', () => {
    const [, request] = CASES[0]
    const scope = { service: 'dynamodb', region: 'eu-west-1' }
    const before = sign(request, scope, USER, AT).authorization
    const other = sign(request, scope, { ...USER, secretAccessKey: 'rotated' }, AT).authorization
    expect(other).not.toBe(before)
    expect(sign(request, scope, USER, AT).authorization).toBe(before)
  })

  it('a signature is that of the SDK on both sides of midnight and in another region, whatever was kept', async () => {
    const [service, request] = CASES[0]
    const midnight = Date.UTC(2026, 10, 17)
    for (const at of [midnight - 1, midnight, midnight + 999, midnight + 1_000]) {
      for (const region of ['eu-west-1', 'us-east-1']) {
        const ours = sign(request, { service, region }, USER, at)
        expect(ours).toEqual(await bySdk(request, service, region, USER, at))
      }
    }
  })
})
