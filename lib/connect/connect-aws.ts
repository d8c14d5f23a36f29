import { PutSecretValueCommand } from '@aws-sdk/client-secrets-manager'
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts'
import { EVERY_STORE } from '../../functions/adapters/every-store.ts'
import { openAws } from '../../functions/adapters/sdk/aws.ts'
import { storesOver } from '../../functions/adapters/stores.ts'
import { systemClock } from '../../functions/adapters/system.ts'
import { cloudSecrets } from '../operator/cloud-secrets.ts'
import { type CloudClients, cloudClients } from './cloud-clients.ts'
import type { AwsConnection, Target } from './connection.ts'
import { DEFAULT_SOURCE_FILE } from './default-files.ts'
import { findStack } from './find-stack.ts'
import { operateFunction } from './operate-function.ts'
import { isRefusal, type Refusal } from './refusal.ts'

/** A deployed stack, with the caller's own credentials. AWS_ENDPOINT_URL makes it one in an emulator. */
export const connectAws = async (
  name: string,
  { profile, region }: Pick<Target, 'profile' | 'region'>,
): Promise<AwsConnection | Refusal> => {
  const clients = cloudClients({ ...(profile && { profile }), ...(region && { region }) })
  const stack = await findStack(clients, name)
  if (isRefusal(stack)) return stack
  const { core: resources, outputs, urls } = stack
  const { sqs, cloudwatch, logs } = clients
  const aws = openAws(clients)
  const all = { ...outputs, ...resources }
  return {
    kind: 'aws',
    name,
    region: stack.region,
    account: stack.account,
    environment: resources.environment,
    // Who sends is the operate function, which knows the queues.
    stores: storesOver(aws, { ...all, destinations: undefined }, EVERY_STORE, systemClock),
    secrets: cloudSecrets(aws.secrets, resources.signingSecrets),
    resources: all,
    aws,
    apiKeySetter: apiKeySetters(clients, outputs.apiKeys),
    ask: operateFunction({
      name: outputs.operateFunction,
      stack: name,
      region: stack.region,
      credentials: () => clients.sts.config.credentials(),
    }),
    cloud: { sqs, cloudwatch, logs },
    outputs,
    urls,
    urlOf: source => urls.get(source),
    // The checkout that the stack was deployed from is the one to run this in.
    sourceFile: DEFAULT_SOURCE_FILE,
    now: systemClock,
    actor: () => callerOf(clients),
  }
}

/** `outputs`: the secrets by source, as the stack says; a source that is not compared by schedule has none. */
const apiKeySetters =
  ({ secrets }: CloudClients, outputs = '{}'): AwsConnection['apiKeySetter'] =>
  source => {
    const arns: Readonly<Record<string, string>> = JSON.parse(outputs)
    const SecretId = Object.hasOwn(arns, source) ? arns[source] : undefined
    if (SecretId === undefined) return undefined
    return async SecretString => void (await secrets.send(new PutSecretValueCommand({ SecretId, SecretString })))
  }

const callerOf = async ({ sts }: CloudClients): Promise<string> => {
  const { Arn } = await sts.send(new GetCallerIdentityCommand())
  if (Arn === undefined) throw new Error('AWS did not say who you are (sts:GetCallerIdentity).')
  return Arn
}
