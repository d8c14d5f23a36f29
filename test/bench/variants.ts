import { everyCall } from '../../lib/constructs/bundle-settings.ts'
import { type Bundle, bundle } from './bundle.ts'
import { SOURCE } from './deliveries.ts'

/** What is compared, in one run: the least, what a user would write or pick instead, and ours. */
export const VARIANTS = {
  verify: 'verify only',
  floor: 'the same calls by hand, and nothing else (the floor)',
  sdk: 'AWS SDK by hand',
  powertools: 'AWS SDK + Powertools idempotency',
  oursSdk: 'Hooklatch, AWS SDK',
  lean: 'Hooklatch',
} as const

/** The same behind the queue. */
export const WORKERS = {
  workerPowertools: 'Powertools batch + idempotency',
  workerSdk: 'Hooklatch, AWS SDK',
  worker: 'Hooklatch',
} as const

export type Variant = keyof typeof VARIANTS
export type Worker = keyof typeof WORKERS
export type Bundles = Readonly<Record<Variant | Worker, Bundle>>

const SOURCES = { [SOURCE]: { provider: 'shopify', retain: 'none' } } as const

/** All of them as Lambda would get them. */
export const bundleVariants = async (directory: string): Promise<Bundles> => {
  const byHand = (name: string, file = name, aliases = {}) =>
    bundle({ name, directory, entry: `test/bench/variants/${file}.ts`, aliases })
  const ours = (name: Variant, client: 'lean' | 'sdk') =>
    bundle({ name, directory, client, entry: 'functions/receive/handler.ts', awaitsAtStart: true, sources: SOURCES })
  const made = {
    verify: byHand('verify', 'only-verify'),
    floor: byHand('floor'),
    sdk: byHand('sdk'),
    powertools: byHand('powertools'),
    oursSdk: ours('oursSdk', 'sdk'),
    lean: ours('lean', 'lean'),
    workerPowertools: byHand('workerPowertools', 'worker-powertools'),
    workerSdk: byHand('workerSdk', 'worker', everyCall('sdk')),
    worker: byHand('worker', 'worker', everyCall()),
  } as const satisfies Record<Variant | Worker, Promise<Bundle>>
  const bundles = await Promise.all(Object.entries(made).map(async ([name, each]) => [name, await each] as const))
  return Object.fromEntries(bundles) as Bundles
}
