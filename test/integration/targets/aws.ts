import { randomBytes } from 'node:crypto'
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import type { Api } from '../../../lib/constructs/front.ts'
import type { Target } from '../deployment.ts'
import { cdkOf } from './cdk.ts'
import { awsConsent, requireAccount } from './consent.ts'
import { fromOutputs } from './from-outputs.ts'

const APIS: readonly Api[] = ['http', 'rest']

/** A stack with each front in a real, bootstrapped account; destroyed with all its data, also when it came up only half. */
export const aws = async (): Promise<Target> => {
  const consent = awsConsent(process.env)
  const { region } = consent
  const { Account } = await new STSClient({ region }).send(new GetCallerIdentityCommand())
  requireAccount(consent, Account)
  const prefix = `${consent.prefix}-${randomBytes(3).toString('hex')}`
  process.stdout.write(`AWS account ${Account}, ${region}: stacks ${APIS.map(api => `${prefix}-${api}`).join(', ')}\n`)
  const cdk = cdkOf({ prefix, apis: APIS })
  try {
    const stacks = await cdk.deploy()
    const deployments = APIS.map(api => {
      const stack = `${prefix}-${api}`
      const cli = { directory: process.cwd(), flags: ['--stack', stack], env: {} }
      return fromOutputs(stacks[stack] ?? {}, { api, region, cli, namesCallers: true, keepsBytes: true })
    })
    return { deployments, comesBackAfterSeconds: 20, takeDown: cdk.destroy }
  } catch (error) {
    await cdk.destroy()
    throw error
  }
}
