import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager'
import type { CloudClients } from './cloud-clients.ts'

/** Sets the API key that the scheduled reconciler of a stack reads for a source. Whoever sets one cannot read it. */
export type SetApiKey = (source: string, key: string) => Promise<'set' | 'not-kept'>

/** `outputs`: the secrets by source, as the stack says; a source that is not compared by schedule has none. */
export const stackApiKeys =
  ({ secrets }: Pick<CloudClients, 'secrets'>, outputs: string | undefined): SetApiKey =>
  async (source, SecretString) => {
    const arns: Readonly<Record<string, string>> = JSON.parse(outputs ?? '{}')
    const SecretId = Object.hasOwn(arns, source) ? arns[source] : undefined
    if (SecretId === undefined) return 'not-kept'
    await secrets.send(new PutSecretValueCommand({ SecretId, SecretString }))
    return 'set'
  }
