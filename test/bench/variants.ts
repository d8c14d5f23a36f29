import { type Bundle, bundle } from './bundle.ts'
import { SOURCE } from './deliveries.ts'

/** What is compared, in one run: the floor, what a user would write or pick instead, and ours. */
export const VARIANTS = {
  floor: 'verify only',
  sdk: 'AWS SDK by hand',
  powertools: 'AWS SDK + Powertools idempotency',
  oursSdk: 'Hooklatch, AWS SDK',
  lean: 'Hooklatch',
} as const

export type Variant = keyof typeof VARIANTS

const SOURCES = { [SOURCE]: { provider: 'shopify', retain: 'none' } } as const

/** All of them as Lambda would get them. */
export const bundleVariants = async (directory: string): Promise<Readonly<Record<Variant, Bundle>>> => {
  const byHand = (name: Variant) => bundle({ name, directory, entry: `test/bench/variants/${name}.ts` })
  const ours = (name: Variant, client: 'lean' | 'sdk') =>
    bundle({ name, directory, client, entry: 'functions/receive/handler.ts', awaitsAtStart: true, sources: SOURCES })
  const [floor, sdk, powertools, oursSdk, lean] = await Promise.all([
    byHand('floor'),
    byHand('sdk'),
    byHand('powertools'),
    ours('oursSdk', 'sdk'),
    ours('lean', 'lean'),
  ])
  return { floor, sdk, powertools, oursSdk, lean }
}
