import { randomBytes } from 'node:crypto'
import { deployedIn, writeDeployed } from '../../iam/recording.ts'
import type { Target } from '../deployment.ts'
import { cdkOf } from './cdk.ts'
import { fitAssembly } from './fit-assembly.ts'
import { openMiniStack, printChanges } from './open-ministack.ts'

/** The stack with its HTTP API, deployed by plain cdk, with every call of every function authorised by the roles of the template. */
export const ministack = async (): Promise<Target> => {
  const emulator = await openMiniStack()
  const prefix = `hooklatch-it-${randomBytes(4).toString('hex')}`
  const adapt = (assembly: string) => printChanges(fitAssembly(assembly, `${prefix}-http`))
  const cdk = cdkOf({ prefix, apis: ['http'], reconciler: true, env: emulator.env, adapt })
  const takeDown = async (): Promise<void> => {
    await (emulator.isOurs ? cdk.forget() : cdk.destroy())
    await emulator.close()
  }
  try {
    await cdk.bootstrap()
    const stacks = await cdk.deploy()
    const { IT_CALLS } = process.env
    if (IT_CALLS) writeDeployed(IT_CALLS, await deployedIn(`${prefix}-http`, emulator.config))
    const deployments = Object.entries(stacks).map(([stack, outputs]) => emulator.deploymentOf(stack, outputs))
    return { deployments, comesBackAfterSeconds: 20, takeDown }
  } catch (error) {
    await takeDown()
    throw error
  }
}
