import { usesOf } from '../../connect/counts-of.ts'
import { listSecrets, type SecretState, type SecretView } from '../../operator/list-secrets.ts'
import { hasChangedOver, secretUse } from '../../operator/secret-uses.ts'
import { type Check, type Found, fine, warning, wrong } from './finding.ts'

/** Every source has a secret that can verify something, and no rotation is left half done. */
export const checkSigningSecrets: Check = async ({ connection, sources }) => {
  const { lists, changedAt } = await connection.secrets.read()
  const uses = await usesOf(connection, [...sources.keys()])
  const views = listSecrets(sources, lists, typeof uses === 'string' ? new Map() : uses, connection.now())
  const found = views.flatMap(view => {
    const notes = WORKS.has(view.state) ? view.notes.map(note => warning(note)) : []
    const isOver = typeof uses === 'string' ? null : hasChangedOver(secretUse(uses, view.source), changedAt)
    return [...FINDINGS[view.state](view, isOver), ...notes].map(each => ({ ...each, subject: view.source }))
  })
  return found.length > 0 ? found : [fine('every source that needs a secret has one')]
}

const usedSince = (previousUsedAt: string | null, isOver: boolean | null): string => {
  if (isOver && previousUsedAt === null) return ' that nobody uses any more: finish the rotation'
  const last =
    previousUsedAt === null ? 'and nothing is known that the new one has signed' : `last used ${previousUsedAt}`
  const known = isOver === null ? 'and it is not known when it was used' : last
  return `, ${known}: finish the rotation when its sender uses the new one`
}

/** Its secrets verify deliveries; what a person should look at twice is in the notes. */
const WORKS: ReadonlySet<SecretState> = new Set(['present', 'rotating'])

const FINDINGS = {
  present: () => [],
  rotating: ({ source, previousUsedAt }, isOver) => [
    warning(
      `accepts a previous secret${usedSince(previousUsedAt, isOver)}`,
      `npx hooklatch secrets finish-rotation ${source}`,
    ),
  ],
  awaited: ({ awaitedUntil }) => [
    warning(
      `waits until ${awaitedUntil} for its sender to hand over the secret, and answers 503 until then`,
      'create the webhook at the sender now',
    ),
  ],
  offered: ({ source, offered }) => [
    warning(
      offered.length === 1
        ? `was handed a secret (${offered.join()}), and answers 503 until you confirm it`
        : `was handed ${offered.length} different secrets, of which only one can be its sender's: it answers 503 until you confirm one`,
      `npx hooklatch secrets confirm ${source}`,
    ),
  ],
  missing: ({ source }) => [
    wrong('has no secret: every delivery is answered 503', `npx hooklatch secrets set ${source}`),
  ],
  unusable: ({ source, notes }) => [
    wrong(
      `has a secret that cannot verify anything (${notes.join('; ')}): every delivery is answered 503`,
      `npx hooklatch secrets set ${source}`,
    ),
  ],
  'not-needed': () => [],
  stray: () => [],
} as const satisfies Record<SecretState, (view: SecretView, isOver: boolean | null) => readonly Found[]>
