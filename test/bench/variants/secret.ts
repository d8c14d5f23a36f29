import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'

let secret: Promise<string> | undefined

/** Looked up once, as ours is. */
export const secretOf = (): Promise<string> => {
  secret ??= new SecretsManagerClient({})
    .send(new GetSecretValueCommand({ SecretId: process.env.HOOKLATCH_SIGNING_SECRETS }))
    .then(({ SecretString }) => JSON.parse(SecretString ?? '').shopify[0])
  return secret
}
