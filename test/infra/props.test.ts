import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { App, Aws, CfnParameter, Duration, Fn, Lazy, Stack } from 'aws-cdk-lib'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import { type IVpc, SecurityGroup, Vpc } from 'aws-cdk-lib/aws-ec2'
import { Key } from 'aws-cdk-lib/aws-kms'
import { Runtime, RuntimeFamily } from 'aws-cdk-lib/aws-lambda'
import { RetentionDays } from 'aws-cdk-lib/aws-logs'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { type RECEIVER_RULES, receiverMistakes } from '../../lib/constructs/receiver-props.ts'
import { synth } from '../../lib/stacks/synth.ts'
import { scratchDirectory } from '../support/scratch-directory.ts'
import { receiverStack, SOURCES } from './synth.ts'

const stack = new Stack(new App(), 'Props')
const certificate = Certificate.fromCertificateArn(stack, 'Certificate', 'arn:aws:acm:eu-central-1:1:certificate/1')
const alarmTopic = Topic.fromTopicArn(stack, 'Topic', 'arn:aws:sns:eu-central-1:123456789012:alarms')
const encryptionKey = Key.fromKeyArn(stack, 'Key', 'arn:aws:kms:eu-central-1:123456789012:key/1')
const vpc = new Vpc(stack, 'Vpc') as IVpc
const securityGroups = [new SecurityGroup(stack, 'Group', { vpc })]
const someText = Fn.importValue('SomeText')
const someNumber = new CfnParameter(stack, 'Number', { type: 'Number' }).valueAsNumber

interface Cases {
  readonly right: readonly unknown[]
  /** Each with what the mistake says was found, and a part of what it expects. */
  readonly wrong: readonly (readonly [value: unknown, found: string, expected: string])[]
}

const MEMORY: Cases = {
  right: [128, 10_240, someNumber],
  wrong: [
    [127, '127', 'from 128 to 10240'],
    [10_241, '10241', 'from 128 to 10240'],
    [512.5, '512.5', 'a whole number'],
    ['512', '"512"', 'a whole number'],
  ],
}

const SWITCH: Cases = {
  right: [true, false],
  wrong: [
    ['true', '"true"', 'true or false'],
    [Lazy.any({ produce: () => true }), 'a token, which has no value before the deployment', 'true or false'],
  ],
}

const MODULE: Cases = {
  right: ['sources.ts', `${import.meta.dirname}/synth.ts`],
  wrong: [
    ['nowhere.ts', '"nowhere.ts"', 'a module that exists'],
    ['', '""', 'a module that exists'],
    [someText, 'a token, which has no value before the deployment', 'a module that exists'],
  ],
}

const CASES = {
  bind: {
    right: [{}],
    wrong: [
      [{ crm: alarmTopic }, 'an object (Object)', 'and no other name'],
      [
        { crm: Queue.fromQueueArn(stack, 'Crm', 'arn:aws:sqs:eu-central-1:1:crm') },
        'an object (Object)',
        'no other name',
      ],
    ],
  },
  sourcesModule: MODULE,
  environment: {
    right: ['production', 'eu_1.blue', 'x'.repeat(64), Aws.REGION],
    wrong: [
      ['', '""', '1 to 64 characters'],
      ['two words', '"two words"', 'without spaces'],
      ['größe', '"größe"', 'ASCII'],
      [':x', '":x"', 'begin with a colon'],
      ['x'.repeat(65), `"${'x'.repeat(65)}"`, '1 to 64 characters'],
      [7, '7', 'a text'],
    ],
  },
  worker: MODULE,
  workerTimeout: {
    right: [Duration.seconds(2), Duration.minutes(15), Duration.millis(2_000)],
    wrong: [
      [Duration.seconds(0), 'Duration.seconds(0)', 'from 2 seconds'],
      [Duration.seconds(1), 'Duration.seconds(1)', 'from 2 seconds (it reports in its last one) to 15 minutes'],
      [Duration.seconds(901), 'Duration.seconds(901)', 'to 15 minutes'],
      [Duration.millis(1_500), 'Duration.millis(1500)', 'whole seconds'],
      [30, '30', 'a Duration'],
      [Duration.seconds(someNumber), 'a Duration made of a token', 'known at synth'],
    ],
  },
  tries: {
    right: [1, 16, 60],
    wrong: [
      [0, '0', 'a whole number from 1 to 60'],
      [61, '61', 'a whole number from 1 to 60'],
      [1.5, '1.5', 'a whole number from 1 to 60'],
    ],
  },
  workerMaxConcurrency: {
    right: [2, 1_000, someNumber],
    wrong: [
      [1, '1', 'a whole number from 2 to 1000'],
      [1_001, '1001', 'a whole number from 2 to 1000'],
    ],
  },
  workerMemorySize: MEMORY,
  ordered: SWITCH,
  api: {
    right: ['http', 'rest'],
    wrong: [
      ['grpc', '"grpc"', 'one of "http", "rest"'],
      [someText, 'a token, which has no value before the deployment', 'one of "http", "rest"'],
    ],
  },
  domain: {
    right: [
      { name: 'hooks.example.com', certificate },
      { name: 'xn--bcher-kva.example', certificate },
      { name: someText, certificate },
    ],
    wrong: [],
  },
  disableExecuteApiEndpoint: {
    right: [false],
    wrong: [...SWITCH.wrong, [true, 'true', 'a domain beside it, because nobody could reach the API without one']],
  },
  canary: SWITCH,
  dashboard: SWITCH,
  throwAway: SWITCH,
  alarmTopic: {
    right: [alarmTopic],
    wrong: [
      [
        'arn:aws:sns:eu-central-1:123456789012:alarms',
        '"arn:aws:sns:eu-central-1:123456789012:alarms"',
        'an SNS topic',
      ],
      [{ arn: 'alarms' }, 'an object (Object)', 'an SNS topic'],
      [certificate, `an object (${certificate.constructor.name})`, 'an SNS topic'],
    ],
  },
  requestsPerSecond: {
    right: [1, 25_000],
    wrong: [
      [0, '0', 'a whole number of at least 1'],
      [1.5, '1.5', 'a whole number of at least 1'],
      [someNumber, 'a token, which has no value before the deployment', 'a whole number'],
    ],
  },
  reservedConcurrency: {
    right: [0, 1_000, someNumber],
    wrong: [
      [-1, '-1', 'a whole number of at least 0'],
      ['ten', '"ten"', 'a whole number of at least 0'],
    ],
  },
  memorySize: MEMORY,
  client: { right: ['lean', 'sdk'], wrong: [['fast', '"fast"', 'one of "lean", "sdk"']] },
  consumerClient: { right: ['lean', 'sdk'], wrong: [['fast', '"fast"', 'one of "lean", "sdk"']] },
  runtime: {
    right: [Runtime.NODEJS_22_X, Runtime.NODEJS_24_X, new Runtime(someText, RuntimeFamily.NODEJS)],
    wrong: [
      [Runtime.NODEJS_20_X, 'an object (Runtime)', 'Node.js 22 or newer'],
      [Runtime.PYTHON_3_13, 'an object (Runtime)', 'Node.js 22 or newer'],
      ['nodejs24.x', '"nodejs24.x"', 'a Runtime'],
    ],
  },
  logRetention: {
    right: [RetentionDays.ONE_DAY, RetentionDays.INFINITE, someNumber],
    wrong: [
      [2, '2', 'one of RetentionDays'],
      ['ONE_DAY', '"ONE_DAY"', 'one of RetentionDays'],
    ],
  },
  encryptionKey: {
    right: [encryptionKey],
    wrong: [['arn:aws:kms:eu-central-1:1:key/1', '"arn:aws:kms:eu-central-1:1:key/1"', 'a key of KMS']],
  },
  vpc: { right: [vpc], wrong: [['vpc-1', '"vpc-1"', 'a VPC']] },
  vpcSubnets: { right: [], wrong: [[{}, 'an object (Object)', 'a vpc beside it']] },
  securityGroups: { right: [], wrong: [[securityGroups, 'a list', 'a vpc beside it']] },
} satisfies Record<keyof typeof RECEIVER_RULES, Cases>

const mistakes = (props: object) => receiverMistakes({ sources: SOURCES, ...props })

const wrong = Object.entries(CASES as Record<string, Cases>).flatMap(([prop, cases]) =>
  cases.wrong.map(([value, found, expected]) => ({ prop, value, found, expected })),
)

it.each(wrong)('the prop $prop is refused as $found, with $expected expected', ({ prop, value, found, expected }) => {
  const all = mistakes({ [prop]: value })
  expect(all).toHaveLength(1)
  expect(all[0]?.startsWith(`${prop}: found ${found}, expected `)).toBe(true)
  expect(all[0]).toContain(expected)
})

it.each(Object.entries(CASES))(
  'the prop %s is taken at its edges, and as a token if nothing is computed from it',
  (prop, cases) => {
    for (const value of [undefined, ...cases.right]) expect(mistakes({ [prop]: value })).toEqual([])
  },
)

it.each([
  [
    { name: 'Hooks.example.com', certificate },
    'domain.name: found "Hooks.example.com", expected a domain name in lower case',
  ],
  [{ name: '*.example.com', certificate }, 'domain.name: found "*.example.com", expected'],
  [{ name: 'localhost', certificate }, 'domain.name: found "localhost", expected'],
  [{ name: 'hooks.example.com' }, 'domain.certificate: found nothing, expected a certificate'],
  [{ name: 'hooks.example.com', certificate: 'arn:' }, 'domain.certificate: found "arn:", expected a certificate'],
])('a domain is refused by the field that is wrong: %#', (domain, sentence) => {
  expect(mistakes({ domain })).toEqual([expect.stringContaining(sentence)])
})

it('the execute-api address can be closed beside a domain', () => {
  const domain = { name: 'hooks.example.com', certificate }
  expect(mistakes({ domain, disableExecuteApiEndpoint: true })).toEqual([])
})

it('subnets and security groups are taken beside a VPC, and a group by its name is not', () => {
  expect(mistakes({ vpc, vpcSubnets: {}, securityGroups })).toEqual([])
  expect(mistakes({ vpc, securityGroups: ['sg-1'] })).toEqual([
    'securityGroups: found a list, expected a list of security groups',
  ])
})

it('a domain that is only a text lacks both of its fields', () => {
  expect(mistakes({ domain: 'hooks.example.com' })).toHaveLength(2)
})

it('a source with a schema asks for the module it is in', () => {
  const sources = { orders: { provider: 'internal', allow: '*', schema: z.object({}) } }
  expect(mistakes({ sources })).toEqual([
    'sourcesModule: found nothing, expected the path of the module that exports these sources, since orders has a schema',
  ])
  expect(mistakes({ sources, sourcesModule: 'sources.ts' })).toEqual([])
})

it('every mistake of the props and of the sources is in one error of the synth', () => {
  const sources = { ...SOURCES, one: { provider: 'nobody' } }
  const props = { sources, memorySize: 1, api: 'grpc', alarmTopicArn: 'alarms' } as never
  expect(() => receiverStack(props)).toThrow(
    /^The receiver cannot be built:\n- one\.provider: .*\n- api: found "grpc", .*\n- memorySize: found 1, .*\n- alarmTopicArn: found "alarms", expected the ARN[^\n]*$/,
  )
})

it('two destinations of one name are a mistake of the synth, although the data has only one of them', () => {
  const directory = scratchDirectory()
  writeFileSync(join(directory, 'sources.ts'), 'export default {}')
  writeFileSync(
    join(directory, 'destinations.ts'),
    "export default {\n  crm: { queue: 'a' },\n  crm: { queue: 'b' },\n}\n",
  )
  expect(mistakes({ sourcesModule: join(directory, 'sources.ts'), memorySize: 1 })).toEqual([
    'destinations.ts: found "crm" a second time in line 3, expected each name once',
    expect.stringMatching(/^memorySize: /),
  ])
})

it('an alarm topic is given as a topic or by its ARN, not as both', () => {
  const alarmTopicArn = 'arn:aws-us-gov:sns:us-gov-west-1:123456789012:alarms.fifo'
  expect(() => receiverStack({ alarmTopicArn })).not.toThrow()
  expect(() => receiverStack({ alarmTopicArn: someText })).not.toThrow()
  expect(() => receiverStack({ alarmTopicArn, alarmTopic })).toThrow(
    `alarmTopicArn: found "${alarmTopicArn}", expected nothing: there is an alarmTopic already`,
  )
})

it('every mistake on the command line of cdk is in one error', () => {
  const context = {
    environment: 'my stage',
    api: 'soap',
    alarmTopic: 'alarms',
    encryptionKey: 'alias/mine',
    logRetention: '2',
    throwAway: 'yes',
    runtime: 'nodejs20.x',
  }
  expect(() => synth(SOURCES, new App({ context }))).toThrow(
    [
      'The receiver cannot be built:',
      '- -c environment: found "my stage", expected 1 to 64 letters, digits and hyphens: it is a part of the name of the stack',
      '- -c api: found "soap", expected one of "http", "rest", "url"',
      '- -c alarmTopic: found "alarms", expected the ARN of an SNS topic, such as arn:aws:sns:eu-central-1:123456789012:alarms',
      '- -c encryptionKey: found "alias/mine", expected the ARN of a KMS key, such as arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab',
      '- -c logRetention: found "2", expected a number of days that CloudWatch Logs takes, such as 7, 30, 90 or 365',
      '- -c throwAway: found "yes", expected true or false',
      '- -c runtime: found "nodejs20.x", expected nodejs22.x or newer',
    ].join('\n'),
  )
})
