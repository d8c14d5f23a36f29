import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { iamApi } from '../iam/iam-api.ts'
import type { Deployed } from '../iam/name-calls.ts'
import { deployedIn } from '../iam/recording.ts'
import { rolesOf } from '../iam/roles.ts'
import type { Deployment } from '../integration/deployment.ts'
import { rigOf } from '../integration/rig.ts'
import { prepare } from '../integration/setup.ts'
import { cdkOf } from '../integration/targets/cdk.ts'
import { fitAssembly } from '../integration/targets/fit-assembly.ts'
import { openMiniStack } from '../integration/targets/open-ministack.ts'
import { checkOut } from './version-before.ts'

const ROOT = join(import.meta.dirname, '../..')

/** One stack on MiniStack, by the version before, and by this one over it. */
export const twoVersions = async (version: string) => {
  const before = checkOut(version)
  const emulator = await openMiniStack()
  const prefix = `hooklatch-up-${randomBytes(4).toString('hex')}`
  const stack = `${prefix}-http`

  const deploy = async (root: string): Promise<Deployment> => {
    const cdk = cdkOf({ prefix, apis: ['http'], env: emulator.env, root, adapt: dir => void fitAssembly(dir, stack) })
    await cdk.bootstrap()
    const { [stack]: outputs = {} } = await cdk.deploy()
    cdk.forget()
    return emulator.deploymentOf(stack, outputs)
  }
  const takeDown = async (): Promise<void> => {
    await emulator.close()
    before.remove()
  }

  try {
    const deployment = await deploy(before.root)
    await prepare({ deployments: [deployment], comesBackAfterSeconds: 20, takeDown })
    const deployed = await deployedIn(stack, emulator.config)
    const { lambda } = iamApi(deployment)
    return {
      rig: rigOf(deployment),
      roles: rolesOf(deployment, deployed),
      deployed,
      /** Where that version is. */
      root: before.root,
      /** Whether messages come to functions. A deployment does not change it. */
      setFlow: async (Enabled: boolean): Promise<void> => {
        const mappings = deployed.filter(({ type }) => type === 'AWS::Lambda::EventSourceMapping')
        for (const { physicalId } of mappings) await lambda('PUT', `event-source-mappings/${physicalId}`, { Enabled })
      },
      upgrade: async () => {
        const now = await deploy(ROOT)
        return { rig: rigOf(withSuite(now)), deployed: await deployedIn(stack, emulator.config) }
      },
      takeDown,
    }
  } catch (error) {
    await takeDown()
    throw error
  }
}

export type TwoVersions = Awaited<ReturnType<typeof twoVersions>>
export type Resources = readonly Deployed[]

/** The command line finds the sources of the suite. */
const withSuite = (deployment: Deployment): Deployment => ({
  ...deployment,
  cli: { ...deployment.cli, directory: join(ROOT, 'test/integration') },
})
