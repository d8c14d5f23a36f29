import { ERASE_ALIAS, OUTPUTS } from '../../functions/contract/outputs.ts'

/** An AWS fault as a sentence: what happened, and what to do. `undefined` for anything else. */
export const explainFault = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  if (DENIED.has(error.name)) return explainDenied(error.message)
  // Our own client has the code as the name of its fault.
  const { code = error.name } = error as { code?: unknown }
  if (typeof code === 'string' && UNREACHABLE.has(code)) return unreachable(code)
  if (error instanceof AggregateError) return explainFault(error.errors[0])
  return FAULTS.find(fault => fault.applies(error))?.says
}

/** Whether the caller's permissions, and nothing else, stood in the way. */
export const isDenied = (error: unknown): boolean => error instanceof Error && DENIED.has(error.name)

/** Whether the same call may well work in a moment: the network is away, or AWS is busy. */
export const isPassing = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return isPassing(error.errors[0])
  const { code = error.name, $fault } = error as { code?: unknown; $fault?: unknown }
  return (
    [code, error.name].some(name => UNREACHABLE.has(name as string) || BUSY.has(name as string)) || $fault === 'server'
  )
}

const DENIED: ReadonlySet<string> = new Set([
  'AccessDenied',
  'AccessDeniedException',
  'UnauthorizedOperation',
  'AuthorizationError',
])

const UNREACHABLE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EPIPE',
  'ETIMEDOUT',
])

const TIMEOUT = 'TimeoutError'

const THROTTLED = [
  'ThrottlingException',
  'Throttling',
  'RequestLimitExceeded',
  'ProvisionedThroughputExceededException',
  'TooManyRequestsException',
]

const BUSY: ReadonlySet<string> = new Set([TIMEOUT, ...THROTTLED])

const unreachable = (code: string): string =>
  process.env.AWS_ENDPOINT_URL
    ? `Nobody answers at AWS_ENDPOINT_URL ${process.env.AWS_ENDPOINT_URL} (${code}): is the emulator running?`
    : `AWS does not answer (${code}): is there a network, and is the region spelled right?`

interface Fault {
  readonly applies: (error: Error) => boolean
  readonly says: string
}

const named =
  (...names: string[]): Fault['applies'] =>
  ({ name }) =>
    names.includes(name)

const FAULTS: readonly Fault[] = [
  {
    applies: named('ExpiredToken', 'ExpiredTokenException', 'RequestExpired', 'TokenRefreshRequired'),
    says: 'Your AWS credentials have expired: sign in again (such as `aws sso login`), then repeat the command.',
  },
  {
    applies: named(
      'UnrecognizedClientException',
      'InvalidClientTokenId',
      'InvalidAccessKeyId',
      'SignatureDoesNotMatch',
      'AuthFailure',
    ),
    says: 'AWS does not know these credentials: see which ones are used with `aws sts get-caller-identity`, or name others with --profile.',
  },
  {
    applies: named('CredentialsProviderError', 'TokenProviderError'),
    says: 'There are no AWS credentials here: sign in (aws sso login, aws configure), or name a profile that has some with --profile.',
  },
  {
    applies: ({ message }) => message.startsWith('Region is missing'),
    says: 'No AWS region is set: name one with --region, AWS_REGION or a profile.',
  },
  {
    applies: named('ResourceNotFoundException', 'TableNotFoundException'),
    says: 'The stack names a table, function, secret or log group that does not exist: it was deleted by hand, or the stack is being deleted. Restore it, or deploy again.',
  },
  {
    applies: named('QueueDoesNotExist', 'AWS.SimpleQueueService.NonExistentQueue'),
    says: 'The stack names a queue that does not exist: it was deleted by hand, or the stack is being deleted. Deploy again.',
  },
  {
    applies: named('NoSuchBucket'),
    says: 'The stack names a bucket that does not exist: it was deleted by hand, or the stack is being deleted. Deploy again.',
  },
  {
    applies: named(TIMEOUT),
    says: 'AWS took too long to answer: try again, and check the AWS status page of the region.',
  },
  {
    applies: named(...THROTTLED),
    says: 'AWS limits how fast it answers: wait a moment and try again.',
  },
]

/** What AWS says of a refusal: `User: <who> is not authorized to perform: <action> on resource: <what> because ...`. */
const explainDenied = (message: string): string => {
  const action = /perform: ([\w-]+:\w+)/.exec(message)?.[1]
  const resource = /resource: (\S+)/.exec(message)?.[1] ?? ''
  const who = /User: (\S+)/.exec(message)?.[1]
  const subject = who ?? 'The caller of these AWS credentials'
  const what = action === undefined ? 'this' : `${action}${resource === '' ? '' : ` on ${resource}`}`
  return `${subject} has no permission for ${what}. ${policyFor(action, resource)}: ask for it to be attached.`
}

/** Which of the stack's policies gives it. Two that give the same action are told apart by the resource, if AWS names it. */
const policyFor = (action = 's3:GetObject', resource: string): string => {
  const [service] = action.split(':')
  if (resource === '' && (service === 'dynamodb' || service === 'lambda')) {
    const either = {
      dynamodb: 'ReadPolicy (for events) and BodiesPolicy (for bodies)',
      lambda: 'ReplayPolicy and ErasePolicy (to erase)',
    }
    return `The stack's outputs ${either[service]} are the ARNs of the policies that give it`
  }
  return `The stack's output ${outputFor(service, resource)} is the ARN of the policy that gives it`
}

const outputFor = (service: string | undefined, resource: string): string => {
  if (service === 's3' || /Bodies/.test(resource)) return OUTPUTS.bodiesPolicy
  if (service === 'secretsmanager') return OUTPUTS.secretsPolicy
  if (service !== 'lambda') return OUTPUTS.readPolicy
  return resource.endsWith(`:${ERASE_ALIAS}`) ? OUTPUTS.erasePolicy : OUTPUTS.replayPolicy
}
