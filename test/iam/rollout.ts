import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Deployment } from '../integration/deployment.ts'
import { prepare } from '../integration/setup.ts'
import { ministack } from '../integration/targets/ministack.ts'
import type { Deployed } from './name-calls.ts'
import { DEPLOYED_FILE } from './recording.ts'

/** The stack of the suite on MiniStack, and where calls to it are written down. */
export interface Rollout {
  readonly directory: string
  readonly deployment: Deployment
  readonly deployed: readonly Deployed[]
}

/** Deploys it, and takes it down again however the act ends. */
export const withRollout = async <Answer>(act: (rollout: Rollout) => Promise<Answer>): Promise<Answer> => {
  const directory = mkdtempSync(join(tmpdir(), 'hooklatch-calls-'))
  process.env.IT_CALLS = directory
  const target = await ministack()
  try {
    await prepare(target)
    const [deployment] = target.deployments
    if (!deployment) throw new Error('there is no deployment')
    const deployed = JSON.parse(readFileSync(join(directory, DEPLOYED_FILE), 'utf8'))
    return await act({ directory, deployment, deployed })
  } finally {
    await target.takeDown()
    rmSync(directory, { recursive: true, force: true })
  }
}
