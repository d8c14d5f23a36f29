import { runSimulation } from '@cloud-copilot/iam-simulate'
import type { NamedCall } from './name-calls.ts'
import type { Policies } from './read-grants.ts'
import { ACCOUNT, arnOf } from './template-names.ts'

/** Why a call would be refused, or nothing if it is allowed. */
export const judgeCall = async (
  { caller, action, resource }: NamedCall,
  { identity, resource: attached }: Policies,
  context: Readonly<Record<string, string>> = OVER_TLS,
): Promise<string | undefined> => {
  const documents = identity[caller] ?? []
  const owner = Object.keys(attached).find(arn => resource === arn || resource.startsWith(`${arn}/`))
  const answer = await runSimulation(
    {
      request: {
        principal: arnOf('AWS::IAM::Role', `${caller.replaceAll(/\W/g, '')}Role`),
        action,
        resource: { resource, accountId: ACCOUNT },
        contextVariables: { ...context },
      },
      identityPolicies: documents.map((policy, index) => ({ name: `${caller} ${index}`, policy })),
      serviceControlPolicies: [],
      resourceControlPolicies: [],
      ...(owner !== undefined && { resourcePolicy: attached[owner] }),
    },
    {},
  )
  if (answer.resultType === 'error') return JSON.stringify(answer.errors)
  return answer.overallResult === 'Allowed' ? undefined : answer.overallResult
}

/** As every SDK calls. */
export const OVER_TLS = { 'aws:SecureTransport': 'true', 's3:TlsVersion': '1.3' }
