import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hooklatchFed } from '../cli/fed.ts'
import type { Deployment } from '../integration/deployment.ts'
import { prepare } from '../integration/setup.ts'
import { ministack } from '../integration/targets/ministack.ts'
import { stubApi } from '../support/stub-api.ts'
import type { Deployed } from './name-calls.ts'
import { DEPLOYED_FILE } from './recording.ts'

/** The stack of the suite on MiniStack, and where calls to it are written down. */
export interface Rollout {
  readonly directory: string
  readonly deployment: Deployment
  readonly deployed: readonly Deployed[]
  readonly sender: Sender
}

/** What the functions take for Stripe. */
export interface Sender {
  /** From now on these are its events. */
  lists(events: readonly object[]): void
}

/** Deploys it, and takes it down again however the act ends. */
export const withRollout = async <Answer>(act: (rollout: Rollout) => Promise<Answer>): Promise<Answer> => {
  const directory = mkdtempSync(join(tmpdir(), 'hooklatch-calls-'))
  const data: object[] = []
  const stripe = await stubApi(() => ({ body: { object: 'list', has_more: false, data } }))
  process.env.IT_CALLS = directory
  process.env.IT_SENDER = stripe.url
  const target = await ministack()
  try {
    await prepare(target)
    const [deployment] = target.deployments
    if (!deployment) throw new Error('there is no deployment')
    await setApiKey(deployment)
    const deployed = JSON.parse(readFileSync(join(directory, DEPLOYED_FILE), 'utf8'))
    const sender: Sender = { lists: events => void data.splice(0, data.length, ...events) }
    return await act({ directory, deployment, deployed, sender })
  } finally {
    await target.takeDown()
    await stripe.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

const setApiKey = async ({ cli }: Deployment): Promise<void> => {
  const args = ['secrets', 'set', 'stripe', '--api-key', ...cli.flags]
  const { code, err } = await hooklatchFed('rk_test_proof', cli.env as Record<string, string>, cli.directory, ...args)
  if (code !== 0) throw new Error(`the API key could not be set: ${err}`)
}
