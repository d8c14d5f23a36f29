import { randomBytes } from 'node:crypto'
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts'
import { deployedIn, writeDeployed } from '../../iam/recording.ts'
import type { Deployment, Target } from '../deployment.ts'
import { cdkOf, type Outputs } from './cdk.ts'
import { fitAssembly } from './fit-assembly.ts'
import { type OpenMiniStack, openMiniStack, printChanges } from './open-ministack.ts'

/** The stack with its HTTP API, deployed by plain cdk, with every call of every function authorised by the roles of the template. */
export const ministack = (): Promise<Target> => behind('http')

/** The same behind function URLs. */
export const functionUrls = (): Promise<Target> => behind('url')

const behind = async (api: 'http' | 'url'): Promise<Target> => {
  const emulator = await openMiniStack(api)
  const prefix = `hooklatch-it-${randomBytes(4).toString('hex')}`
  const adapt = (assembly: string) => printChanges(fitAssembly(assembly, `${prefix}-${api}`))
  const cdk = cdkOf({ prefix, apis: [api], reconciler: true, env: emulator.env, adapt })
  const takeDown = async (): Promise<void> => {
    await (emulator.isOurs ? cdk.forget() : cdk.destroy())
    await emulator.close()
  }
  try {
    await cdk.bootstrap()
    const stacks = await cdk.deploy()
    const { IT_CALLS } = process.env
    if (IT_CALLS) writeDeployed(IT_CALLS, await deployedIn(`${prefix}-${api}`, emulator.config))
    const deployments = Object.entries(stacks).map(async ([stack, outputs]) => ({
      ...emulator.deploymentOf(stack, outputs),
      ...(api === 'url' && { functionUrls: await callersOf(outputs, emulator) }),
    }))
    return { deployments: await Promise.all(deployments), comesBackAfterSeconds: 20, takeDown }
  } catch (error) {
    await takeDown()
    throw error
  }
}

const callersOf = async (
  { ReceiveFunction: receiveFunction = '', PublisherRole: RoleArn = '' }: Outputs,
  { config }: OpenMiniStack,
): Promise<NonNullable<Deployment['functionUrls']>> => {
  const session = new AssumeRoleCommand({ RoleArn, RoleSessionName: 'integration' })
  const { Credentials: given } = await new STSClient(config).send(session)
  const { AccessKeyId = '', SecretAccessKey = '', SessionToken } = given ?? {}
  const publisher = { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken }
  return { receiveFunction, publisherRole: RoleArn.split('/').at(-1) ?? '', publisher }
}
