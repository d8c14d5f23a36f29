import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  CloudFormationClient,
  type CloudFormationClientConfig,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation'
import { type Deployed, type NamedCall, nameCalls } from './name-calls.ts'

/** A line for each call of each process, in the directory that IT_CALLS names. */
export const CALLS_FILE = 'calls.jsonl'
export const DEPLOYED_FILE = 'deployed.json'

/** Which name each resource of the stack was given. */
export const deployedIn = async (stack: string, config: CloudFormationClientConfig): Promise<readonly Deployed[]> => {
  const client = new CloudFormationClient(config)
  const deployed: Deployed[] = []
  for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName: stack })) {
    for (const { LogicalResourceId = '', PhysicalResourceId = '', ResourceType = '' } of StackResourceSummaries) {
      deployed.push({ logicalId: LogicalResourceId, physicalId: PhysicalResourceId, type: ResourceType })
    }
  }
  return deployed
}

export const writeDeployed = (directory: string, deployed: readonly Deployed[]): void =>
  writeFileSync(join(directory, DEPLOYED_FILE), JSON.stringify(deployed))

/** What the functions of the stack asked of AWS while the suite ran. */
export const readRecording = (directory: string): readonly NamedCall[] =>
  nameCalls(readLines(join(directory, CALLS_FILE)), JSON.parse(readFileSync(join(directory, DEPLOYED_FILE), 'utf8')))

export const readLines = (file: string): Parameters<typeof nameCalls>[0] => {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  return lines.map(line => JSON.parse(line))
}
