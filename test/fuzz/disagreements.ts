import { isUtf8 } from 'node:buffer'
import { NOON } from '../support/events.ts'
import type { Sdk, Shown } from './oracles.ts'

/** Why a vendor's library and Hooklatch may judge a delivery differently, and which of them then believes it. */
export interface Disagreement {
  readonly why: string
  readonly sdks: readonly Sdk[]
  readonly believer: 'the SDK' | 'Hooklatch' | 'either'
  readonly holds: (shown: Shown) => boolean
}

const NOW = NOON / 1000
const LISTS: readonly Sdk[] = ['stripe', 'svix', 'standardwebhooks']

const signatureOf = ({ headers }: Shown): string =>
  headers['stripe-signature'] ?? headers['svix-signature'] ?? headers['webhook-signature'] ?? ''

const stamps = (shown: Shown): readonly string[] => {
  const { headers } = shown
  const header = headers['svix-timestamp'] ?? headers['webhook-timestamp']
  return header === undefined ? stripeItems(shown, 't') : [header]
}

const stripeItems = (shown: Shown, label: string): readonly string[] =>
  signatureOf(shown)
    .split(',')
    .filter(item => item.startsWith(`${label}=`))
    .map(item => item.slice(label.length + 1))

const isList = (shown: Shown): boolean => shown.headers['stripe-signature'] === undefined

/** `label=value` or `label,value`, and nothing besides. */
const hasOddItem = (shown: Shown): boolean =>
  isList(shown)
    ? signatureOf(shown)
        .split(' ')
        .some(item => !/^[^\s,;]+,[^\s,;]*$/.test(item))
    : signatureOf(shown)
        .split(',')
        .some(item => !/^[^\s=;]+=[^\s=;]*$/.test(item))

const signatures = (shown: Shown): number => signatureOf(shown).split(isList(shown) ? ' ' : /,(?=v1=)/).length

export const DISAGREEMENTS = {
  'bytes read as text': {
    why: 'The SDK decodes the body before the HMAC, so that U+FFFD and any byte that is no UTF-8 are the same to it; Stripe also drops a byte order mark.',
    sdks: ['stripe', 'svix', 'standardwebhooks', 'octokit'],
    believer: 'either',
    holds: ({ body }) => !isUtf8(body) || body.subarray(0, 3).toString('hex') === 'efbbbf',
  },
  'a time to come': {
    why: 'stripe looks only at how old a signature is: one of ten years from now is fresh for ten years.',
    sdks: ['stripe'],
    believer: 'the SDK',
    holds: shown => stamps(shown).some(text => Number.parseInt(text, 10) > NOW + 300),
  },
  'a time that is more than digits': {
    why: 'parseInt takes the digits it finds and signs those; we sign and read the text that was sent.',
    sdks: LISTS,
    believer: 'the SDK',
    holds: shown => stamps(shown).some(text => !/^(?:0|[1-9]\d*)$/.test(text)),
  },
  'two times': {
    why: 'Of t=1,t=2 stripe takes the last one. We take neither.',
    sdks: ['stripe'],
    believer: 'the SDK',
    holds: shown => stripeItems(shown, 't').length > 1,
  },
  'something else in the list': {
    why: 'The SDK skips items it does not know or cuts them at the second separator; one odd item, such as the seam of two joined headers, makes us refuse all of them.',
    sdks: LISTS,
    believer: 'the SDK',
    holds: hasOddItem,
  },
  'more than 16 signatures': {
    why: 'The SDK tries as many as are sent; we stop at 16, more than any rotation needs.',
    sdks: LISTS,
    believer: 'the SDK',
    holds: shown => signatures(shown) > 16,
  },
  'an empty signature beside a good one': {
    why: 'stripe compares nothing with an empty text and throws; we go on to the next, as for any other wrong one.',
    sdks: ['stripe'],
    believer: 'Hooklatch',
    holds: shown => stripeItems(shown, 'v1').includes(''),
  },
  'only the prefix as a secret': {
    why: 'A secret whose public prefix is all of it protects nothing: we answer 503 and say so; stripe uses it as a key.',
    sdks: ['stripe'],
    believer: 'the SDK',
    holds: ({ secret }) => secret === 'whsec_',
  },
  'two families of headers': {
    why: 'svix-id beside a good webhook-signature is an unsigned id to us; the SDK picks each header from where it finds it.',
    sdks: ['svix'],
    believer: 'the SDK',
    holds: ({ headers }) =>
      headers['webhook-signature'] !== undefined && Object.keys(headers).some(name => name.startsWith('svix-')),
  },
  'nothing signed': {
    why: 'octokit refuses an empty body unseen. We find its signature genuine, and then refuse it with 400: nothing is stored.',
    sdks: ['octokit'],
    believer: 'Hooklatch',
    holds: ({ body }) => body.length === 0,
  },
} as const satisfies Record<string, Disagreement>

/** The rule that explains who believed, if any does. */
export const explanation = (sdk: Sdk, shown: Shown, believer: 'the SDK' | 'Hooklatch'): string | undefined =>
  Object.entries<Disagreement>(DISAGREEMENTS).find(
    ([, rule]) =>
      rule.sdks.includes(sdk) && (rule.believer === 'either' || rule.believer === believer) && rule.holds(shown),
  )?.[0]
