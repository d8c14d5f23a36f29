import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Token } from 'aws-cdk-lib'
import { type Runtime, RuntimeFamily } from 'aws-cdk-lib/aws-lambda'
import { RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Sources } from '../../functions/domain/source.ts'
import { validateSources } from '../../functions/providers/sources.ts'
import { isDuration, mistakesOf, type PropRule, type PropRules } from './check-props.ts'
import type { WebhookReceiverProps } from './receiver-props.ts'

/** Every mistake in the sources and in the other props. */
export const receiverMistakes = (props: WebhookReceiverProps): readonly string[] => [
  ...validateSources(props.sources),
  ...mistakesOf(RECEIVER_RULES, props),
]

/** The names of the sources whose schema has to be bundled. */
export const withSchema = (sources: unknown): readonly string[] =>
  Object.entries(Object(sources) as Partial<Sources>)
    .filter(([, source]) => source?.schema !== undefined)
    .map(([name]) => name)

const wholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER): PropRule => ({
  expected:
    max === Number.MAX_SAFE_INTEGER ? `a whole number of at least ${min}` : `a whole number from ${min} to ${max}`,
  holds: value => Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
})

export const oneOf = (...values: readonly unknown[]): PropRule => ({
  expected: `one of ${values.map(value => JSON.stringify(value)).join(', ')}`,
  holds: value => values.includes(value),
  takesNoToken: true,
})

/** A switch decides which resources there are, and only the synth can decide that. */
const yesOrNo: PropRule = { ...oneOf(true, false), expected: 'true or false' }

const existingModule: PropRule = {
  expected: 'the path of a module that exists, absolute or from the directory of the synth',
  holds: value => typeof value === 'string' && value !== '' && existsSync(resolve(value)),
  takesNoToken: true,
}

const has = (field: string, what: string): PropRule => ({
  expected: what,
  holds: value => typeof value === 'object' && value !== null && field in value,
  takesNoToken: true,
})

export const TOPIC_ARN: PropRule = {
  expected: 'the ARN of an SNS topic, such as arn:aws:sns:eu-central-1:123456789012:alarms',
  holds: value => typeof value === 'string' && /^arn:[\w-]+:sns:[a-z0-9-]+:\d{12}:[\w-]+(\.fifo)?$/.test(value),
}

const LAMBDA_MEMORY = wholeNumber(128, 10_240)

/** The functions use zstd, which Node has from version 22.15 on. */
export const OLDEST_NODE = 22

const isRuntime = (value: unknown): boolean => {
  const { name, family } = Object(value) as Partial<Runtime>
  return family === RuntimeFamily.NODEJS && (Token.isUnresolved(name) || isNode(name))
}

export const isNode = (name: unknown): boolean =>
  typeof name === 'string' && Number(/^nodejs(\d+)\.x$/.exec(name)?.[1] ?? 0) >= OLDEST_NODE

const isTimeout = (value: unknown): boolean => {
  if (!isDuration(value) || value.isUnresolved()) return false
  const milliseconds = value.toMilliseconds()
  return milliseconds % 1000 === 0 && milliseconds >= 1000 && milliseconds <= 900_000
}

/** What each prop may be: a new one does not compile without its rules. The sources have rules of their own. */
export const RECEIVER_RULES = {
  sourcesModule: [
    existingModule,
    {
      expected: ({ sources }) =>
        `the path of the module that exports these sources, since ${withSchema(sources).join(', ')} has a schema`,
      holds: (value, { sources }) => value !== undefined || withSchema(sources).length === 0,
      asksMissing: true,
    },
  ],
  environment: [
    {
      // It is a dimension of the metrics, which CloudWatch takes in these characters only.
      expected: 'a text of 1 to 64 characters without spaces, of ASCII, that does not begin with a colon',
      holds: value => typeof value === 'string' && /^(?!:)[!-~]{1,64}$/.test(value),
    },
  ],
  worker: [existingModule],
  workerTimeout: [
    {
      // The queue hides a message six times as long.
      expected: 'a Duration of whole seconds, from 1 second to 15 minutes, that is known at synth',
      holds: isTimeout,
      takesNoToken: true,
    },
  ],
  workerMaxConcurrency: [wholeNumber(2, 1_000)],
  workerMemorySize: [LAMBDA_MEMORY],
  ordered: [yesOrNo],
  api: [oneOf('http', 'rest')],
  domain: [
    {
      field: 'name',
      expected: 'a domain name in lower case, without a wildcard, such as hooks.example.com',
      holds: value =>
        typeof value === 'string' &&
        value.length <= 253 &&
        /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(value),
    },
    { field: 'certificate', ...has('certificateArn', 'a certificate of ACM') },
  ],
  canary: [yesOrNo],
  throwAway: [yesOrNo],
  alarmTopic: [has('topicArn', 'an SNS topic')],
  // Twice the number is the burst.
  requestsPerSecond: [{ ...wholeNumber(1), takesNoToken: true }],
  reservedConcurrency: [wholeNumber(0)],
  memorySize: [LAMBDA_MEMORY],
  client: [oneOf('lean', 'sdk')],
  runtime: [{ expected: `a Runtime of Node.js ${OLDEST_NODE} or newer`, holds: isRuntime, takesNoToken: true }],
  logRetention: [
    {
      expected: 'one of RetentionDays, since CloudWatch takes no other numbers of days',
      holds: value => typeof value === 'number' && RetentionDays[value] !== undefined,
    },
  ],
} satisfies PropRules<Exclude<keyof WebhookReceiverProps, 'sources'>>
