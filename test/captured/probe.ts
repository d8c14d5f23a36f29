import { millis } from '../../functions/domain/brands.ts'
import type { Coverage } from '../../functions/domain/coverage.ts'
import type { Outcome } from '../../functions/domain/outcome.ts'
import type { SingleScheme } from '../../functions/domain/scheme.ts'
import type { SourceConfig } from '../../functions/domain/source.ts'
import { coverageOf } from '../../functions/providers/coverage.ts'
import { validateSources } from '../../functions/providers/sources.ts'
import { receive } from '../../functions/receive/receive.ts'
import { receiveRig } from '../support/receive-rig.ts'
import { NOW, type Played, proofHeader } from '../unit/providers/every-provider.ts'
import { delivery, judged, type Request } from '../unit/providers/rig.ts'
import type { Captured, Change } from './change.ts'
import { bodyChanges } from './change-body.ts'
import { borderChanges } from './change-borders.ts'
import { envelopeChanges } from './change-envelope.ts'
import { leftOutChanges } from './change-left-out.ts'

export const PROBED_URL = 'https://hooks.example.com/webhooks/acme?a=1&b=2%2F3'
const YEAR_SECONDS = 31_536_000

/** What became of a captured delivery under each change. */
export interface Probed {
  readonly name: string
  readonly coverage: Coverage
  /** The header of the proof, if it is in one. */
  readonly proof: string | undefined
  readonly changes: readonly (Change & { readonly verdict: string })[]
  /** Whether it is still believed a year later. */
  readonly lasts: boolean
  /** The changes under which it came back as a new event. */
  readonly newEvents: readonly string[]
  /** The same where `guard: 'body'` is on; undefined where it is refused. */
  readonly newEventsUnderGuard: readonly string[] | undefined
}

export const probe = async (played: Played): Promise<Probed> => {
  const request = played.send({ url: PROBED_URL })
  const coverage = coverageOf(played.scheme)
  const captured = {
    request,
    coverage,
    proofHeader: proofHeader(played.scheme),
    proofParameter: parameterOf(played.scheme),
  }
  const changes = []
  const verdictOf = (of: Request): Promise<string> => judged(played.source, of, secretsOf(played), NOW)
  for (const change of changesOf(captured, played)) {
    changes.push({ ...change, verdict: await verdictOf(change.request) })
  }
  for (const { without, changes: disguised } of leftOutChanges(captured, played)) {
    const optional = (await verdictOf(without.request)) === 'genuine'
    for (const change of optional ? disguised : [])
      changes.push({ ...change, verdict: await verdictOf(change.request) })
  }
  const believed = changes.filter(({ verdict, part }) => verdict === 'genuine' && part !== 'method')
  const guarded = { ...played.config, guard: 'body' } as const
  return {
    name: played.name,
    coverage,
    proof: captured.proofHeader,
    changes,
    lasts: (await judged(played.source, request, secretsOf(played), NOW + YEAR_SECONDS)) === 'genuine',
    newEvents: await sentAgain(played, played.config, request, believed),
    newEventsUnderGuard:
      validateSources({ acme: guarded }).length > 0 ? undefined : await sentAgain(played, guarded, request, believed),
  }
}

const secretsOf = ({ secret }: Played): readonly string[] => (secret === '' ? [] : [secret])

const parameterOf = (scheme: SingleScheme): string | undefined =>
  scheme.kind === 'token' && scheme.token.in === 'query' ? scheme.token.name : undefined

const changesOf = (captured: Captured, played: Played): readonly Change[] => [
  ...envelopeChanges(captured),
  ...bodyChanges(captured),
  ...borderChanges(captured),
  ...otherTime(captured, played.scheme),
]

/** A second later, which every tolerance allows; times in headers and fields are changed with the others. */
const otherTime = ({ request }: Captured, scheme: SingleScheme): readonly Change[] => {
  if (!('ts' in scheme) || scheme.ts?.in !== 'sig') return []
  const [header = ''] = Object.keys(request.headers).filter(name => name === scheme.sig.name)
  const later = request.headers[header]?.replace(String(NOW), String(NOW + 1)) ?? ''
  const headers = { ...request.headers, [header]: later }
  return [{ name: 'another time', part: 'header', request: { ...request, headers }, refused: true }]
}

/** The genuine delivery, then each change that was believed, by the receiver itself. */
const sentAgain = async (
  played: Played,
  config: SourceConfig,
  genuine: Request,
  changes: readonly Change[],
): Promise<readonly string[]> => {
  const { world } = receiveRig({ sources: { acme: config }, secrets: { acme: [...secretsOf(played)] } })
  const at = { ...world, now: () => millis(NOW * 1000) }
  const send = (request: Request, correlationId: string): Promise<Outcome> =>
    receive(at, { ...delivery(request), receivedAt: at.now(), correlationId })
  await send(genuine, 'first')
  const again = [{ name: 'nothing changed', request: genuine }, ...changes]
  const found: string[] = []
  for (const { name, request } of again) if (isNew(await send(request, name))) found.push(name)
  return found
}

const isNew = (outcome: Outcome): boolean =>
  outcome.outcome === 'accepted' || (outcome.outcome === 'batch' && outcome.accepted > 0)
