import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import catalogue from '../../vectors/catalogue.json' with { type: 'json' }
import { everyProvider, NOW, proofHeader } from './every-provider.ts'
import { judge, judged as judgedByVerb, type Request, source } from './rig.ts'

interface Genuine extends Request {
  readonly provider: string
  readonly headers: Record<string, string>
  readonly body: string
  readonly secret: string
  readonly now: number
}

const genuine = catalogue.vectors.filter(vector => vector.expect === 'valid') as unknown as readonly Genuine[]

const judged = ({ provider, secret, now, ...request }: Genuine, change: Request = {}): string =>
  judge(source({ provider }), { ...request, ...change }, secret, now)

const vectorOf = (provider: string): Genuine => {
  const vector = genuine.find(each => each.provider === provider)
  if (vector === undefined) throw new Error(`no vector for ${provider}`)
  return vector
}

test('whatever the headers say, a forger without the secret gets nothing and nothing throws', async () => {
  const proving = everyProvider.filter(({ scheme }) => scheme.kind !== 'none')
  const names = proving.flatMap(({ scheme }) => proofHeader(scheme) ?? [])
  const headers = fc.dictionary(
    fc.constantFrom(...names, 'webhook-id', 'webhook-timestamp', 'x-signature-timestamp'),
    fc.oneof(fc.string({ unit: 'binary' }), fc.array(fc.string())),
  )
  const forgery = fc.asyncProperty(
    fc.constantFrom(...proving),
    headers,
    fc.oneof(
      fc.uint8Array(),
      fc.json().map(text => new TextEncoder().encode(text)),
    ),
    fc.webUrl(),
    async (played, forged, body, url) => {
      const reason = await judgedByVerb(played.source, { headers: forged, body, url }, played.secret, NOW)
      expect(['genuine', 'key-source', 'secret-unusable']).not.toContain(reason)
    },
  )
  await fc.assert(forgery, { numRuns: 2_000 })
})

describe('downgrades', () => {
  const github = vectorOf('github')
  const sha256 = github.headers['x-hub-signature-256'] ?? ''
  const sha1 = createHmac('sha1', github.secret).update(github.body).digest('hex')

  test.each([
    `sha1=${sha1}`,
    sha256.replace('sha256=', ''),
    sha256.replace('sha256=', 'SHA256='),
    sha256.replace('=', ''),
  ])('the value %s is refused under the name of the stronger header of GitHub', value => {
    expect(judged(github, { headers: { 'x-hub-signature-256': value } })).toBe('header-malformed')
  })

  test('a right legacy SHA-1 header of GitHub alone is refused', () => {
    expect(judged(github, { headers: { 'x-hub-signature': `sha1=${sha1}` } })).toBe('header-missing')
  })

  test('a v0 signature of Stripe is ignored, right or not', () => {
    const stripe = vectorOf('stripe')
    const header = (stripe.headers['stripe-signature'] ?? '').replace('v1=', 'v0=')
    expect(judged(stripe, { headers: { 'stripe-signature': header } })).toBe('header-malformed')
  })

  test.each(['v0,', 'v2,', 'V1,', 'v1a,', ','])('the right signature of Svix under version %j is refused', version => {
    const svix = vectorOf('svix')
    const header = (svix.headers['svix-signature'] ?? '').replace('v1,', version)
    expect(judged(svix, { headers: { ...svix.headers, 'svix-signature': header } })).not.toBe('genuine')
  })

  test('a signature of Shopify in base64url or unpadded base64 is refused', () => {
    const shopify = vectorOf('shopify')
    const right = shopify.headers['x-shopify-hmac-sha256'] ?? ''
    for (const value of [right.replaceAll('/', '_'), right.replace('=', ''), `${right.slice(0, -2)}R=`]) {
      expect(value).not.toBe(right)
      expect(judged(shopify, { headers: { 'x-shopify-hmac-sha256': value } })).toBe('header-malformed')
    }
  })
})

describe('raw bytes', () => {
  test('a body that is not UTF-8 verifies as the bytes it is, and its U+FFFD twin does not', () => {
    const body = Uint8Array.from([0x7b, 0xff, 0x7d])
    const twin = Uint8Array.from([0x7b, 0xef, 0xbf, 0xbd, 0x7d])
    const headers = { 'x-hub-signature-256': `sha256=${createHmac('sha256', 'test-key').update(body).digest('hex')}` }
    expect(judge(source({ provider: 'github' }), { headers, body }, 'test-key', 0)).toBe('genuine')
    expect(judge(source({ provider: 'github' }), { headers, body: twin }, 'test-key', 0)).toBe('signature-mismatch')
  })
})
