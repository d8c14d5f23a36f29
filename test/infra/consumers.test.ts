import { Duration } from 'aws-cdk-lib'
import { describe, expect, it } from 'vitest'
import type { Provider } from '../../functions/domain/provider.ts'
import { providers } from '../../functions/providers/catalogue.ts'
import { resolveSources } from '../../functions/providers/sources.ts'
import sources from '../../sources.ts'
import { allowed, arnOf, everyPrefix, refTo } from './read-template.ts'
import { ORDERED_SOURCES, receiverStack, synth } from './synth.ts'

const plain = synth()
const ordered = synth({ sources: ORDERED_SOURCES })

const RECORDS_AND_BODIES = [
  'dynamodb:GetItem on Tables/Bodies',
  'dynamodb:GetItem on Tables/Events',
  'dynamodb:UpdateItem on Tables/Bodies',
  'dynamodb:PutItem on Tables/Events',
  'dynamodb:UpdateItem on Tables/Events',
  ...everyPrefix('s3:GetObject'),
  's3:ListBucket on Bodies/Bucket',
  ...everyPrefix('s3:PutObject', 14),
  // It seals messages; the secrets of senders are none of theirs.
  'secretsmanager:GetSecretValue on Secrets/FingerprintKey',
  'xray:PutTelemetryRecords on *',
  'xray:PutTraceSegments on *',
]
const consume = (queue: string) =>
  ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'].map(action => `${action} on ${queue}`)
const ownLog = (name: string) =>
  ['logs:CreateLogStream', 'logs:PutLogEvents'].map(action => `${action} on ${name}/Logs`)

describe('permissions', () => {
  const pause = (mapping: string) =>
    ['Get', 'Update'].map(
      verb =>
        `lambda:${verb}EventSourceMapping on arn:AWS::Partition:lambda:AWS::Region:AWS::AccountId:event-source-mapping:${mapping}`,
    )
  const hide = (queue: string) => [`sqs:ChangeMessageVisibility on ${queue}`]

  it.each([
    ['Worker', 'Events/Queue', 'OrderedEvents/Queue', hide],
    ['Bury', 'Events/DeadLetters', 'OrderedEvents/DeadLetters', () => []],
  ])(
    'the function %s may read its queues and the key of messages, change records, and read and keep bodies, and nothing else',
    (name, queue, orderedQueue, more) => {
      const always = [...RECORDS_AND_BODIES, ...ownLog(name), ...consume(queue), ...more(queue)]
      expect(allowed(plain.find('AWS::IAM::Policy', `Receiver${name}`))).toEqual(always.toSorted())
      expect(allowed(ordered.find('AWS::IAM::Policy', `Receiver${name}`))).toEqual(
        [...always, ...consume(orderedQueue), ...more(orderedQueue)].toSorted(),
      )
    },
  )

  it('the function Recover may read the listing, change records and send, and may read no signing secret', () => {
    const always = [
      // The body of what it forwards is already kept.
      ...RECORDS_AND_BODIES.filter(permission => !/^s3:PutObject|UpdateItem on Tables.Bodies$/.test(permission)),
      ...ownLog('Recover'),
      ...pause('Worker/FromQueue'),
      'dynamodb:BatchGetItem on Tables/Events',
      'dynamodb:Query on Tables/Events/index/listing',
      'sqs:SendMessage on Events/Queue',
      'sqs:SendMessage on Events/DeadLetters',
      // Queues of destinations that were removed: the template does not name them any more.
      'sqs:DeleteMessage on arn:AWS::Partition:sqs:AWS::Region:AWS::AccountId:*-',
      'sqs:ReceiveMessage on arn:AWS::Partition:sqs:AWS::Region:AWS::AccountId:*-',
    ]
    expect(allowed(plain.find('AWS::IAM::Policy', 'ReceiverRecover'))).toEqual(always.toSorted())
    expect(allowed(ordered.find('AWS::IAM::Policy', 'ReceiverRecover'))).toEqual(
      [...always, ...pause('Worker/FromOrderedQueue'), 'sqs:SendMessage on OrderedEvents/Queue'].toSorted(),
    )
  })

  it.each([
    ['AWS::IAM::Policy', 'ReceiverReceive', 'sqs:SendMessage', ['OrderedEvents/Queue']],
    [
      'AWS::IAM::ManagedPolicy',
      'ReceiverPoliciesRead',
      'sqs:GetQueueAttributes',
      ['OrderedEvents/DeadLetters', 'OrderedEvents/Queue'],
    ],
  ])('an ordered queue gives the %s %s the permission %s there, and no more', (type, name, action, queues) => {
    const before = allowed(plain.find(type, name))
    const more = allowed(ordered.find(type, name)).filter(line => !before.includes(line))
    expect(more).toEqual(queues.map(queue => `${action} on ${queue}`))
  })

  it('no function has a managed policy', () => {
    const roles = Object.entries(ordered.template.findResources('AWS::IAM::Role'))
    expect(roles).toHaveLength(5)
    for (const [, { Properties }] of roles) expect(Properties.ManagedPolicyArns).toBeUndefined()
  })
})

describe('what the functions are told', () => {
  const variables = ({ find }: typeof plain, name: string) =>
    find('AWS::Lambda::Function', `Receiver${name}`).Properties.Environment.Variables

  const CONSUMED = {
    HOOKLATCH_ENVIRONMENT: 'production',
    HOOKLATCH_EVENTS_TABLE: refTo('ReceiverTablesEvents'),
    HOOKLATCH_BODIES_TABLE: refTo('ReceiverTablesBodies'),
    HOOKLATCH_BODIES_BUCKET: refTo('ReceiverBodiesBucket'),
    HOOKLATCH_FINGERPRINT_KEY: refTo('ReceiverSecretsFingerprintKey'),
  }

  it('the function Bury is told where records, bodies and the key of messages are, and of no queue or signing secret', () => {
    expect(variables(ordered, 'Bury')).toEqual(CONSUMED)
  })

  it('the function Worker is told the same and its own queues, where it says when a message comes back', () => {
    const HOOKLATCH_QUEUE_URL = refTo('ReceiverEventsQueue')
    expect(variables(plain, 'Worker')).toEqual({ ...CONSUMED, HOOKLATCH_QUEUE_URL })
    const HOOKLATCH_ORDERED_QUEUE_URL = refTo('ReceiverOrderedEventsQueue')
    expect(variables(ordered, 'Worker')).toEqual({ ...CONSUMED, HOOKLATCH_QUEUE_URL, HOOKLATCH_ORDERED_QUEUE_URL })
  })

  it('the functions Worker and Bury, and no other, are told how many tries an event has, if the user says so', () => {
    const told = synth({ tries: 3 })
    const tries = ['Receive', 'Worker', 'Bury', 'Recover'].map(name => variables(told, name).HOOKLATCH_TRIES)
    expect(tries).toEqual([undefined, '3', '3', undefined])
  })

  it('the function Recover is told the same as the receive function, its dead letters and what it can resume', () => {
    for (const stack of [plain, ordered]) {
      const { HOOKLATCH_MAPPINGS: _, ...told } = variables(stack, 'Recover')
      const deadLetters = { HOOKLATCH_DEAD_LETTERS_URL: refTo('ReceiverEventsDeadLetters') }
      expect(told).toEqual({ ...variables(stack, 'Receive'), ...deadLetters })
    }
  })

  it('the functions are told of the ordered queue only if there is one', () => {
    expect(variables(plain, 'Receive').HOOKLATCH_ORDERED_QUEUE_URL).toBeUndefined()
    expect(variables(ordered, 'Receive').HOOKLATCH_ORDERED_QUEUE_URL).toEqual(refTo('ReceiverOrderedEventsQueue'))
  })
})

describe('subscriptions', () => {
  it.each([
    ['WorkerFromQueue', 'EventsQueue', 'Worker', 10, 10],
    ['WorkerFromOrderedQueue', 'OrderedEventsQueue', 'Worker', 10, 1],
    ['BuryFromDeadLetters', 'EventsDeadLetters', 'Bury', 2, 10],
    ['BuryFromOrderedDeadLetters', 'OrderedEventsDeadLetters', 'Bury', 2, 1],
  ])(
    'the subscription %s of %s hands messages to %s and takes back those that failed',
    (id, queue, name, concurrency, size) => {
      expect(ordered.find('AWS::Lambda::EventSourceMapping', `Receiver${id}`).Properties).toEqual({
        BatchSize: size,
        EventSourceArn: arnOf(`Receiver${queue}`),
        FunctionName: refTo(`Receiver${name}Function`),
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: { MaximumConcurrency: concurrency },
      })
    },
  )

  it.each([
    ['by default', {}, 30],
    ['with a slow worker', { workerTimeout: Duration.minutes(1) }, 360],
  ])('a message stays hidden six times as long as its function may run: %s', (_, props, expected) => {
    const { find, template, resources } = synth({ sources: ORDERED_SOURCES, ...props })
    expect(find('AWS::SQS::Queue', 'ReceiverEventsQueue').Properties.VisibilityTimeout).toBe(expected)
    expect(find('AWS::SQS::Queue', 'ReceiverOrderedEventsQueue').Properties.VisibilityTimeout).toBe(expected)
    const mappings = Object.values(template.findResources('AWS::Lambda::EventSourceMapping'))
    expect(mappings).toHaveLength(4)
    for (const { Properties } of mappings) {
      const queue = resources[Properties.EventSourceArn['Fn::GetAtt'][0]]
      const consumer = resources[Properties.FunctionName.Ref]
      expect(queue?.Properties.VisibilityTimeout).toBe(6 * consumer?.Properties.Timeout)
    }
  })

  it('the worker can have another timeout, memory and concurrency', () => {
    const { find } = synth({
      workerTimeout: Duration.seconds(30),
      workerMemorySize: 1024,
      workerMaxConcurrency: 50,
    })
    expect(find('AWS::Lambda::Function', 'ReceiverWorker').Properties).toMatchObject({ Timeout: 30, MemorySize: 1024 })
    expect(find('AWS::Lambda::EventSourceMapping', 'ReceiverWorker').Properties.ScalingConfig).toEqual({
      MaximumConcurrency: 50,
    })
    expect(() => receiverStack({ workerMaxConcurrency: 1 })).toThrow(
      /workerMaxConcurrency: found 1, expected a whole number from 2 to 1000/,
    )
  })

  it('the worker is a file of the user, found from the directory of the synth', () => {
    expect(() => receiverStack({ worker: 'functions/worker/handler.ts' })).not.toThrow()
    expect(() => receiverStack({ worker: 'functions/worker/handlr.ts' })).toThrow(/handlr\.ts/)
  })
})

describe('the ordered queue', () => {
  const queue = ordered.find('AWS::SQS::Queue', 'ReceiverOrderedEventsQueue').Properties
  const deadLetters = ordered.find('AWS::SQS::Queue', 'ReceiverOrderedEventsDeadLetters').Properties

  it('there is an ordered queue only if a source names an ordering key, or if it is to be kept', () => {
    plain.template.resourceCountIs('AWS::SQS::Queue', 2)
    ordered.template.resourceCountIs('AWS::SQS::Queue', 4)
    synth({ ordered: true }).template.resourceCountIs('AWS::SQS::Queue', 4)
  })

  it('the ordered queue is FIFO by key, and its sender says which messages are the same', () => {
    for (const each of [queue, deadLetters]) {
      expect(each).toMatchObject({
        FifoQueue: true,
        DeduplicationScope: 'messageGroup',
        FifoThroughputLimit: 'perMessageGroupId',
        SqsManagedSseEnabled: true,
      })
      expect(each.ContentBasedDeduplication).not.toBe(true)
    }
  })

  it('the ordered queue keeps messages as long as the other, and has its own dead-letter queue', () => {
    expect(queue).toMatchObject({
      MessageRetentionPeriod: 1_209_600,
      RedrivePolicy: { deadLetterTargetArn: arnOf('ReceiverOrderedEventsDeadLetters'), maxReceiveCount: 1_000 },
    })
    expect(deadLetters.MessageRetentionPeriod).toBe(1_209_600)
    expect(deadLetters.RedriveAllowPolicy.sourceQueueArns[0]['Fn::Join'][1].at(-1)).toBe('.fifo')
  })

  it('the ordered queue refuses plain HTTP', () => {
    for (const prefix of ['ReceiverOrderedEventsQueue', 'ReceiverOrderedEventsDeadLetters']) {
      expect(ordered.find('AWS::SQS::QueuePolicy', prefix).Properties.PolicyDocument.Statement).toEqual([
        expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      ])
    }
  })

  it('the ordered queue is among the outputs', () => {
    const outputs = Object.keys(ordered.template.findOutputs('*'))
    expect(outputs).toContain('OrderedQueueUrl')
    expect(outputs).toContain('OrderedDeadLettersUrl')
  })
})

describe('recovery', () => {
  it('recovery runs every minute, ends before the next run, and is not retried', () => {
    expect(plain.find('AWS::Events::Rule').Properties).toMatchObject({
      ScheduleExpression: 'rate(1 minute)',
      State: 'ENABLED',
      Targets: [{ Arn: arnOf('ReceiverRecoverFunction'), RetryPolicy: { MaximumRetryAttempts: 0 } }],
    })
    expect(plain.find('AWS::Lambda::EventInvokeConfig').Properties).toMatchObject({
      FunctionName: refTo('ReceiverRecoverFunction'),
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
    })
    expect(plain.find('AWS::Lambda::Function', 'ReceiverRecover').Properties.Timeout).toBe(60)
  })

  it('recovery is started by its own schedule and by nothing else', () => {
    const permissions = Object.values(plain.template.findResources('AWS::Lambda::Permission')).map(
      ({ Properties }) => Properties,
    )
    expect(permissions.filter(({ Principal }) => Principal !== 'apigateway.amazonaws.com')).toEqual([
      {
        Action: 'lambda:InvokeFunction',
        FunctionName: arnOf('ReceiverRecoverFunction'),
        Principal: 'events.amazonaws.com',
        SourceArn: arnOf('ReceiverRecoverSchedule'),
      },
    ])
  })
})

describe('the life of a record', () => {
  const retention = (prefix: string): number =>
    ordered.find('AWS::SQS::Queue', prefix).Properties.MessageRetentionPeriod
  // Their horizons with one scheme, because some schemes need settings of their own, which change no retention.
  const horizons = Object.entries(providers).map(([id, { retry, replayWindowSeconds }]) => [
    id,
    { ...(providers.stripe as Provider), retry, replayWindowSeconds },
  ])
  const shortest = Object.keys(providers).map(provider => [provider, { provider, retain: 'none', replayWindow: '1d' }])

  it.each([
    ['the sources of this repository', resolveSources(sources)],
    [
      'every provider, by the shortest window a source may ask for',
      resolveSources(Object.fromEntries(shortest), Object.fromEntries(horizons)),
    ],
  ])('a record outlives every place its message may be in: %s', (_, sourcesByName) => {
    const resolved = [...sourcesByName.values()]
    expect(resolved.length).toBeGreaterThan(10)
    for (const { memory, provider } of resolved) {
      for (const queue of ['ReceiverEvents', 'ReceiverOrderedEvents']) {
        const places = retention(`${queue}Queue`) + retention(`${queue}DeadLetters`)
        expect(memory).toBeGreaterThanOrEqual(places + (provider.retry.windowSeconds ?? 0))
      }
    }
  })
})
