import { CloudFormationServiceException, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation'
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts'
import { OUTPUTS, type OutputName, sourceOfUrl } from '../../functions/contract/outputs.ts'
import { nearest } from '../../functions/providers/suggest.ts'
import type { CloudClients } from './cloud-clients.ts'
import { isRefusal, type Refusal, refuse } from './refusal.ts'

/** Without these, nothing can be read. What came later is missed only by the commands that need it. */
const CORE = [
  'environment',
  'eventsTable',
  'bodiesTable',
  'bodiesBucket',
  'queueUrl',
  'deadLettersUrl',
  'signingSecrets',
] as const satisfies readonly OutputName[]

export interface FoundStack {
  readonly region: string
  readonly account: string
  readonly outputs: Readonly<Partial<Record<OutputName, string>>>
  readonly core: Readonly<Record<(typeof CORE)[number], string>>
  /** Of each source. */
  readonly urls: ReadonlyMap<string, string>
}

type Asked = Pick<CloudClients, 'cloudformation' | 'sts'>

export const findStack = async (clients: Asked, name: string): Promise<FoundStack | Refusal> => {
  const stack = await describe(clients, name)
  if (isRefusal(stack)) return stack
  const outputs = outputsOf(stack)
  const missing = CORE.filter(each => outputs[each] === undefined).map(each => OUTPUTS[each])
  if (missing.length === CORE.length)
    return refuse(`The stack ${name} exists, but is not a Hooklatch stack: it has no output ${missing[0]}.`)
  if (missing.length > 0) {
    return refuse(
      `The stack ${name} was deployed by an older version and has no output ${missing.join(', ')}: deploy it again with this version of Hooklatch.`,
    )
  }
  const [, , , region = '', account = ''] = (stack.StackId ?? '').split(':')
  return { region, account, outputs, core: outputs as FoundStack['core'], urls: urlsOf(stack) }
}

const describe = async (clients: Asked, name: string): Promise<Stack | Refusal> => {
  try {
    const { Stacks = [] } = await clients.cloudformation.send(new DescribeStacksCommand({ StackName: name }))
    return Stacks[0] ?? (await noSuchStack(clients, name))
  } catch (error) {
    // CloudFormation has no error of its own for it.
    const absent = error instanceof CloudFormationServiceException && /does not exist/.test(error.message)
    if (absent) return noSuchStack(clients, name)
    throw error
  }
}

const noSuchStack = async (clients: Asked, name: string): Promise<Refusal> => {
  const [names, where] = await Promise.all([receiversIn(clients), placeOf(clients)])
  const suggestion = nearest(name, names)
  const hint = suggestion
    ? `Did you mean ${suggestion}?`
    : names.length > 0
      ? `There are ${names.join(', ')}.`
      : 'There is no Hooklatch stack at all: are --profile and --region right?'
  return refuse(`There is no stack ${name} in ${where}. ${hint}`)
}

/** Those of ours, as far as the caller may list stacks. */
const receiversIn = async ({ cloudformation }: Asked): Promise<string[]> => {
  try {
    const { Stacks = [] } = await cloudformation.send(new DescribeStacksCommand())
    return Stacks.filter(stack => outputsOf(stack).eventsTable !== undefined).flatMap(
      ({ StackName }) => StackName ?? [],
    )
  } catch {
    return []
  }
}

const placeOf = async ({ cloudformation, sts }: Asked): Promise<string> => {
  const region = await cloudformation.config.region()
  try {
    const { Account } = await sts.send(new GetCallerIdentityCommand())
    return `${region}, account ${Account}`
  } catch {
    return region
  }
}

const outputsOf = ({ Outputs = [] }: Stack): FoundStack['outputs'] => {
  const values = new Map(Outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]))
  return Object.fromEntries(
    Object.entries(OUTPUTS).flatMap(([name, key]) => {
      const value = values.get(key)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

const urlsOf = ({ Outputs = [] }: Stack): ReadonlyMap<string, string> =>
  new Map(
    Outputs.flatMap(({ Description, OutputValue }) => {
      const source = sourceOfUrl(Description)
      return source !== undefined && OutputValue !== undefined ? [[source, OutputValue] as const] : []
    }),
  )
