import { randomUUID } from 'node:crypto'
import type { SecretCalls } from '../wire/secret-calls.ts'
import type { Caller } from './caller.ts'
import { jsonCalls } from './json-protocol.ts'

export const leanSecrets = (caller: Caller): SecretCalls => {
  const call = jsonCalls(caller, 'secretsmanager', '1.1')
  return {
    getSecretString: async SecretId =>
      (await call<{ SecretString?: string }>('GetSecretValue', { SecretId })).SecretString,
    // The token makes a repeat the same version, and not one more.
    putSecretString: async (SecretId, SecretString) => {
      await call('PutSecretValue', { SecretId, SecretString, ClientRequestToken: randomUUID() })
    },
  }
}
