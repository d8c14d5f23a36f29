import { iso, type Millis, millis } from '../../functions/domain/brands.ts'
import { causeOf } from '../../functions/domain/fault.ts'
import { type Capture, lastDrill, readSecretList, withCapture } from '../../functions/domain/secret-list.ts'
import type { Source } from '../../functions/domain/source.ts'
import { valuesOf } from './change-secrets.ts'
import { explainFault } from './explain-fault.ts'
import type { SecretsAdmin } from './secrets-admin.ts'

export interface CaptureRequest {
  readonly source: string
  readonly forMs: number
  /** A drill: verified deliveries are not taken, and get this status. */
  readonly answer?: number | undefined
}

export interface CaptureState {
  readonly source: string
  /** Null when nothing is captured. */
  readonly until: string | null
  readonly answer: number | null
}

export type CaptureAnswer =
  | {
      readonly kind: 'set'
      readonly state: CaptureState /** In words: at once, or within some minutes. */
      readonly takesEffect: string
    }
  | { readonly kind: 'no-source'; readonly source: string }
  /** A source that signs nothing never looks at its secrets, which the switch lives among. */
  | { readonly kind: 'unsigned'; readonly source: string }
  /** A drill would lose every event of a sender that does not come again. */
  | { readonly kind: 'never-retries'; readonly source: string }
  /** The same of one that takes a 4xx for an end. */
  | { readonly kind: 'gives-up'; readonly source: string }
  /** And of one whose last try would come before the drill is over. */
  | { readonly kind: 'outlasts'; readonly source: string; readonly windowSeconds: number }
  | { readonly kind: 'unavailable'; readonly cause: string }

export interface Capturing {
  readonly sources: ReadonlyMap<string, Source>
  readonly signing: SecretsAdmin
  readonly now: () => Millis
  /** When a change of the secrets reaches the receivers, in words. */
  readonly takesEffect: string
}

/** Others may be changing secrets at the same moment. */
const TRIES = 5

/** Switches capture on for a while, or off: a mark among the source's secrets, which every delivery looks at anyway. */
export const startCapture = (world: Capturing, { source, forMs, answer }: CaptureRequest): Promise<CaptureAnswer> =>
  setCapture(world, source, { until: millis(world.now() + forMs), answer: answer ?? null })

export const stopCapture = (world: Capturing, source: string): Promise<CaptureAnswer> => setCapture(world, source, null)

const setCapture = async (world: Capturing, name: string, capture: Capture | null): Promise<CaptureAnswer> => {
  const source = world.sources.get(name)
  if (!source) return { kind: 'no-source', source: name }
  if (source.scheme.kind === 'none') return { kind: 'unsigned', source: name }
  try {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const snapshot = await world.signing.read()
      const { lists } = snapshot
      const since = drillBegan(valuesOf(lists, name), world.now())
      const losing = losingDrill(source, capture, since)
      if (losing) return losing
      const list = withCapture(valuesOf(lists, name), capture && { ...capture, since })
      const changed = await world.signing.write({ ...lists, [name]: list }, snapshot)
      if (changed === 'written') return { kind: 'set', state: stateOf(name, capture), takesEffect: world.takesEffect }
    }
    return { kind: 'unavailable', cause: 'somebody else keeps changing the secrets.' }
  } catch (error) {
    return { kind: 'unavailable', cause: explainFault(error) ?? causeOf(error) }
  }
}

/** What a drill turned away is given as long to come again as the drill was. One that begins before that goes on with it. */
const drillBegan = (values: readonly string[], now: Millis): Millis => {
  const last = lastDrill(values)
  return last && now < last.until + (last.until - last.since) ? last.since : now
}

/** Why a drill would lose events: their sender would not come again after its end. */
const losingDrill = ({ name, provider }: Source, capture: Capture | null, since: Millis): CaptureAnswer | undefined => {
  if (!capture || capture.answer === null) return undefined
  const { windowSeconds, givesUpOn4xx } = provider.retry
  if (windowSeconds === 0) return { kind: 'never-retries', source: name }
  if (givesUpOn4xx && capture.answer < 500) return { kind: 'gives-up', source: name }
  if (windowSeconds === null || capture.until - since < windowSeconds * 1000) return undefined
  return { kind: 'outlasts', source: name, windowSeconds }
}

/** A switch whose time has passed is off. */
export const captureStates = async ({ sources, signing, now }: Capturing): Promise<readonly CaptureState[]> => {
  const { lists } = await signing.read()
  return [...sources.keys()].map(name => {
    const { capture } = readSecretList(valuesOf(lists, name))
    return stateOf(name, capture && capture.until > now() ? capture : null)
  })
}

const stateOf = (source: string, capture: Capture | null): CaptureState => ({
  source,
  until: capture && iso(capture.until),
  answer: capture?.answer ?? null,
})
