import type { Source, Sources } from '../../functions/domain/source.ts'
import { resolveSources } from '../../functions/providers/sources.ts'
import { readSecrets } from '../../lib/connect/file-secrets.ts'
import userSources from '../../sources.ts'

/** Planted in every secret and in most bodies; neither it nor its base64 may ever be said aloud. */
export const CANARY = 'canary-'
export const CANARY_IN_BASE64 = 'Y2FuYXJ5L'

/** How each target proves itself: `covers` when its signature is over the body, `stamp` seconds when it signs a time. */
interface Target {
  readonly proof: readonly string[]
  readonly covers: boolean
  readonly stamp?: number
  readonly config?: Sources[string]
}

/** The first set of sources.ts, and a few that take the other ways through identity, guard, order and retention. */
export const TARGETS = {
  stripe: { proof: ['stripe-signature'], covers: true, stamp: 300 },
  github: { proof: ['x-hub-signature-256'], covers: true },
  shopify: { proof: ['x-shopify-hmac-sha256'], covers: true },
  slack: { proof: ['x-slack-signature'], covers: true, stamp: 300 },
  twilio: { proof: ['x-twilio-signature'], covers: false },
  square: { proof: ['x-square-hmacsha256-signature'], covers: true },
  'standard-webhooks': { proof: ['webhook-signature'], covers: true, stamp: 300 },
  svix: { proof: ['svix-signature'], covers: true, stamp: 300 },
  paddle: { proof: ['paddle-signature'], covers: true, stamp: 30 },
  gitlab: { proof: ['x-gitlab-token'], covers: false },
  discord: { proof: ['x-signature-ed25519'], covers: true, stamp: 300 },
  'custom-hmac': { proof: ['acme-signature'], covers: true, stamp: 300 },
  'custom-token': { proof: ['authorization'], covers: false },
  'custom-basic': { proof: ['authorization'], covers: false },
  'stripe-eu': { proof: ['stripe-signature'], covers: true, stamp: 300, config: { provider: 'stripe' } },
  'stripe-ordered': {
    proof: ['stripe-signature'],
    covers: true,
    stamp: 300,
    config: { provider: 'stripe', ordering: { key: 'json:data.object.id', version: 'json:created' } },
  },
  'github-guarded': {
    proof: ['x-hub-signature-256'],
    covers: true,
    config: { provider: 'github', guard: 'body', retain: 'none' },
  },
  'shopify-content': {
    proof: ['x-shopify-hmac-sha256'],
    covers: true,
    config: { provider: 'shopify', identity: { body: { exclude: ['updated_at'] } } },
  },
} as const satisfies Record<string, Target>

export type TargetName = keyof typeof TARGETS

export const TARGET_NAMES = Object.keys(TARGETS) as TargetName[]
export const target = (name: TargetName): Target => TARGETS[name]

const configs: Readonly<Record<string, Sources[string]>> = userSources

export const SOURCES: ReadonlyMap<string, Source> = resolveSources(
  Object.fromEntries(TARGET_NAMES.map(name => [name, target(name).config ?? configs[name]])) as Sources,
)

export const sourceNamed = (name: TargetName): Source => {
  const source = SOURCES.get(name)
  if (source === undefined) throw new Error(`sources.ts has no ${name}`)
  return source
}

/** Discord's is a public key, whose private half lib/sender has. */
const DISCORD_KEY = readSecrets(new URL('../../lib/local/secrets.json', import.meta.url).pathname).discord?.[0] ?? ''

const inBase64 = (text: string): string => `whsec_${Buffer.from(text).toString('base64')}`

/** `other` makes a second one of the same kind, for forgers. */
export const secretOf = (name: TargetName, other = ''): string => {
  const { provider } = sourceNamed(name)
  const text = `${CANARY}secret-${name}-0123456789abcdef${other}`
  if (name === 'custom-basic') return `user:${text}`
  if (provider.id === 'discord') return DISCORD_KEY
  if (provider.id === 'svix' || provider.id === 'standard-webhooks') return inBase64(text)
  return provider.id === 'stripe' ? `whsec_${text}` : text
}

export const SECRETS: Record<string, string[]> = Object.fromEntries(TARGET_NAMES.map(name => [name, [secretOf(name)]]))

export const PROOF_HEADERS: ReadonlySet<string> = new Set(TARGET_NAMES.flatMap(name => target(name).proof))
