import { sign } from '../../functions/adapters/lean/sign.ts'
import type { Deployment } from '../integration/deployment.ts'
import type { Statement } from './read-grants.ts'

/** IAM and Lambda of an emulator, by plain signed requests. */
export const iamApi = ({
  region,
  credentials = { accessKeyId: '', secretAccessKey: '' },
  endpoints,
}: Pick<Deployment, 'region' | 'credentials' | 'endpoints'>) => {
  const endpoint = endpoints?.dynamodb ?? ''
  const call = async (service: string, method: string, path: string, body: string, type: string): Promise<string> => {
    const unsigned = { method, host: new URL(endpoint).host, path, headers: { 'content-type': type }, body }
    const { host: _, ...headers } = sign(unsigned, { service, region }, credentials, Date.now())
    const answer = await fetch(endpoint + path, { method, headers, body: body || null })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${service} answered ${answer.status}: ${text}`)
    return text
  }
  return {
    /** `functions/...` or `event-source-mappings/...` */
    lambda: (method: string, path: string, input?: object): Promise<string> =>
      call('lambda', method, `/2015-03-31/${path}`, input ? JSON.stringify(input) : '', 'application/json'),
    iam: async (action: string, input: Readonly<Record<string, string>>): Promise<Answer> => {
      const form = new URLSearchParams({ Action: action, Version: '2010-05-08', ...input })
      const text = await call('iam', 'POST', '/', form.toString(), 'application/x-www-form-urlencoded')
      return { field: name => new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(text)?.[1] ?? '' }
    },
  }
}

interface Answer {
  field(name: string): string
}

/** The statements of a policy, as IAM answers them. */
export const statementsIn = (document: string): readonly Statement[] =>
  JSON.parse(decodeURIComponent(document)).Statement

/** A policy has one statement at least. This one allows what needs no permission. */
export const documentOf = (statements: readonly Statement[]): string => {
  const nothing = { Effect: 'Allow', Action: 'sts:GetCallerIdentity', Resource: '*' }
  return JSON.stringify({ Version: '2012-10-17', Statement: statements.length > 0 ? statements : [nothing] })
}
