import { App, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb'
import { EventBus } from 'aws-cdk-lib/aws-events'
import { Key } from 'aws-cdk-lib/aws-kms'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import { describe, expect, it } from 'vitest'
import type { Destinations } from '../../functions/domain/destinations.ts'
import { WebhookReceiver } from '../../lib/index.ts'
import { allowed } from './read-template.ts'
import { type Resource, receiverStack, SOURCES, synth } from './synth.ts'

const DESTINATIONS = {
  billing: { worker: 'functions/worker/handler.ts', tries: 20, timeout: '30s', memory: 1024, concurrency: 50 },
  crm: { queue: 'crm-events', rate: '80/s', backOff: { first: '5s', longest: '1h' } },
  all: { bus: 'company' },
  legacy: { url: 'https://legacy.example.com/hooks', timeout: '20s', rate: '30/m' },
} as const satisfies Destinations

const plain = synth()
const made = synth({ destinations: DESTINATIONS })

const functionOf = (name: string): Resource => made.find('AWS::Lambda::Function', `ReceiverDestinations${name}Handler`)
const variablesOf = (name: string) => functionOf(name).Properties.Environment.Variables
const mappingOf = (name: string) =>
  made.find('AWS::Lambda::EventSourceMapping', `ReceiverDestinations${name}Handler`).Properties
const policyOf = (name: string) => allowed(made.find('AWS::IAM::Policy', `ReceiverDestinations${name}Handler`))

describe('a stack without destinations', () => {
  it('no destinations leave the template as it was, to the byte', () => {
    // The key of an asset depends on the directory of the synth.
    const text = (of: typeof plain) => JSON.stringify(of.template.toJSON()).replaceAll(/[0-9a-f]{64}\.zip/g, 'code')
    expect(text(synth({ destinations: {} })) === text(plain)).toBe(true)
    expect(text(plain).match(/ReceiverDestinations|HOOKLATCH_DESTINATION/)).toBeNull()
  })
})

describe('a stack with destinations', () => {
  it('destinations add resources, and of what was there they change only who sends, who buries and who watches', () => {
    const changed = Object.entries(plain.resources)
      .filter(([id, resource]) => JSON.stringify(made.resources[id]) !== JSON.stringify(resource))
      .map(([id]) => id.slice('Receiver'.length, -8))
    expect(changed.toSorted()).toEqual([
      'BuryFunction',
      'BuryRoleDefaultPolicy',
      'OperateFunction',
      'OperateRoleDefaultPolicy',
      'PoliciesRead',
      'ReceiveFunction',
      'ReceiveRoleDefaultPolicy',
      'RecoverFunction',
      'RecoverRoleDefaultPolicy',
    ])
  })

  it('each destination has a queue, dead letters, a function and a role of its own', () => {
    for (const name of Object.keys(DESTINATIONS)) {
      const queue = made.find('AWS::SQS::Queue', `ReceiverDestinations${name}EventsQueue`).Properties
      expect(queue).toMatchObject({ MessageRetentionPeriod: 1_209_600, RedrivePolicy: { maxReceiveCount: 1000 } })
      made.find('AWS::SQS::Queue', `ReceiverDestinations${name}EventsDeadLetters`)
      made.find('AWS::IAM::Role', `ReceiverDestinations${name}HandlerRole`)
      expect(variablesOf(name)).toMatchObject({
        HOOKLATCH_DESTINATION: name,
        HOOKLATCH_QUEUE_URL: { Ref: expect.stringMatching(`^ReceiverDestinations${name}EventsQueue`) },
      })
    }
    expect(made.template.toJSON().Outputs.Destinations.Value['Fn::Join'][1][0]).toContain('"billing":{"kind":"worker"')
  })

  it('those who send are told the queue of each destination, and may send there', () => {
    for (const name of ['Receive', 'Recover', 'Operate']) {
      const { Variables } = made.find('AWS::Lambda::Function', `Receiver${name}Function`).Properties.Environment
      const [, parts] = Variables.HOOKLATCH_DESTINATIONS['Fn::Join']
      expect(JSON.parse(parts.map((part: unknown) => (typeof part === 'string' ? part : 'url')).join(''))).toEqual({
        billing: 'url',
        crm: 'url',
        all: 'url',
        legacy: 'url',
      })
      const more = allowed(made.find('AWS::IAM::Policy', `Receiver${name}`)).filter(line =>
        /^sqs.*Destinations/.test(line),
      )
      expect(more).toEqual(
        ['allEventsQueue', 'billingEventsQueue', 'crmEventsQueue', 'legacyEventsQueue'].map(
          queue => `sqs:SendMessage on Destinations/${queue}`,
        ),
      )
    }
  })

  it('the worker may touch nothing of a destination, and its function and permissions stay as they were', () => {
    expect(made.find('AWS::IAM::Policy', 'ReceiverWorker')).toEqual(plain.find('AWS::IAM::Policy', 'ReceiverWorker'))
    expect(made.find('AWS::Lambda::Function', 'ReceiverWorker')).toEqual(
      plain.find('AWS::Lambda::Function', 'ReceiverWorker'),
    )
  })

  it.each([
    ['billing', []],
    ['crm', ['sqs:SendMessage on arn:AWS::Partition:sqs:AWS::Region:AWS::AccountId:crm-events']],
    ['all', ['events:PutEvents on arn:AWS::Partition:events:AWS::Region:AWS::AccountId:event-bus/company']],
    ['legacy', ['secretsmanager:GetSecretValue on Destinations/legacySigningSecret']],
  ])(
    'the function of %s may do what the worker may, on its own queue, and hand over, and nothing else',
    (name, more) => {
      const worker = allowed(plain.find('AWS::IAM::Policy', 'ReceiverWorker')).map(line =>
        line
          .replace('Events/Queue', `Destinations/${name}EventsQueue`)
          .replace('Worker/Logs', `Destinations/${name}HandlerLogs`),
      )
      expect(policyOf(name)).toEqual([...worker, ...more].toSorted())
    },
  )

  it('dead letters of every destination are buried', () => {
    const queues = allowed(made.find('AWS::IAM::Policy', 'ReceiverBury')).filter(line => line.startsWith('sqs:Receive'))
    expect(queues).toEqual([
      ...['all', 'billing', 'crm', 'legacy'].map(name => `sqs:ReceiveMessage on Destinations/${name}EventsDeadLetters`),
      'sqs:ReceiveMessage on Events/DeadLetters',
    ])
  })

  it('a worker has its tries, timeout, memory and concurrency', () => {
    expect(functionOf('billing').Properties).toMatchObject({ Timeout: 30, MemorySize: 1024 })
    expect(variablesOf('billing').HOOKLATCH_TRIES).toBe('20')
    expect(mappingOf('billing')).toMatchObject({ BatchSize: 10, ScalingConfig: { MaximumConcurrency: 50 } })
    expect(variablesOf('billing')).not.toHaveProperty('HOOKLATCH_PACE')
  })

  it('a rate is shared between the functions that may run, and each has the time to wait for its share', () => {
    expect(JSON.parse(variablesOf('crm').HOOKLATCH_PACE)).toEqual({ every: 125, first: 5, longest: 3600 })
    expect(mappingOf('crm')).toMatchObject({ BatchSize: 10, ScalingConfig: { MaximumConcurrency: 10 } })
    // Ten events wait for 1.25 seconds.
    expect(functionOf('crm').Properties.Timeout).toBe(32)
    // Half an event a second between two functions: one every four seconds for each of them.
    expect(JSON.parse(variablesOf('legacy').HOOKLATCH_PACE)).toEqual({ every: 4000 })
    expect(mappingOf('legacy')).toMatchObject({ BatchSize: 2, ScalingConfig: { MaximumConcurrency: 2 } })
    expect(functionOf('legacy').Properties.Timeout).toBe(33)
    const { VisibilityTimeout } = made.find('AWS::SQS::Queue', 'ReceiverDestinationslegacyEventsQueue').Properties
    expect(VisibilityTimeout).toBe(6 * 33)
  })

  it('the function of a URL is told where, how long, and where its secret is', () => {
    const [, parts] = variablesOf('legacy').HOOKLATCH_TARGET['Fn::Join']
    const target = parts.map((part: unknown) => (typeof part === 'string' ? part : 'arn')).join('')
    expect(JSON.parse(target)).toEqual({
      url: 'https://legacy.example.com/hooks',
      timeoutSeconds: 20,
      privateAddresses: false,
      secret: 'arn',
    })
    expect(made.find('AWS::SecretsManager::Secret', 'ReceiverDestinationslegacy')).toMatchObject({
      DeletionPolicy: 'Retain',
      Properties: { GenerateSecretString: { PasswordLength: 44, ExcludePunctuation: true } },
    })
  })

  it('each destination has alarms of its own', () => {
    const names = Object.values(made.template.findResources('AWS::CloudWatch::Alarm')).map(
      ({ Properties }) => Properties.AlarmName,
    )
    expect(names.filter(name => name.endsWith('-crm')).toSorted()).toEqual(
      ['DeadLetters', 'Errors', 'Failed', 'OldestMessage', 'Paused'].map(
        kind => `Test-Receiver-Destination${kind}-crm`,
      ),
    )
  })

  it('the operate and the recover function may pause the worker and every destination, and nothing else', () => {
    const mappings = ['allHandlerFromQueue', 'billingHandlerFromQueue', 'crmHandlerFromQueue', 'legacyHandlerFromQueue']
    for (const name of ['Operate', 'Recover']) {
      const lambda = allowed(made.find('AWS::IAM::Policy', `Receiver${name}`)).filter(line =>
        line.startsWith('lambda:'),
      )
      expect(lambda).toEqual(
        ['lambda:GetEventSourceMapping', 'lambda:UpdateEventSourceMapping'].flatMap(action =>
          [...mappings.map(mapping => `Destinations/${mapping}`), 'Worker/FromQueue'].map(mapping =>
            expect.stringMatching(`^${action} on arn:.*:event-source-mapping:${mapping}$`),
          ),
        ),
      )
      const { Variables } = made.find('AWS::Lambda::Function', `Receiver${name}Function`).Properties.Environment
      expect(JSON.stringify(Variables.HOOKLATCH_MAPPINGS)).toContain('billing')
    }
    const worker = Object.values(made.template.findResources('AWS::CloudWatch::Alarm')).filter(
      ({ Properties }) => Properties.AlarmName === 'Test-Receiver-DestinationPaused-worker',
    )
    expect(worker).toMatchObject([{ Properties: { MetricName: 'PausedSeconds', Threshold: 86_400 } }])
  })

  it('a worker that does not exist is one of the mistakes of the synth', () => {
    const destinations = { billing: { worker: 'nowhere.ts', rate: '0/s' } } as unknown as Destinations
    expect(() => receiverStack({ destinations })).toThrow(
      /"billing"\.rate: found "0\/s".*\n- destination "billing"\.worker: found "nowhere\.ts", expected the path of a module/,
    )
  })

  it('cdk-nag finds nothing unexplained in a stack with destinations', () => {
    const stack = receiverStack({ destinations: DESTINATIONS })
    for (const pack of [new AwsSolutionsChecks(), new ServerlessChecks()]) {
      expect(pack.validateScope(stack).violations).toEqual([])
    }
  })
})

describe('destinations in an app of the user', () => {
  const stack = new Stack(new App({ context: { 'aws:cdk:bundling-stacks': [] } }), 'Theirs')
  const key = new Key(stack, 'Key')
  const queue = new Queue(stack, 'Crm', { encryptionMasterKey: key })
  const bus = new EventBus(stack, 'Bus')
  const { destinations } = new WebhookReceiver(stack, 'Receiver', {
    sources: SOURCES,
    destinations: { ...DESTINATIONS, crm: { queue: 'crm' }, sales: { worker: 'functions/worker/handler.ts' } },
    bind: { crm: queue, all: bus },
  })
  const invoices = new Table(stack, 'Invoices', { partitionKey: { name: 'id', type: AttributeType.STRING } })
  invoices.grantWriteData(destinations.billing as NonNullable<typeof destinations.billing>)
  const template = Template.fromStack(stack)
  const policyWith = (part: string) =>
    Object.entries(template.findResources('AWS::IAM::Policy'))
      .filter(([, policy]) => JSON.stringify(policy).includes(part))
      .map(([id]) => id.replace(/RoleDefaultPolicy\w{8}$/, ''))

  it('a table that is granted to one destination is open to no other function', () => {
    expect(policyWith('Invoices')).toEqual(['ReceiverDestinationsbillingHandler'])
  })

  it('a name is bound to a queue and a bus of the app, with the key of the queue', () => {
    const [id] = stack.resolve(queue.queueArn)['Fn::GetAtt']
    expect(policyWith(`"${id}"`)).toEqual(['ReceiverDestinationscrmHandler'])
    const [keyId] = stack.resolve(key.keyArn)['Fn::GetAtt']
    expect(policyWith(`"${keyId}"`)).toEqual(['ReceiverDestinationscrmHandler'])
    const [busId] = stack.resolve(bus.eventBusArn)['Fn::GetAtt']
    expect(policyWith(`"${busId}"`)).toEqual(['ReceiverDestinationsallHandler'])
  })
})

describe('a stack whose routes can lead one event to several destinations', () => {
  const routed = (to: readonly string[]) => ({
    sources: { stripe: { provider: 'stripe', routes: [{ when: { type: 'invoice.*' }, to }] } } as const,
    destinations: { billing: DESTINATIONS.billing, crm: DESTINATIONS.crm },
  })
  const several = synth(routed(['billing', 'crm', 'worker']))

  it('only then it has a queue and a function for copies', () => {
    expect(JSON.stringify(synth(routed(['billing'])).template.toJSON())).not.toContain('FanOut')
    expect(Object.keys(several.template.toJSON().Outputs)).toContain('FanOutLogs')
    expect(several.find('AWS::SQS::Queue', 'ReceiverSeveralEventsQueue').Properties).toMatchObject({
      MessageRetentionPeriod: 1_209_600,
      RedrivePolicy: { maxReceiveCount: 1000 },
    })
  })

  it('the function for copies may send to every destination and to the worker, but not to itself, and reads no signing secret', () => {
    const lines = allowed(several.find('AWS::IAM::Policy', 'ReceiverFanOut'))
    const sends = lines.filter(line => line.startsWith('sqs:SendMessage '))
    expect(sends).toHaveLength(3)
    expect(sends.join()).not.toContain('Several')
    expect(lines.join()).not.toContain('Signing')
  })

  it('those who send are told the queue of events with several destinations', () => {
    for (const name of ['Receive', 'Recover', 'Operate', 'FanOut']) {
      const { Variables } = several.find('AWS::Lambda::Function', `Receiver${name}Function`).Properties.Environment
      expect(JSON.stringify(Variables.HOOKLATCH_DESTINATIONS)).toContain('ReceiverSeveralEventsQueue')
    }
  })
})
