import type { TestProject } from 'vitest/node'
import type { Target } from './deployment.ts'
import { operatorOf } from './operator.ts'
import { SECRETS } from './sources.ts'

/** Loaded when asked for: an embedded run does without cdk, and an AWS one without engines. */
const TARGETS = {
  embedded: async () => (await import('./targets/embedded.ts')).embedded,
  localstack: async () => (await import('./targets/localstack.ts')).localstack,
  ministack: async () => (await import('./targets/ministack.ts')).ministack,
  url: async () => (await import('./targets/ministack.ts')).functionUrls,
  template: async () => (await import('./targets/plain-template.ts')).plainTemplate,
  aws: async () => (await import('./targets/aws.ts')).aws,
} satisfies Record<string, () => Promise<() => Promise<Target>>>

/** Brings the target of IT_TARGET up, and takes it down again however the cases end. */
export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const name = process.env.IT_TARGET ?? 'embedded'
  if (!Object.hasOwn(TARGETS, name)) {
    throw new Error(`IT_TARGET=${name}: expected ${Object.keys(TARGETS).join(', ')}.`)
  }
  const bringUp = await TARGETS[name as keyof typeof TARGETS]()
  const target = await bringUp()
  try {
    await prepare(target)
  } catch (error) {
    await target.takeDown()
    throw error
  }
  provide('deployments', target.deployments)
  return target.takeDown
}

/** Secrets, and how soon a message comes back. */
export const prepare = async ({ deployments, comesBackAfterSeconds }: Target): Promise<void> => {
  for (const deployment of deployments) {
    const operator = operatorOf(deployment)
    await operator.setSecrets(SECRETS)
    for (const queueUrl of [deployment.queueUrl, deployment.orderedQueueUrl]) {
      await operator.comesBackAfter(queueUrl, comesBackAfterSeconds)
    }
  }
}
