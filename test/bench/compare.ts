import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle } from './bundle.ts'
import { certificate } from './certificate.ts'
import type { Errand, Measured } from './child.ts'
import { SIZES, type Size } from './deliveries.ts'
import { measure, type Setting } from './measure.ts'
import { type Interval, intervalOf, median, shuffled } from './statistics.ts'
import { startStub } from './stub.ts'
import { bundleVariants, VARIANTS, type Variant } from './variants.ts'

export interface Rounds {
  readonly cold: number
  readonly warm: number
  readonly pinned: boolean
  /** Only what the ratios need, with fewer events. */
  readonly quick: boolean
  readonly tell: (progress: string) => void
}

export interface Comparison {
  readonly coldCpuVsPowertools: Interval
  readonly firstInvokeTlsVsSdk: Interval
  readonly warmNewVsPowertools: Interval
  readonly warmDuplicateVsPowertools: Interval
  readonly slopeVsPowertools: Interval
  readonly control: Interval
  /** Medians, for the tables: absolute figures say something about one machine only. */
  readonly figures: Readonly<Record<Variant, Figures>>
  readonly bySize: Readonly<Record<'lean' | 'powertools', Readonly<Record<Size, number>>>>
}

export interface Figures {
  readonly bundleBytes: number
  readonly initCpu: number
  readonly firstCpu: number
  readonly initTlsCpu: number
  readonly firstTlsCpu: number
  readonly newCpu: number
  readonly duplicateCpu: number
  readonly forgedCpu: number
  readonly rss: number
}

type Samples = Readonly<Record<string, readonly Measured[]>>

/** Events measured in a warm process, and as many before them that warm it up. Fewer of the large ones, more of the quick ones. */
const EVENTS: Readonly<Record<Size | 'nothing new', number>> = {
  '1KB': 60,
  '8KB': 100,
  '100KB': 30,
  '1MB': 8,
  'nothing new': 100,
}
/** Where there is time. */
const TIMES_AS_MANY = 2.5

/** Every variant in every round, in another order each time; ratios are taken inside a round. */
export const compare = async (rounds: Rounds): Promise<Comparison> => {
  const directory = mkdtempSync(join(tmpdir(), 'hooklatch-bench-'))
  const tls = certificate()
  const authority = join(directory, 'authority.pem')
  writeFileSync(authority, tls.cert)
  const [stub, secureStub] = await Promise.all([startStub(), startStub(tls)])
  try {
    const bundles = await bundleVariants(directory)
    const { file: child } = await bundle({
      name: 'child',
      directory,
      entry: 'test/bench/child.ts',
      awaitsAtStart: true,
    })
    const plain: Setting = { child, endpoint: stub.endpoint, pinned: rounds.pinned }
    const secure: Setting = { ...plain, endpoint: secureStub.endpoint, authority }
    const fileOf = (variant: Variant): string => bundles[variant].file
    const forget = () => [stub, secureStub].map(each => each.forget())

    const needed = ([name]: [string, unknown]): boolean => !rounds.quick || QUICKLY.has(name)
    const some = (errands: Errands): Errands => Object.fromEntries(Object.entries(errands).filter(needed))
    const times = rounds.quick ? 1 : TIMES_AS_MANY
    const cold = await sample('cold start', rounds.cold, some(coldErrands(plain, secure, fileOf)), rounds, forget)
    const warm = await sample('warm', rounds.warm, some(warmErrands(plain, fileOf, times)), rounds, forget)
    return conclude(cold, warm, variant => bundles[variant].bytes)
  } finally {
    await Promise.all([stub.stop(), secureStub.stop()])
    rmSync(directory, { recursive: true })
  }
}

type Errands = Readonly<
  Record<string, { readonly setting: Setting; readonly errand: Omit<Errand, 'secret' | 'prefix'> }>
>

const all = Object.keys(VARIANTS) as Variant[]

/** What the ratios and their control are taken from. */
const QUICKLY: ReadonlySet<string> = new Set([
  ...['cold lean', 'cold powertools', 'tls lean', 'tls sdk'],
  ...['new lean', 'new powertools', 'control', 'duplicate lean', 'duplicate powertools'],
  ...['1KB lean', '1KB powertools', '1MB lean', '1MB powertools'],
])

const coldErrands = (plain: Setting, secure: Setting, fileOf: (variant: Variant) => string): Errands =>
  Object.fromEntries(
    all.flatMap(variant => {
      const errand = { bundle: fileOf(variant), bytes: SIZES['8KB'] }
      return [
        [`cold ${variant}`, { setting: plain, errand }],
        [`tls ${variant}`, { setting: secure, errand }],
      ]
    }),
  )

const warmErrands = (setting: Setting, fileOf: (variant: Variant) => string, times: number): Errands => {
  const eventsOf = (which: keyof typeof EVENTS) => ({
    before: times * EVENTS[which],
    measured: times * EVENTS[which],
  })
  const errand = (variant: Variant, size: Size, kind: NonNullable<Errand['warm']>['kind']) => ({
    setting,
    errand: {
      bundle: fileOf(variant),
      bytes: SIZES[size],
      warm: { kind, ...eventsOf(kind === 'new' ? size : 'nothing new') },
    },
  })
  const sizes = (['1KB', '100KB', '1MB'] as const).flatMap(size =>
    (['lean', 'powertools'] as const).map(variant => [`${size} ${variant}`, errand(variant, size, 'new')] as const),
  )
  const kinds = (['new', 'duplicate', 'forged'] as const).flatMap(kind =>
    all.map(variant => [`${kind} ${variant}`, errand(variant, '8KB', kind)] as const),
  )
  return Object.fromEntries([...sizes, ...kinds, ['control', errand('powertools', '8KB', 'new')]])
}

const sample = async (
  what: string,
  count: number,
  errands: Errands,
  { tell }: Rounds,
  forget: () => unknown,
): Promise<Samples> => {
  const samples: Record<string, Measured[]> = {}
  for (let round = 1; round <= count; round++) {
    tell(`${what}: round ${round} of ${count}`)
    for (const [name, { setting, errand }] of inSomeOrder(errands)) {
      samples[name] = [...(samples[name] ?? []), await measure(setting, errand)]
      forget()
    }
  }
  return samples
}

/** What is compared follows each other, since a shared machine is faster in one minute than in the next. */
const inSomeOrder = (errands: Errands) => {
  const together = ([name]: [string, unknown]): string => (name === 'control' ? 'new' : (name.split(' ')[0] ?? ''))
  const groups = Object.values(Object.groupBy(Object.entries(errands), together))
  return shuffled(groups, Math.random).flatMap(group => shuffled(group ?? [], Math.random))
}

const conclude = (cold: Samples, warm: Samples, bytesOf: (variant: Variant) => number): Comparison => {
  const ratio = (samples: Samples, of: string, to: string, read: (measured: Measured) => number): Interval => {
    const [left = [], right = []] = [samples[of], samples[to]]
    const ratios = left.map((each, round) => read(each) / read(right[round] ?? each))
    return intervalOf(ratios, Math.random)
  }
  const coldCpu = ({ init, first }: Measured): number => init + first
  const middle = (samples: Samples, name: string, read: (measured: Measured) => number): number =>
    median((samples[name] ?? []).map(read))
  const slopes = (variant: string): number[] =>
    (warm[`1MB ${variant}`] ?? []).map(
      (large, round) => large.perEvent - (warm[`1KB ${variant}`]?.[round]?.perEvent ?? 0),
    )
  const bySize = (variant: 'lean' | 'powertools') => ({
    '1KB': middle(warm, `1KB ${variant}`, each => each.perEvent),
    '8KB': middle(warm, `new ${variant}`, each => each.perEvent),
    '100KB': middle(warm, `100KB ${variant}`, each => each.perEvent),
    '1MB': middle(warm, `1MB ${variant}`, each => each.perEvent),
  })
  const powertoolsSlopes = slopes('powertools')
  return {
    coldCpuVsPowertools: ratio(cold, 'cold lean', 'cold powertools', coldCpu),
    firstInvokeTlsVsSdk: ratio(cold, 'tls lean', 'tls sdk', each => each.first),
    warmNewVsPowertools: ratio(warm, 'new lean', 'new powertools', each => each.perEvent),
    warmDuplicateVsPowertools: ratio(warm, 'duplicate lean', 'duplicate powertools', each => each.perEvent),
    slopeVsPowertools: intervalOf(
      slopes('lean').map((slope, round) => slope / (powertoolsSlopes[round] ?? Number.NaN)),
      Math.random,
    ),
    control: ratio(warm, 'control', 'new powertools', each => each.perEvent),
    figures: Object.fromEntries(
      all.map(variant => [
        variant,
        {
          bundleBytes: bytesOf(variant),
          initCpu: middle(cold, `cold ${variant}`, each => each.init),
          firstCpu: middle(cold, `cold ${variant}`, each => each.first),
          initTlsCpu: middle(cold, `tls ${variant}`, each => each.init),
          firstTlsCpu: middle(cold, `tls ${variant}`, each => each.first),
          newCpu: middle(warm, `new ${variant}`, each => each.perEvent),
          duplicateCpu: middle(warm, `duplicate ${variant}`, each => each.perEvent),
          forgedCpu: middle(warm, `forged ${variant}`, each => each.perEvent),
          rss: middle(warm, `new ${variant}`, each => each.rss),
        },
      ]),
    ) as Record<Variant, Figures>,
    bySize: { lean: bySize('lean'), powertools: bySize('powertools') },
  }
}
