import { CloudFormationClient } from '@aws-sdk/client-cloudformation'
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch'
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs'
import { STSClient } from '@aws-sdk/client-sts'
import { awsClients } from '../../functions/adapters/sdk/clients.ts'

/** A person on another continent waits longer than a function in the same building. */
const PATIENCE = { maxAttempts: 3, requestHandler: { connectionTimeout: 5_000, requestTimeout: 20_000 } } as const

export interface CloudOptions {
  readonly profile?: string
  readonly region?: string
}

/** Everything an operator may ask. A client costs nothing until it is used. */
export const cloudClients = (options: CloudOptions) => {
  const all = { ...PATIENCE, ...options }
  return {
    cloudformation: new CloudFormationClient(all),
    sts: new STSClient(all),
    cloudwatch: new CloudWatchClient(all),
    logs: new CloudWatchLogsClient(all),
    ...awsClients(all),
  }
}

export type CloudClients = ReturnType<typeof cloudClients>
