import { randomUUID } from 'node:crypto'
import {
  GetSecretValueCommand,
  InvalidParameterException,
  PutSecretValueCommand,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager'
import { PENDING_LABEL, type SecretCalls } from '../wire/secret-calls.ts'

export const sdkSecrets = (client: SecretsManagerClient): SecretCalls => ({
  async getSecret(SecretId) {
    const { SecretString, VersionId = '', CreatedDate } = await client.send(new GetSecretValueCommand({ SecretId }))
    const createdAt = CreatedDate?.getTime() ?? null
    return SecretString === undefined ? undefined : { text: SecretString, version: VersionId, createdAt }
  },

  async putPendingSecret(SecretId, SecretString) {
    const input = { SecretId, SecretString, ClientRequestToken: randomUUID(), VersionStages: [PENDING_LABEL] }
    return (await client.send(new PutSecretValueCommand(input))).VersionId ?? ''
  },

  async makeSecretCurrent(SecretId, MoveToVersionId, RemoveFromVersionId) {
    const VersionStage = 'AWSCURRENT'
    try {
      const move = { SecretId, VersionStage, MoveToVersionId, RemoveFromVersionId }
      await client.send(new UpdateSecretVersionStageCommand(move))
      return 'moved'
    } catch (error) {
      if (error instanceof InvalidParameterException) return 'changed'
      throw error
    }
  },
})
