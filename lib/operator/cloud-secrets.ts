import type { SecretCalls } from '../../functions/adapters/wire/secret-calls.ts'
import { millis } from '../../functions/domain/brands.ts'
import { parseJson } from '../../functions/domain/parse-json.ts'
import type { SecretLists, SecretsAdmin } from './secrets-admin.ts'

/**
 * Secrets Manager has no conditional write. But the label AWSCURRENT moves only from the version that is said to have it: so a new
 * version is put beside the current one, and then made current if nobody else was faster.
 */
export const cloudSecrets = (secrets: SecretCalls, id: string): SecretsAdmin => ({
  place: id,

  async read() {
    const { text, version, createdAt } = (await secrets.getSecret(id)) ?? NOTHING
    return { lists: parseLists(text), version, changedAt: createdAt === null ? null : millis(createdAt) }
  },

  async write(lists, { version }) {
    const next = await secrets.putPendingSecret(id, JSON.stringify(lists))
    return (await secrets.makeSecretCurrent(id, next, version)) === 'moved' ? 'written' : 'changed'
  },
})

const NOTHING = { text: '{}', version: '', createdAt: null } as const

/** A single value is a list of one. The error names what is wrong and quotes none of it. */
const parseLists = (text: string): SecretLists => {
  const parsed = parseJson(text)
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed)) {
    throw new TypeError(
      'The signing secrets are not a JSON object of { "source": ["secret", ...] }: fix them in Secrets Manager.',
    )
  }
  return Object.fromEntries(Object.entries(parsed).map(([source, values]) => [source, [values].flat().map(String)]))
}
