import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localhostChain } from '../support/make-certificate.ts'
import { bundle } from './bundle.ts'
import type { Size } from './deliveries.ts'
import { GOALS, type Ratio, ratioOf } from './goals.ts'
import { pooled, type Sample, type Samples, sampleCold, sampleWarm } from './sample.ts'
import { type Interval, median } from './statistics.ts'
import { startStub } from './stub.ts'
import { type Bundles, bundleVariants, VARIANTS, type Variant, WORKERS, type Worker } from './variants.ts'

export interface Rounds {
  readonly cold: number
  readonly warm: number
  readonly pinned: boolean
  /** Only what the ratios need. */
  readonly quick: boolean
  /** By when it should be over, of `performance.now()`: on a busy machine there are fewer rounds. */
  readonly until: number
  readonly tell: (progress: string) => void
}

/** Otherwise the machine was too busy for ratios. */
export const isSteady = ({ control }: Comparison): boolean => control.median >= 0.95 && control.median <= 1.05

export interface Comparison extends Readonly<Record<Ratio, Interval>> {
  /** SDK + Powertools against itself. */
  readonly control: Interval
  /** Medians, for the tables: absolute figures say something about one machine only. */
  readonly figures: Readonly<Record<Variant, Figures>>
  readonly workers: Readonly<Record<Worker, WorkerFigures>>
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

export interface WorkerFigures {
  readonly bundleBytes: number
  readonly initCpu: number
  readonly firstCpu: number
  readonly eventCpu: number
  readonly rss: number
}

/** Every variant in every round; ratios are taken inside a round. */
export const compare = async ({ cold, warm, pinned, quick, until, tell }: Rounds): Promise<Comparison> => {
  const directory = mkdtempSync(join(tmpdir(), 'hooklatch-bench-'))
  const chain = localhostChain()
  const authority = join(directory, 'authority.pem')
  writeFileSync(authority, chain.authority)
  const stub = await startStub(chain)
  try {
    const bundles = await bundleVariants(directory)
    const entry = 'test/bench/child.ts'
    const { file: child } = await bundle({ name: 'child', directory, entry, awaitsAtStart: true })
    const plain = { child, services: stub.plain, pinned, authority }
    const bench = { stub, bundles, directory, plain, secure: { ...plain, services: stub.secure }, quick, tell }
    const begun = performance.now()
    const samples = await sampleCold(bench, cold, begun + (until - begun) / 2)
    const first = await sampleWarm(bench, warm, until)
    const comparison = conclude({ ...samples, ...first }, bundles)
    if (isSteady(comparison)) return comparison
    tell('The control is outside 0.95 to 1.05: more rounds.')
    return conclude({ ...samples, ...pooled(first, await sampleWarm(bench, warm, until, 0)) }, bundles)
  } finally {
    await stub.stop()
    rmSync(directory, { recursive: true })
  }
}

const conclude = (samples: Samples, bundles: Bundles): Comparison => {
  const middle = (name: string, read: (sample: Sample) => number): number =>
    median((samples[name] ?? []).flat().map(read))
  const perEvent = (name: string): number => middle(name, each => each.perEvent)
  const bySize = (variant: 'lean' | 'powertools') => ({
    '1KB': perEvent(`size 1KB ${variant}`),
    '8KB': perEvent(`new ${variant}`),
    '100KB': perEvent(`size 100KB ${variant}`),
    '1MB': perEvent(`size 1MB ${variant}`),
  })
  return {
    ...mapped(GOALS, name => ratioOf(samples, GOALS[name])),
    control: ratioOf(samples, { of: 'new control', to: 'new powertools', read: each => each.perEvent }),
    figures: mapped(VARIANTS, variant => ({
      bundleBytes: bundles[variant].bytes,
      initCpu: middle(`plain ${variant}`, each => each.init),
      firstCpu: middle(`plain ${variant}`, each => each.first),
      initTlsCpu: middle(`tls ${variant}`, each => each.init),
      firstTlsCpu: middle(`tls ${variant}`, each => each.first),
      newCpu: perEvent(`new ${variant}`),
      duplicateCpu: perEvent(`duplicate ${variant}`),
      forgedCpu: perEvent(`forged ${variant}`),
      rss: middle(`new ${variant}`, each => each.rss),
    })),
    workers: mapped(WORKERS, worker => ({
      bundleBytes: bundles[worker].bytes,
      initCpu: middle(`coldWorker ${worker}`, each => each.init),
      firstCpu: middle(`coldWorker ${worker}`, each => each.first),
      eventCpu: perEvent(`worker ${worker}`),
      rss: middle(`worker ${worker}`, each => each.rss),
    })),
    bySize: { lean: bySize('lean'), powertools: bySize('powertools') },
  }
}

const mapped = <Name extends string, Made>(
  names: Readonly<Record<Name, unknown>>,
  make: (name: Name) => Made,
): Readonly<Record<Name, Made>> =>
  Object.fromEntries((Object.keys(names) as Name[]).map(name => [name, make(name)])) as Record<Name, Made>
