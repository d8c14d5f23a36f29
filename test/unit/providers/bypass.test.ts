import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { providers } from '../../../functions/providers/catalogue.ts'
import firstSet from '../../vectors/first-set.json' with { type: 'json' }
import { judge, type Request, source } from './given.ts'

interface Genuine extends Request {
  readonly provider: string
  readonly headers: Record<string, string>
  readonly body: string
  readonly secret: string
  readonly now: number
}

const genuine = firstSet.vectors.filter(vector => vector.expect === 'valid') as unknown as readonly Genuine[]

const SIGNATURE_HEADERS: Readonly<Record<string, string>> = {
  stripe: 'stripe-signature',
  github: 'x-hub-signature-256',
  shopify: 'x-shopify-hmac-sha256',
  slack: 'x-slack-signature',
  twilio: 'x-twilio-signature',
  square: 'x-square-hmacsha256-signature',
  'standard-webhooks': 'webhook-signature',
  svix: 'svix-signature',
  paddle: 'paddle-signature',
  gitlab: 'x-gitlab-token',
  discord: 'x-signature-ed25519',
}

const perProvider = Object.entries(SIGNATURE_HEADERS).map(([provider, header]) => {
  const vector = genuine.find(each => each.provider === provider)
  if (vector === undefined) throw new Error(`no vector for ${provider}`)
  return { provider, header, vector, signature: vector.headers[header] ?? '' }
})

const judged = ({ provider, secret, now, ...request }: Genuine, change: Request = {}): string =>
  judge(source({ provider }), { ...request, ...change }, secret, now)

test('every provider of the catalogue is attacked here', () => {
  expect(Object.keys(SIGNATURE_HEADERS).sort()).toEqual(Object.keys(providers).sort())
})

describe.each(perProvider)('$provider', ({ header, vector, signature }) => {
  const withSignature = (value: string | readonly string[]) =>
    judged(vector, { headers: { ...vector.headers, [header]: value } })

  test('the untouched delivery is genuine', () => {
    expect(judged(vector)).toBe('genuine')
  })

  test('a missing signature is refused', () => {
    const { [header]: _, ...others } = vector.headers
    expect(judged(vector, { headers: others })).toBe('header-missing')
  })

  test('an empty signature is refused', () => {
    expect(withSignature('')).toBe('header-missing')
  })

  test('a repeated header is refused even if both are right', () => {
    expect(withSignature([signature, signature])).toBe('header-repeated')
  })

  test.each([',', ', '])('two right signatures joined by %j, as an HTTP API does, are refused', seam => {
    expect(withSignature(signature + seam + signature)).not.toBe('genuine')
  })

  test.each(['garbage', '=', ',', ' ', '\u0000', 'é'.repeat(64), '{}', 'undefined', 'null', 'a'.repeat(8192)])(
    'a garbled signature (%j) is refused, not thrown over',
    garbled => {
      expect(withSignature(garbled)).not.toBe('genuine')
    },
  )

  test('a truncated, padded or spaced signature is refused', () => {
    for (const value of [signature.slice(0, -2), `${signature}0`, `${signature}=`, `${signature} `, ` ${signature}`]) {
      if (value !== signature) expect(withSignature(value), value).not.toBe('genuine')
    }
  })

  test('a signature in the other case is refused', () => {
    expect(withSignature(signature.toUpperCase())).not.toBe('genuine')
  })

  test('no single changed character of the signature is accepted', () => {
    for (let at = 0; at < signature.length; at++) {
      const other = signature[at] === '0' ? '1' : '0'
      const changed = signature.slice(0, at) + other + signature.slice(at + 1)
      expect(withSignature(changed), `character ${at}`).not.toBe('genuine')
    }
  })

  test('no key at all trusts nothing', () => {
    expect(judge(source({ provider: vector.provider }), vector, [], vector.now)).toBe('signature-mismatch')
  })
})

describe.each(perProvider.filter(({ provider }) => provider !== 'gitlab'))(
  '$provider covers its body',
  ({ vector }) => {
    test('one flipped bit anywhere in the body is refused', () => {
      const bytes = new TextEncoder().encode(vector.body)
      for (const at of bytes.keys()) {
        const body = Uint8Array.from(bytes, (byte, index) => (index === at ? byte ^ 1 : byte))
        expect(judged(vector, { body }), `byte ${at}`).not.toBe('genuine')
      }
    })

    test('an emptied or extended body is refused', () => {
      for (const body of ['', `${vector.body}\n`, `\ufeff${vector.body}`])
        expect(judged(vector, { body })).not.toBe('genuine')
    })

    test('the same JSON written differently is refused', () => {
      if (!vector.body.startsWith('{')) return
      const body = JSON.stringify(JSON.parse(vector.body), null, 2)
      expect(judged(vector, { body })).toBe('signature-mismatch')
    })
  },
)

test('whatever the headers say, a forger without the secret gets nothing and nothing throws', () => {
  const names = [...Object.values(SIGNATURE_HEADERS), 'webhook-id', 'webhook-timestamp', 'x-signature-timestamp']
  const headers = fc.dictionary(
    fc.constantFrom(...names),
    fc.oneof(fc.string({ unit: 'binary' }), fc.array(fc.string())),
  )
  fc.assert(
    fc.property(
      fc.constantFrom(...perProvider),
      headers,
      fc.uint8Array(),
      fc.webUrl(),
      ({ vector }, forged, body, url) => {
        expect(judged(vector, { headers: forged, body, url })).not.toBe('genuine')
      },
    ),
    { numRuns: 500 },
  )
})

describe('downgrades', () => {
  const github = perProvider[1]?.vector as Genuine
  const sha256 = github.headers['x-hub-signature-256'] ?? ''
  const sha1 = createHmac('sha1', github.secret).update(github.body).digest('hex')

  test.each([
    `sha1=${sha1}`,
    sha256.replace('sha256=', ''),
    sha256.replace('sha256=', 'SHA256='),
    sha256.replace('=', ''),
  ])('GitHub: %s is refused under the name of the stronger header', value => {
    expect(judged(github, { headers: { 'x-hub-signature-256': value } })).toBe('header-malformed')
  })

  test('GitHub: a right legacy SHA-1 header alone is refused', () => {
    expect(judged(github, { headers: { 'x-hub-signature': `sha1=${sha1}` } })).toBe('header-missing')
  })

  test('Stripe: v0 is ignored, right or not', () => {
    const stripe = perProvider[0]?.vector as Genuine
    const header = (stripe.headers['stripe-signature'] ?? '').replace('v1=', 'v0=')
    expect(judged(stripe, { headers: { 'stripe-signature': header } })).toBe('header-malformed')
  })

  test.each(['v0,', 'v2,', 'V1,', 'v1a,', ','])('Svix: the right signature under version %j is refused', version => {
    const svix = genuine.find(each => each.provider === 'svix') as Genuine
    const header = (svix.headers['svix-signature'] ?? '').replace('v1,', version)
    expect(judged(svix, { headers: { ...svix.headers, 'svix-signature': header } })).not.toBe('genuine')
  })

  test('Shopify: base64url and unpadded base64 are refused', () => {
    const shopify = perProvider[2]?.vector as Genuine
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
    const headers = { 'x-hub-signature-256': `sha256=${createHmac('sha256', 'k').update(body).digest('hex')}` }
    expect(judge(source({ provider: 'github' }), { headers, body }, 'k', 0)).toBe('genuine')
    expect(judge(source({ provider: 'github' }), { headers, body: twin }, 'k', 0)).toBe('signature-mismatch')
  })
})
