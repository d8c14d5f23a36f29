import type { Deployment } from '../integration/deployment.ts'
import { documentOf, iamApi, statementsIn } from './iam-api.ts'
import type { Deployed } from './name-calls.ts'
import type { Statement } from './read-grants.ts'
import { shortName } from './template-names.ts'

/** The roles of a deployed stack. */
export const rolesOf = (deployment: Deployment, deployed: readonly Deployed[]) => {
  const { iam, lambda } = iamApi(deployment)
  const named = (type: string, name: string): Deployed => {
    const found = deployed.find(each => each.type === type && shortName(each.logicalId) === name)
    if (found === undefined) throw new Error(`The stack has no ${type} ${name}.`)
    return found
  }
  const policyOf = (caller: string) => ({
    RoleName: named('AWS::IAM::Role', `${caller}Role`).physicalId,
    PolicyName: named('AWS::IAM::Policy', `${caller}RoleDefaultPolicy`).logicalId,
  })
  const functionOf = (caller: string): string => named('AWS::Lambda::Function', `${caller}Function`).physicalId

  return {
    statements: async (caller: string): Promise<readonly Statement[]> =>
      statementsIn((await iam('GetRolePolicy', policyOf(caller))).field('PolicyDocument')),
    setStatements: async (caller: string, statements: readonly Statement[]): Promise<void> => {
      await iam('PutRolePolicy', { ...policyOf(caller), PolicyDocument: documentOf(statements) })
    },
    /** New processes, which remember nothing: the cached secrets of the old ones hide that they may no longer be read. */
    restart: async (caller: string): Promise<void> => {
      await lambda('PUT', `functions/${functionOf(caller)}/configuration`, { MemorySize: 512 })
    },
    invoke: (caller: string): Promise<string> => lambda('POST', `functions/${functionOf(caller)}/invocations`, {}),
  }
}

export type Roles = ReturnType<typeof rolesOf>
