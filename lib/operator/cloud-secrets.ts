import { randomUUID } from 'node:crypto'
import {
  GetSecretValueCommand,
  InvalidParameterException,
  PutSecretValueCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager'
import { millis } from '../../functions/domain/brands.ts'
import type { SecretLists, SecretsAdmin } from './secrets-admin.ts'

/** On a version that is not current yet. It stays on the last one written, and means nothing there. */
const PENDING = 'HOOKLATCHPENDING'

/**
 * Secrets Manager has no conditional write. But the label AWSCURRENT moves only from the version that is said to have it: so a new
 * version is put beside the current one, and then made current if nobody else was faster.
 */
export const cloudSecrets = (client: SecretsManagerClient, SecretId: string): SecretsAdmin => ({
  place: SecretId,

  async read() {
    const { SecretString, VersionId = '', CreatedDate } = await client.send(new GetSecretValueCommand({ SecretId }))
    const lists = parseLists(SecretString ?? '{}')
    return { lists, version: VersionId, changedAt: CreatedDate ? millis(CreatedDate.getTime()) : null }
  },

  async write(lists, { version }) {
    const { VersionId } = await client.send(
      new PutSecretValueCommand({
        SecretId,
        SecretString: JSON.stringify(lists),
        ClientRequestToken: randomUUID(),
        VersionStages: [PENDING],
      }),
    )
    try {
      await client.send(
        new UpdateSecretVersionStageCommand({
          SecretId,
          VersionStage: 'AWSCURRENT',
          MoveToVersionId: VersionId,
          RemoveFromVersionId: version,
        }),
      )
      return 'written'
    } catch (error) {
      if (error instanceof InvalidParameterException) return 'changed'
      throw error
    }
  },
})

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

/** JSON.parse quotes what it could not read, and that is a secret. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
