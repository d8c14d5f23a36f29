import { randomUUID } from 'node:crypto'
import { PENDING_LABEL, type SecretCalls } from '../wire/secret-calls.ts'
import type { Caller } from './caller.ts'
import { isFault, jsonCalls } from './json-protocol.ts'

export const leanSecrets = (caller: Caller): SecretCalls => {
  const call = jsonCalls(caller, 'secretsmanager', '1.1')
  return {
    async getSecret(SecretId) {
      const { SecretString, VersionId = '', CreatedDate } = await call<SecretAnswer>('GetSecretValue', { SecretId })
      const createdAt = CreatedDate === undefined ? null : Math.floor(CreatedDate * 1000)
      return SecretString === undefined ? undefined : { text: SecretString, version: VersionId, createdAt }
    },
    async putPendingSecret(SecretId, SecretString) {
      // The token makes a repeat the same version, and not one more.
      const input = { SecretId, SecretString, ClientRequestToken: randomUUID(), VersionStages: [PENDING_LABEL] }
      return (await call<{ VersionId?: string }>('PutSecretValue', input)).VersionId ?? ''
    },
    async makeSecretCurrent(SecretId, MoveToVersionId, RemoveFromVersionId) {
      try {
        const VersionStage = 'AWSCURRENT'
        await call('UpdateSecretVersionStage', { SecretId, VersionStage, MoveToVersionId, RemoveFromVersionId })
        return 'moved'
      } catch (error) {
        if (isFault(error, 'InvalidParameterException')) return 'changed'
        throw error
      }
    },
  }
}

interface SecretAnswer {
  readonly SecretString?: string
  readonly VersionId?: string
  /** Epoch seconds, with a fraction. */
  readonly CreatedDate?: number
}
