import type { Deployment } from '../../integration/deployment.ts'
import { unique } from '../../integration/rig.ts'
import { documentOf, iamApi, statementsIn } from '../iam-api.ts'
import type { Deployed } from '../name-calls.ts'
import type { Statement } from '../read-grants.ts'
import { shortName } from '../template-names.ts'
import type { Policy } from './commands.ts'

/** Credentials of a user, as a command takes them. */
export type Person = Readonly<Record<'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY', string>>

/** Users of the account, who have what the stack's managed policies give them and nothing else. */
export const peopleOf = (deployment: Deployment, deployed: readonly Deployed[]) => {
  const { iam } = iamApi(deployment)
  const arnOf = (policy: Policy): string => {
    const name = `Policies${policy.replace(/Policy$/, '')}`
    const found = deployed.find(
      ({ type, logicalId }) => type === 'AWS::IAM::ManagedPolicy' && shortName(logicalId) === name,
    )
    if (found === undefined) throw new Error(`The stack has no ${policy}.`)
    return found.physicalId
  }
  const known = new Map<string, Promise<Person>>()
  const versions = new Map<Policy, string>()
  const create = async (policies: readonly Policy[]): Promise<Person> => {
    // Not named after what they have: a refusal begins with their name.
    const UserName = unique('person-')
    await iam('CreateUser', { UserName })
    for (const policy of policies) await iam('AttachUserPolicy', { UserName, PolicyArn: arnOf(policy) })
    const key = await iam('CreateAccessKey', { UserName })
    return { AWS_ACCESS_KEY_ID: key.field('AccessKeyId'), AWS_SECRET_ACCESS_KEY: key.field('SecretAccessKey') }
  }

  return {
    /** Somebody with these policies. */
    with: (policies: readonly Policy[]): Promise<Person> => {
      const key = policies.toSorted().join()
      const found = known.get(key) ?? create(policies)
      known.set(key, found)
      return found
    },
    statements: async (policy: Policy): Promise<readonly Statement[]> =>
      statementsIn((await iam('GetPolicyVersion', { PolicyArn: arnOf(policy), VersionId: 'v1' })).field('Document')),
    /** For everybody who has the policy. */
    setStatements: async (policy: Policy, statements: readonly Statement[]): Promise<void> => {
      const PolicyArn = arnOf(policy)
      const made = { PolicyArn, PolicyDocument: documentOf(statements), SetAsDefault: 'true' }
      const VersionId = (await iam('CreatePolicyVersion', made)).field('VersionId')
      // A policy has five versions at most. The first is the one of the template.
      const last = versions.get(policy)
      if (last !== undefined) await iam('DeletePolicyVersion', { PolicyArn, VersionId: last })
      versions.set(policy, VersionId)
    },
  }
}

export type People = ReturnType<typeof peopleOf>
