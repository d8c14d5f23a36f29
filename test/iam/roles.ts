import { sign } from '../../functions/adapters/lean/sign.ts'
import type { Deployment } from '../integration/deployment.ts'
import type { Deployed } from './name-calls.ts'
import type { Statement } from './read-grants.ts'
import { shortName } from './template-names.ts'

/** The roles of a deployed stack, by plain signed requests. */
export const rolesOf = (
  { region, credentials = { accessKeyId: '', secretAccessKey: '' }, endpoints }: Deployment,
  deployed: readonly Deployed[],
) => {
  const endpoint = endpoints?.dynamodb ?? ''
  const call = async (service: string, method: string, path: string, body: string, type: string): Promise<string> => {
    const unsigned = { method, host: new URL(endpoint).host, path, headers: { 'content-type': type }, body }
    const { host: _, ...headers } = sign(unsigned, { service, region }, credentials, Date.now())
    const answer = await fetch(endpoint + path, { method, headers, body })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${service} answered ${answer.status}: ${text}`)
    return text
  }
  const ask = (action: string, input: Record<string, string>): Promise<string> => {
    const form = new URLSearchParams({ Action: action, Version: '2010-05-08', ...input })
    return call('iam', 'POST', '/', form.toString(), 'application/x-www-form-urlencoded')
  }
  const named = (type: string, name: string): Deployed => {
    const found = deployed.find(each => each.type === type && shortName(each.logicalId) === name)
    if (found === undefined) throw new Error(`The stack has no ${type} ${name}.`)
    return found
  }
  const policyOf = (caller: string) => ({
    RoleName: named('AWS::IAM::Role', `${caller}Role`).physicalId,
    PolicyName: named('AWS::IAM::Policy', `${caller}RoleDefaultPolicy`).logicalId,
  })
  const functionPath = (caller: string): string =>
    `/2015-03-31/functions/${named('AWS::Lambda::Function', `${caller}Function`).physicalId}`

  return {
    statements: async (caller: string): Promise<readonly Statement[]> => {
      const text = await ask('GetRolePolicy', policyOf(caller))
      const [, document = '{}'] = /<PolicyDocument>([\s\S]*?)<\/PolicyDocument>/.exec(text) ?? []
      return JSON.parse(decodeURIComponent(document)).Statement
    },
    setStatements: async (caller: string, statements: readonly Statement[]): Promise<void> => {
      const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement: statements })
      await ask('PutRolePolicy', { ...policyOf(caller), PolicyDocument })
    },
    /** New processes, which remember nothing: the cached secrets of the old ones hide that they may no longer be read. */
    restart: async (caller: string): Promise<void> => {
      const same = JSON.stringify({ MemorySize: 512 })
      await call('lambda', 'PUT', `${functionPath(caller)}/configuration`, same, JSON_TYPE)
    },
    invoke: (caller: string): Promise<string> =>
      call('lambda', 'POST', `${functionPath(caller)}/invocations`, '{}', JSON_TYPE),
  }
}

export type Roles = ReturnType<typeof rolesOf>

const JSON_TYPE = 'application/json'
