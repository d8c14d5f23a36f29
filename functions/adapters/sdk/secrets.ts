import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import type { SecretCalls } from '../wire/secret-calls.ts'

export const sdkSecrets = (client: SecretsManagerClient): SecretCalls => ({
  getSecretString: async SecretId => (await client.send(new GetSecretValueCommand({ SecretId }))).SecretString,
  putSecretString: async (SecretId, SecretString) =>
    void (await client.send(new PutSecretValueCommand({ SecretId, SecretString }))),
})
