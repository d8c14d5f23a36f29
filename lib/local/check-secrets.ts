import { needsSecret, type Scheme } from '../../functions/domain/scheme.ts'
import { isMark } from '../../functions/domain/secret-list.ts'
import type { Source } from '../../functions/domain/source.ts'
import { readSecrets, type SecretsBySource } from '../connect/file-secrets.ts'
import { type Refusal, refuse } from '../connect/refusal.ts'
import { judgeSecret } from '../operator/judge-secret.ts'

/** What a person should know about the secrets before the first delivery. Never quotes one. */
export const checkSecrets = (file: string, sources: ReadonlyMap<string, Source>): readonly string[] | Refusal => {
  let secrets: SecretsBySource
  try {
    secrets = readSecrets(file)
  } catch (error) {
    return refuse(`The secrets file cannot be used: ${(error as Error).message}`)
  }
  const found = [...sources.values()].flatMap(source => examine(source, secrets))
  const refused = found.filter(finding => finding.refused)
  if (refused.length > 0) {
    return refuse([`The secrets in ${file} cannot be used:`, ...refused.map(({ says }) => `- ${says}`)].join('\n'))
  }
  const strangers = Object.keys(secrets).filter(name => !sources.has(name))
  return [
    ...found.map(({ says }) => says),
    // The local file has a secret for each source of this repository, so with other sources many are not needed.
    ...(strangers.length > 0 ? [`unused, since no source has this name: ${strangers.join(', ')}`] : []),
  ]
}

interface Finding {
  readonly says: string
  readonly refused: boolean
}

const examine = (source: Source, secrets: SecretsBySource): readonly Finding[] => {
  if (!needsSecret(source.scheme)) return []
  const values = (Object.hasOwn(secrets, source.name) ? (secrets[source.name] ?? []) : []).filter(
    value => !isMark(value),
  )
  if (values.length === 0) {
    return [
      {
        says: `${source.name} has no secret: it answers 503 until \`npx hooklatch secrets set ${source.name}\` gives it one`,
        refused: false,
      },
    ]
  }
  return values.flatMap((value, at) => {
    const where = values.length > 1 ? `${source.name}, secret ${at + 1}` : source.name
    return judge(source.scheme, value).map(finding => ({ ...finding, says: `${where}: ${finding.says}` }))
  })
}

/** Only what can protect nothing is refused; what some real sender hands out is used, and mentioned. */
const judge = (scheme: Scheme, value: string): readonly Finding[] => {
  const judgement = judgeSecret(scheme, value)
  return judgement.kind === 'unfit'
    ? [{ says: judgement.mistake, refused: judgement.worthless }]
    : judgement.warnings.map(says => ({ says, refused: false }))
}
