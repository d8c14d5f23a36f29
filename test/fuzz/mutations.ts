import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { NOON } from '../support/events.ts'
import { anyBody, edited } from './bodies.ts'
import type { Sdk, Shown } from './oracles.ts'

const NOW = NOON / 1000
const TEXT_SECRET = 'whsec_differential_0123456789abcdef'
const BASE64_SECRET = `whsec_${Buffer.from('differential-0123456789abcdef').toString('base64')}`

const REPLACEMENT = Buffer.from('\ufffd')
const BOM = Buffer.from('\ufeff')

const text = fc
  .array(fc.constantFrom('{"id":"evt_1"}', '\ufffd', '\ufeff', 'é', '😀', '\0', ' ', '"'), { maxLength: 6 })
  .map(parts => Buffer.from(parts.join('')))

const body: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 1, arbitrary: anyBody.filter(({ length }) => length < 10_000).map(bytes => Buffer.from(bytes)) },
)

/** What becomes of the body after it was signed. */
const tampered = (signed: Buffer): fc.Arbitrary<Buffer> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(signed) },
    {
      weight: 2,
      arbitrary: fc.constant(
        Buffer.from(signed.toString('latin1').replaceAll(REPLACEMENT.toString('latin1'), '\xff'), 'latin1'),
      ),
    },
    { weight: 1, arbitrary: fc.constant(Buffer.concat([BOM, signed])) },
    { weight: 1, arbitrary: edited(fc.constant(signed)).map(bytes => Buffer.from(bytes)) },
  )

const skew = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constantFrom(-299, -300, -301, 299, 300, 301, 315_360_000, -315_360_000) },
)

/** How the time is written: what is signed, and what is sent. */
const stamp = fc
  .tuple(
    skew,
    fc.constantFrom('', '', '', '', '', '', '', '', 'abc', '.5', ' ', 'e3'),
    fc.constantFrom('', '', '', '', '', '', '', '', '+', '0', ' '),
    fc.boolean(),
  )
  .map(([seconds, after, before, asSent]) => {
    const sent = `${before}${NOW + seconds}${after}`
    return { sent, signed: asSent ? sent : String(NOW + seconds) }
  })

const JUNK = ['', 'junk', 'v0=00', 'v1', '=', 'v1=', ' v1=aa', 'v2,AA==', 'v1a,AA==', ',', 'T=1', 't=1', 'v1=aa=bb']

const anyJunk = fc.oneof(
  { weight: 3, arbitrary: fc.constant<string[]>([]) },
  { weight: 1, arbitrary: fc.constantFrom(...JUNK).map(junk => [junk]) },
)

const shape = fc.record({
  before: anyJunk,
  after: anyJunk,
  guesses: fc.oneof(
    { weight: 8, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 40 }) },
  ),
  edit: fc.oneof(
    { weight: 6, arbitrary: fc.constant('none') },
    { weight: 1, arbitrary: fc.constantFrom('upper', 'space', 'suffix', 'cut', 'url') },
  ),
})

type Shape = typeof shape extends fc.Arbitrary<infer Value> ? Value : never

const EDITS: Readonly<Record<string, (signature: string) => string>> = {
  none: signature => signature,
  upper: signature => signature.toUpperCase(),
  space: signature => `${signature} `,
  suffix: signature => `${signature}=x`,
  cut: signature => signature.slice(0, -1),
  url: signature => signature.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
}

const list = ({ before, after, guesses, edit }: Shape, signature: string, guess: string, between: string): string =>
  [...before, ...Array<string>(guesses).fill(guess), EDITS[edit]?.(signature) ?? signature, ...after].join(between)

const hmac = (key: string | Buffer, ...parts: (string | Buffer)[]) => {
  const digest = createHmac('sha256', key)
  for (const part of parts) digest.update(part)
  return digest
}

const stripe = fc
  .tuple(
    body,
    stamp,
    shape,
    fc.constantFrom(TEXT_SECRET, TEXT_SECRET, TEXT_SECRET, 'whsec_'),
    fc.constantFrom('', '', 't=1,'),
  )
  .chain(([signed, { sent, signed: ts }, how, secret, first]) => {
    const v1 = `v1=${hmac(secret, `${ts}.`, signed).digest('hex')}`
    const header = `${first}t=${sent},${list(how, v1, `v1=${'0'.repeat(64)}`, ',')}`
    return tampered(signed).map((shown): Shown => ({ headers: { 'stripe-signature': header }, body: shown, secret }))
  })

const standard = (families: readonly string[]) =>
  fc
    .tuple(body, stamp, shape, fc.constantFrom('msg_1', 'msg.1', 'é'), fc.constantFrom(...families), fc.boolean())
    .chain(([signed, { sent, signed: ts }, how, id, family, stray]) => {
      const key = Buffer.from(BASE64_SECRET.slice('whsec_'.length), 'base64')
      const v1 = `v1,${hmac(key, `${id}.${ts}.`, signed).digest('base64')}`
      const headers = {
        [`${family}id`]: id,
        [`${family}timestamp`]: sent,
        [`${family}signature`]: list(how, v1, `v1,${'A'.repeat(43)}=`, ' '),
        ...(stray && families.length > 1 && { 'svix-id': id }),
      }
      return tampered(signed).map((shown): Shown => ({ headers, body: shown, secret: BASE64_SECRET }))
    })

const octokit = fc
  .tuple(
    body,
    fc.constantFrom('sha256=', 'sha256=', 'sha256=', 'SHA256=', 'sha1=', ''),
    fc.constantFrom('none', 'none', ...Object.keys(EDITS)),
  )
  .chain(([signed, prefix, edit]) => {
    const signature = hmac(TEXT_SECRET, signed).digest('hex')
    const headers = { 'x-hub-signature-256': prefix + (EDITS[edit]?.(signature) ?? '') }
    return tampered(signed).map((shown): Shown => ({ headers, body: shown, secret: TEXT_SECRET }))
  })

/** Deliveries that are genuine but for what was done to them; some of it does no harm. */
export const MUTATED: Readonly<Record<Sdk, fc.Arbitrary<Shown>>> = {
  stripe,
  svix: standard(['svix-', 'webhook-']),
  standardwebhooks: standard(['webhook-']),
  octokit,
}
