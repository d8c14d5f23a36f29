import { verify as octokitVerify } from '@octokit/webhooks-methods'
import { Webhook as StandardWebhook, WebhookVerificationError } from 'standardwebhooks'
import Stripe from 'stripe'
import { Webhook as SvixWebhook } from 'svix'
import { NOON } from '../support/events.ts'
import { receiveRig } from '../support/receive-rig.ts'

/** A delivery as two verifiers are to judge it, at NOON. */
export interface Shown {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly secret: string
}

interface Oracle {
  readonly provider: string
  /** Whether the vendor's own library believes it. The clock of the process has to stand at NOON. */
  readonly believes: (shown: Shown) => boolean | Promise<boolean>
}

const doesNotThrow = (act: () => unknown): boolean => {
  try {
    act()
    return true
  } catch {
    return false
  }
}

/** After it has verified, standardwebhooks parses the body; that it is no JSON is no verdict on the signature. */
const isVerified = (verify: () => unknown): boolean => {
  try {
    verify()
    return true
  } catch (error) {
    return error instanceof SyntaxError && !(error instanceof WebhookVerificationError)
  }
}

const { webhooks } = new Stripe('sk_test_unused')

export const ORACLES = {
  stripe: {
    provider: 'stripe',
    believes: ({ headers, body, secret }) =>
      doesNotThrow(() =>
        webhooks.signature?.verifyHeader(body, headers['stripe-signature'] ?? '', secret, 300, undefined, NOON),
      ),
  },
  svix: {
    provider: 'svix',
    believes: ({ headers, body, secret }) => isVerified(() => new SvixWebhook(secret).verify(body, { ...headers })),
  },
  standardwebhooks: {
    provider: 'standard-webhooks',
    believes: ({ headers, body, secret }) => isVerified(() => new StandardWebhook(secret).verify(body, { ...headers })),
  },
  octokit: {
    provider: 'github',
    believes: ({ headers, body, secret }) =>
      octokitVerify(secret, body.toString('utf8'), headers['x-hub-signature-256'] ?? '').catch(() => false),
  },
} as const satisfies Record<string, Oracle>

export type Sdk = keyof typeof ORACLES

/** Through the whole HTTP path: believed is what is refused neither for its signature nor for want of a usable secret. */
export const weBelieve = async (sdk: Sdk, { headers, body, secret }: Shown): Promise<boolean> => {
  const sources = { acme: { provider: ORACLES[sdk].provider } }
  const at = receiveRig({ sources, secrets: { acme: secret === '' ? [] : [secret] } })
  const { status } = await at.post({ source: 'acme', body, headers: { 'x-github-delivery': 'd-1', ...headers } })
  return status !== 401 && status !== 503
}
