import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const ACCOUNT = '123456789012'

export interface Fault {
  readonly name: string
  readonly message: string
}

export interface FakeStack {
  readonly outputs: Readonly<Record<string, string>>
  readonly descriptions?: Readonly<Record<string, string>>
}

export interface FakeAlarm {
  readonly AlarmName: string
  readonly StateValue: 'OK' | 'ALARM' | 'INSUFFICIENT_DATA'
  readonly AlarmDescription?: string
  readonly AlarmActions?: readonly string[]
}

/** What CloudFormation, STS, Lambda, CloudWatch and Secrets Manager answer to the calls that we make, spoken as they speak. */
export const fakeCloud = async () => {
  const stacks: Record<string, FakeStack> = {}
  const alarms: FakeAlarm[] = []
  /** Sums by `source metric`, all counted ten minutes before the query's end. */
  const sums: Record<string, number> = {}
  /** Lines of the functions, by log group. */
  const logs: Record<string, readonly string[]> = {}
  const faults: Record<string, Fault> = {}
  const calls: string[] = []
  /** What somebody else does to the secret between our look and our write. */
  const meanwhile: (() => void)[] = []
  const secret = fakeSecret('{}')

  const xml = (action: string, form: URLSearchParams): string => {
    if (action === 'GetCallerIdentity') return identity
    const name = form.get('StackName')
    const found = Object.entries(stacks).filter(([each]) => name === null || each === name)
    if (name !== null && found.length === 0)
      throw { name: 'ValidationError', message: `Stack with id ${name} does not exist` }
    return `<DescribeStacksResponse><DescribeStacksResult><Stacks>${found.map(stackXml).join('')}</Stacks></DescribeStacksResult></DescribeStacksResponse>`
  }

  const json = (action: string, input: Record<string, never>): unknown => {
    if (action === 'DescribeAlarms')
      return { MetricAlarms: alarms.filter(({ AlarmName }) => AlarmName.startsWith(input.AlarmNamePrefix ?? '')) }
    if (action === 'GetMetricData') return { MetricDataResults: metricResults(input as unknown as MetricInput, sums) }
    if (action === 'FilterLogEvents') return { events: matching(logs[input.logGroupName ?? ''] ?? [], input) }
    if (action === 'PutSecretValue') meanwhile.shift()?.()
    return secret.answer(action, input)
  }

  /** What stands behind Lambda, by the name of the function. */
  const functions: Record<string, (payload: unknown) => Promise<unknown>> = {}

  const invoke = async (name: string, text: string, response: ServerResponse): Promise<void> => {
    calls.push('Invoke')
    const { name: type, message } = faults.Invoke ?? {}
    const answer = type ? { message } : await functions[name]?.(JSON.parse(text))
    if (type) response.writeHead(403, { 'x-amzn-errortype': type })
    response.end(JSON.stringify(answer))
  }

  const answer = (request: IncomingMessage, text: string, response: ServerResponse): void => {
    const target = request.headers['x-amz-target']?.toString().split('.')[1]
    const form = new URLSearchParams(text)
    const action = target ?? form.get('Action') ?? ''
    calls.push(action)
    try {
      const fault = faults[action]
      if (fault) throw fault
      if (target === undefined) response.setHeader('content-type', 'text/xml').end(xml(action, form))
      else
        response
          .setHeader('content-type', 'application/x-amz-json-1.1')
          .end(JSON.stringify(json(action, JSON.parse(text))))
    } catch (error) {
      const { name, message } = error as Fault
      response.statusCode = 400
      if (target === undefined)
        response
          .setHeader('content-type', 'text/xml')
          .end(
            `<ErrorResponse><Error><Type>Sender</Type><Code>${name}</Code><Message>${message}</Message></Error></ErrorResponse>`,
          )
      else
        response.setHeader('content-type', 'application/x-amz-json-1.1').end(JSON.stringify({ __type: name, message }))
    }
  }

  const server = createServer((request, response) => {
    void read(request).then(text => {
      const [, invoked] = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(request.url ?? '') ?? []
      return invoked === undefined ? answer(request, text, response) : invoke(invoked, text, response)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    stacks,
    alarms,
    sums,
    logs,
    faults,
    calls,
    secret,
    meanwhile,
    functions,
    /** For a CLI that takes this for AWS. */
    env: {
      AWS_ENDPOINT_URL_CLOUDFORMATION: url,
      AWS_ENDPOINT_URL_STS: url,
      AWS_ENDPOINT_URL_LAMBDA: url,
      AWS_ENDPOINT_URL_CLOUDWATCH: url,
      AWS_ENDPOINT_URL_CLOUDWATCH_LOGS: url,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: url,
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    },
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
}

/** Those that hold the phrase of the pattern. */
const matching = (lines: readonly string[], { filterPattern = '' }: { readonly filterPattern?: string }) =>
  lines.filter(line => line.includes(filterPattern.slice(1, -1))).map(message => ({ message }))

/** With versions and stages: AWSCURRENT moves only from the version that is said to have it. */
const fakeSecret = (initial: string) => {
  const versions = new Map([['v0', initial]])
  let current = 'v0'
  return {
    text: () => versions.get(current) ?? '',
    /** As the console of AWS does, or a receiver. */
    put: (text: string) => {
      current = randomUUID()
      versions.set(current, text)
    },
    answer(action: string, input: Record<string, string>): unknown {
      if (action === 'GetSecretValue')
        return { SecretString: versions.get(current), VersionId: current, CreatedDate: 1_794_800_000 }
      if (action === 'PutSecretValue') {
        const VersionId = input.ClientRequestToken ?? ''
        versions.set(VersionId, input.SecretString ?? '')
        return { VersionId }
      }
      if (input.RemoveFromVersionId !== current)
        throw { name: 'InvalidParameterException', message: 'The staging label is attached to another version.' }
      current = input.MoveToVersionId ?? ''
      return {}
    },
  }
}

interface MetricInput {
  readonly EndTime: number
  readonly MetricDataQueries: readonly {
    readonly Id: string
    readonly MetricStat: {
      readonly Metric: { readonly MetricName: string; readonly Dimensions: readonly { Name: string; Value: string }[] }
    }
  }[]
}

const metricResults = ({ EndTime, MetricDataQueries }: MetricInput, sums: Readonly<Record<string, number>>) =>
  MetricDataQueries.map(({ Id, MetricStat: { Metric } }) => {
    const source = Metric.Dimensions.find(({ Name }) => Name === 'Source')?.Value
    const sum = sums[`${source} ${Metric.MetricName}`]
    return {
      Id,
      Timestamps: sum === undefined ? [] : [EndTime - 600],
      Values: sum === undefined ? [] : [sum],
      StatusCode: 'Complete',
    }
  })

const identity = `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:sts::${ACCOUNT}:assumed-role/operator/ada</Arn><UserId>AROA:ada</UserId><Account>${ACCOUNT}</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`

const stackXml = ([name, { outputs, descriptions = {} }]: [string, FakeStack]): string => {
  const members = Object.entries(outputs).map(
    ([key, value]) =>
      `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue>${descriptions[key] ? `<Description>${descriptions[key]}</Description>` : ''}</member>`,
  )
  return `<member><StackName>${name}</StackName><StackId>arn:aws:cloudformation:eu-west-1:${ACCOUNT}:stack/${name}/0a1b</StackId><CreationTime>2026-11-16T00:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${members.join('')}</Outputs></member>`
}

const read = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}
