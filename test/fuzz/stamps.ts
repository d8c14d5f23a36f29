import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { type Attempt, plain } from './attempt.ts'
import { anyText } from './bodies.ts'
import { secretOf, type TargetName } from './targets.ts'

/** Schemes with a signed time, written out here by hand: a time that no clock shows, under a signature that is right. */
const SIGNERS: Readonly<Partial<Record<TargetName, (ts: string, body: string) => Readonly<Record<string, string>>>>> = {
  stripe: (ts, body) => ({ 'stripe-signature': `t=${ts},v1=${hex('stripe', `${ts}.${body}`)}` }),
  slack: (ts, body) => ({
    'x-slack-request-timestamp': ts,
    'x-slack-signature': `v0=${hex('slack', `v0:${ts}:${body}`)}`,
  }),
  paddle: (ts, body) => ({ 'paddle-signature': `ts=${ts};h1=${hex('paddle', `${ts}:${body}`)}` }),
  'standard-webhooks': (ts, body) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': ts,
    'webhook-signature': `v1,${base64('standard-webhooks', `msg_1.${ts}.${body}`)}`,
  }),
  svix: (ts, body) => ({
    'svix-id': 'msg_1',
    'svix-timestamp': ts,
    'svix-signature': `v1,${base64('svix', `msg_1.${ts}.${body}`)}`,
  }),
  'custom-hmac': (ts, body) => ({
    'acme-event-id': 'evt_1',
    'acme-signature': `t=${ts},v1=${hex('custom-hmac', `${ts}.${body}`)}`,
  }),
}

const hex = (name: TargetName, text: string): string =>
  createHmac('sha256', secretOf(name)).update(text, 'utf8').digest('hex')

const base64 = (name: TargetName, text: string): string =>
  createHmac('sha256', Buffer.from(secretOf(name).slice('whsec_'.length), 'base64'))
    .update(text, 'utf8')
    .digest('base64')

const BODY = '{"id":"evt_1","event_id":"evt_1","type":"stamped"}'

export const stampedAttempt = (name: TargetName, ts: string): Attempt =>
  plain(name, Buffer.from(BODY), Object.entries(SIGNERS[name]?.(ts, BODY) ?? {}))

export const STAMPED = Object.keys(SIGNERS) as TargetName[]

const PRESENT = /^(?:0|[1-9]\d{0,14})$/

/** Texts that are no number of seconds, however a lenient parser may read them. */
export const noTime = (now: number): fc.Arbitrary<string> =>
  fc
    .oneof(
      fc.constantFrom(...['abc', ' ', '.0', 'e0', '\u0000', '\n', '+'].map(more => `${now}${more}`)),
      fc.constantFrom(
        `+${now}`,
        `0${now}`,
        ` ${now}`,
        `-${now}`,
        `0x${now.toString(16)}`,
        `${now / 10}e1`,
        `${now}000`,
      ),
      fc.constantFrom('NaN', 'Infinity', 'null', '', '１７９４', new Date(now * 1000).toISOString(), '9'.repeat(400)),
      anyText,
    )
    .filter(text => !PRESENT.test(text) || Math.abs(Number(text) - now) > 1_000_000)
