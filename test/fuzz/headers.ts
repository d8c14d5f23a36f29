import fc from 'fast-check'
import type { Attempt, Headers } from './attempt.ts'
import { anyText } from './bodies.ts'
import { STRUCTURED_FIELDS } from './corpora.ts'
import { CANARY, PROOF_HEADERS, TARGET_NAMES } from './targets.ts'

const READ = [
  ...PROOF_HEADERS,
  'content-type',
  'content-encoding',
  'content-length',
  'x-github-delivery',
  'x-github-event',
  'x-shopify-topic',
  'x-slack-request-timestamp',
  'x-signature-timestamp',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'svix-id',
  'svix-timestamp',
  'i-twilio-idempotency-token',
  'idempotency-key',
  'acme-event-id',
  'traceparent',
  'tracestate',
  'x-amzn-trace-id',
  'x-forwarded-proto',
  'x-forwarded-for',
  'host',
  'cookie',
]

const anyCase = fc
  .tuple(fc.constantFrom(...READ), fc.nat())
  .map(([name, bits]) =>
    [...name].map((letter, at) => ((bits >> (at % 30)) & 1 ? letter.toUpperCase() : letter)).join(''),
  )

const headerName = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...READ) },
  { weight: 3, arbitrary: anyCase },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString', '') },
  { weight: 1, arbitrary: anyText },
)

const HEX = '0123456789abcdef'.repeat(4)
const BASE64 = Buffer.from(HEX, 'hex').toString('base64')

const SIGNATURES = [
  `t=1,v1=${HEX}`,
  `t=1,t=2,v1=${HEX}`,
  `ts=1;h1=${HEX}`,
  `sha256=${HEX}`,
  `sha1=${HEX.slice(0, 40)}`,
  `SHA256=${HEX.toUpperCase()}`,
  `v0=${HEX}`,
  `v1,${BASE64}`,
  `v1,${BASE64} v1a,${BASE64}`,
  `v1,${BASE64} `.repeat(40),
  `v1=${HEX},`.repeat(100),
  HEX,
  HEX + HEX,
  BASE64,
  `Bearer ${CANARY}guess`,
  `Basic ${Buffer.from(`user:${CANARY}guess`).toString('base64')}`,
  'Basic Og==',
  'none',
  'null',
  'undefined',
  '[object Object]',
]

const TIMES = [
  '0',
  '-1',
  '1e9',
  '1794744000',
  '1794744000abc',
  '0x6af9',
  ' 1794744000',
  '９',
  '1794744000.5',
  '2026-11-15T12:00:00Z',
  '9'.repeat(30),
]

const headerValue = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(...SIGNATURES) },
  { weight: 20, arbitrary: fc.constantFrom(...TIMES) },
  { weight: 20, arbitrary: fc.constantFrom(...STRUCTURED_FIELDS) },
  { weight: 40, arbitrary: anyText },
  {
    weight: 10,
    arbitrary: fc.constantFrom('gzip', 'identity', 'GZIP, identity', 'br', 'http', 'application/json; charset=utf-16'),
  },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 10_000 }).map(length => 'a,'.repeat(length / 2)) },
)

/** Repeated by chance, and often on purpose. */
export const anyHeaders: fc.Arbitrary<Headers> = fc
  .tuple(fc.array(fc.tuple(headerName, headerValue), { maxLength: 8 }), fc.boolean())
  .map(([headers, twice]) => (twice ? [...headers, ...headers.slice(0, 2)] : headers))

const METHODS = [
  'GET',
  'HEAD',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'post',
  'POST ',
  '',
  'PROPFIND',
  '__proto__',
]

export const anyMethod: fc.Arbitrary<string> = fc.oneof(
  { weight: 9, arbitrary: fc.constant('POST') },
  { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
)

export const anySourceName: fc.Arbitrary<string> = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom<string>(...TARGET_NAMES) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('__proto__', 'constructor', 'Stripe', 'stripe ', 'stripe/../github', '%2e%2e', ''),
  },
  { weight: 1, arbitrary: anyText },
)

export const anyQuery: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constant('') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'a=b',
      'bodySHA256=00',
      'a=%ff&b=%zz',
      '__proto__=1',
      'a&a=&=a&&',
      'hub.challenge=x',
      '%',
    ),
  },
  { weight: 1, arbitrary: anyText.map(text => encodeURI(text.toWellFormed())) },
)

export const anyFormat = fc.constantFrom<Attempt['format']>('v1', 'v2', 'url')
export const anyWrapping = fc.constantFrom<Attempt['wrapping']>('gateway', 'base64', 'text')
