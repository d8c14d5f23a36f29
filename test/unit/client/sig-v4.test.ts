import { createHash, createHmac } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sigV4 } from '../../../lib/client/sig-v4.ts'

class Sha256 {
  readonly #hash
  constructor(secret?: string | Uint8Array) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret)
  }
  update(data: string | Uint8Array): void {
    this.#hash.update(data)
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }
  reset(): void {}
}

const at = new Date('2026-11-16T05:30:00.123Z')
const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }

/** Another implementation: the one in the AWS SDK. */
const theirs = async (url: URL, headers: Record<string, string>, body: string, sessionToken?: string) => {
  const signer = new SignatureV4({
    // As the SDK is told what it calls.
    service: url.hostname.includes('lambda-url') ? 'lambda' : 'execute-api',
    region: 'eu-central-1',
    credentials: { ...credentials, ...(sessionToken !== undefined && { sessionToken }) },
    sha256: Sha256 as never,
  })
  const query: Record<string, string[]> = {}
  for (const [name, value] of url.searchParams) query[name] = [...(query[name] ?? []), value]
  const signed = (await signer.sign(
    {
      method: 'POST',
      protocol: 'https:',
      hostname: url.hostname,
      path: url.pathname,
      query,
      headers: { ...headers, host: url.host },
      body,
    } as never,
    { signingDate: at },
  )) as unknown as { readonly headers: Record<string, string> }
  return signed.headers
}

const ours = (url: URL, headers: Record<string, string>, body: string, sessionToken?: string) =>
  sigV4({ credentials: { ...credentials, sessionToken }, region: 'eu-central-1', now: () => at })?.({
    method: 'POST',
    url,
    headers,
    body,
  })

const URL_OF = (path: string, query = '') =>
  new URL(`https://abc.execute-api.eu-central-1.amazonaws.com${path}${query}`)

const FUNCTION_URL = new URL('https://abcdef.lambda-url.eu-central-1.on.aws/publish/orders')

describe('our signature', () => {
  it.each([
    ['a plain request', URL_OF('/publish/orders'), { 'content-type': 'application/json' }, '{}', undefined],
    ['a session', URL_OF('/publish/orders'), {}, '{}', 'IQoJb3JpZ2luX2VjEJr'],
    ['a request to a function URL', FUNCTION_URL, {}, '{}', undefined],
    ['a query', URL_OF('/publish/orders', '?b=2&a=1&a=0&sp=a%20b'), {}, '', undefined],
    ['an encoded path', URL_OF('/live/publish/a%20b'), {}, '{}', undefined],
    [
      'a key in quotes and spaces',
      URL_OF('/publish/orders'),
      { 'idempotency-key': '"a\\"b"', 'x-odd': '  a   b ' },
      '\u00fc',
      undefined,
    ],
  ])('our signature of %s is the one of the AWS SDK', async (_, url, headers, body, token) => {
    expect(await ours(url, headers, body, token)).toEqual(await theirs(url, headers, body, token))
  })

  it('our signature replaces what the caller says in its headers', async () => {
    const url = URL_OF('/publish/orders')
    const mine = { authorization: 'Bearer x', 'X-Amz-Date': '20200101T000000Z', host: 'elsewhere' }
    const signed = await ours(url, mine, '{}')
    expect(signed).toMatchObject({ host: url.host, 'x-amz-date': '20261116T053000Z' })
    expect(signed?.authorization).toMatch(/^AWS4-HMAC-SHA256 /)
  })

  it('our signature of any body, path and key is the one of the AWS SDK', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(text, text, fc.uuid(), async (body, segment, key) => {
        const url = URL_OF(`/publish/${encodeURIComponent(segment.toWellFormed())}`)
        const headers = { 'idempotency-key': key }
        const [mine, other] = await Promise.all([ours(url, headers, body), theirs(url, headers, body)])
        return mine?.authorization === other.authorization
      }),
      { numRuns: 200 },
    )
  })
})
