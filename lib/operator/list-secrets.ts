import { iso, type Millis } from '../../functions/domain/brands.ts'
import { needsSecret } from '../../functions/domain/scheme.ts'
import { readSecretList } from '../../functions/domain/secret-list.ts'
import type { Source } from '../../functions/domain/source.ts'
import { secretFingerprint, valuesOf } from './change-secrets.ts'
import type { Counts } from './counts.ts'
import { judgeSecret } from './judge-secret.ts'
import { secretUse } from './secret-uses.ts'
import type { SecretLists } from './secrets-admin.ts'

/**
 * `present`: one secret. `rotating`: a current and a previous one. `awaited`: a handshake may bring it. `offered`: one
 * has, and an operator has to confirm it. `missing`: every
 * delivery is answered 503. `unusable`: so it is with this one. `not-needed`: the sender has none. `stray`: no source has
 * this name.
 */
export type SecretState =
  | 'present'
  | 'rotating'
  | 'awaited'
  | 'offered'
  | 'missing'
  | 'unusable'
  | 'not-needed'
  | 'stray'

/** What may be known of a source's secrets. Never a value, nor a part of one. */
export interface SecretView {
  readonly source: string
  readonly provider: string | null
  readonly state: SecretState
  readonly secrets: number
  readonly awaitedUntil: string | null
  /** Fingerprints of what handshakes brought. */
  readonly offered: readonly string[]
  readonly lastUsedAt: string | null
  /** By the previous secret. */
  readonly previousUsedAt: string | null
  /** What is wrong, and what a person should look at twice. */
  readonly notes: readonly string[]
}

export const listSecrets = (
  sources: ReadonlyMap<string, Source>,
  lists: SecretLists,
  uses: Counts,
  now: Millis,
): readonly SecretView[] => [
  ...[...sources.values()].map(source => viewOf(source, valuesOf(lists, source.name), uses, now)),
  ...Object.keys(lists)
    .filter(name => !sources.has(name) && readSecretList(valuesOf(lists, name)).secrets.length > 0)
    .map(name => stray(name, valuesOf(lists, name))),
]

const viewOf = (source: Source, values: readonly string[], uses: Counts, now: Millis): SecretView => {
  const { secrets, awaitedUntil, offered } = readSecretList(values)
  const use = secretUse(uses, source.name)
  const judged = secrets.map(secret => judgeSecret(source.scheme, secret.reveal()))
  const usable = judged.some(({ kind }) => kind === 'fits')
  const awaited = awaitedUntil !== null && awaitedUntil > now ? awaitedUntil : null
  return {
    source: source.name,
    provider: source.provider.id,
    state: stateOf({
      needed: needsSecret(source.scheme),
      usable,
      count: secrets.length,
      offered: offered.length > 0,
      awaited: awaited !== null,
    }),
    secrets: secrets.length,
    awaitedUntil: awaited && iso(awaited),
    offered: offered.map(secretFingerprint),
    lastUsedAt: use.lastUsedAt && iso(use.lastUsedAt),
    previousUsedAt: use.previousUsedAt && iso(use.previousUsedAt),
    notes: [
      ...judged.flatMap(judgement => (judgement.kind === 'fits' ? judgement.warnings : [judgement.mistake])),
      ...offered.map(secret => `handed over: ${secretFingerprint(secret)}`),
    ],
  }
}

interface Facts {
  readonly needed: boolean
  readonly usable: boolean
  readonly count: number
  readonly offered: boolean
  readonly awaited: boolean
}

const stateOf = ({ needed, usable, count, offered, awaited }: Facts): SecretState => {
  if (!needed) return 'not-needed'
  if (count === 0) return offered ? 'offered' : awaited ? 'awaited' : 'missing'
  if (!usable) return 'unusable'
  return count > 1 ? 'rotating' : 'present'
}

const stray = (name: string, values: readonly string[]): SecretView => ({
  source: name,
  provider: null,
  state: 'stray',
  secrets: readSecretList(values).secrets.length,
  awaitedUntil: null,
  offered: [],
  lastUsedAt: null,
  previousUsedAt: null,
  notes: ['no source has this name'],
})
