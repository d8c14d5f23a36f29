import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { OUTPUTS, urlDescription, urlOutput } from '../../functions/contract/outputs.ts'
import { type FakeStack, fakeCloud } from '../support/fake-cloud.ts'
import { endLocals, hooklatch, hooklatchWith, type RunningLocal, startLocal, workplace } from '../support/local-rig.ts'
import { hooklatchFed } from './fed.ts'

/** The engines of a real local instance, found by the outputs of a stack: only what AWS alone has is played. */
let cloud: Awaited<ReturnType<typeof fakeCloud>>
let local: RunningLocal
let directory: string
let elsewhere: string
let env: Record<string, string>

const URL_OF_STRIPE = 'https://abc.execute-api.eu-west-1.amazonaws.com/webhooks/stripe'

beforeAll(async () => {
  cloud = await fakeCloud()
  directory = workplace()
  elsewhere = workplace()
  local = await startLocal(directory)
  const { resources, endpoints } = local
  const { orderedQueueUrl, orderedDeadLettersUrl, destinations, destinationDeadLetters, ...stores } = resources
  env = {
    ...cloud.env,
    AWS_ACCESS_KEY_ID: endpoints.accessKey ?? '',
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
    AWS_ENDPOINT_URL_SQS: endpoints.sqs,
    AWS_ENDPOINT_URL_S3: endpoints.s3,
  }
  // It has an API in front, and no function URL.
  const { receiveConcurrency: _, ...all } = OUTPUTS
  const outputs = Object.fromEntries(Object.entries(all).map(([name, key]) => [key, `the-${name}`]))
  const named = Object.fromEntries(
    Object.entries(stores).map(([name, value]) => [OUTPUTS[name as keyof typeof stores], value]),
  )
  cloud.stacks['Hooklatch-production'] = {
    outputs: {
      ...outputs,
      ...named,
      Environment: 'local',
      AlarmPrefix: 'Hooklatch-production-Receiver-',
      ExecuteApi: 'open',
      Destinations: JSON.stringify({ billing: { kind: 'bus', logs: 'the-billingLogs' } }),
      [urlOutput('stripe')]: URL_OF_STRIPE,
    },
    descriptions: { [urlOutput('stripe')]: urlDescription('stripe') },
  }
  cloud.stacks.Shop = { outputs: { BucketName: 'shop' } }
  cloud.stacks['Hooklatch-old'] = {
    outputs: {
      EventsTable: 'events',
      Environment: 'old',
      BodiesTable: 'b',
      BodiesBucket: 'b',
      QueueUrl: 'q',
      DeadLettersUrl: 'd',
    },
  }
  await hooklatch(directory, 'send', 'stripe', '--id', 'evt_in_the_stack')
})

afterEach(() => {
  for (const name of Object.keys(cloud.faults)) delete cloud.faults[name]
  for (const name of Object.keys(cloud.sums)) delete cloud.sums[name]
  for (const name of Object.keys(cloud.logs)) delete cloud.logs[name]
  cloud.alarms.length = 0
})

afterAll(async () => {
  endLocals()
  await cloud.close()
})

const onStack = (...args: string[]) => hooklatchWith(env, elsewhere, ...args)

describe('a stack', () => {
  it('a stack is found by its name from any directory, and by HOOKLATCH_STACK', async () => {
    const { code, out, err } = await onStack('events', '--json', '--stack', 'Hooklatch-production')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(out).events).toMatchObject([{ eventId: 'evt_in_the_stack', source: 'stripe' }])
    const named = await hooklatchWith(
      { ...env, HOOKLATCH_STACK: 'Hooklatch-production' },
      elsewhere,
      'show',
      'evt_in_the_stack',
      '--json',
    )
    expect(JSON.parse(named.out)).toMatchObject({ eventId: 'evt_in_the_stack', bodyEncoding: 'utf8' })
  })

  it.each([
    [
      'a stack that is misspelled',
      ['--stack', 'Hooklatch-prodction'],
      'There is no stack Hooklatch-prodction in eu-west-1, account 123456789012. Did you mean Hooklatch-production?',
    ],
    [
      'a stack of another program',
      ['--stack', 'Shop'],
      'The stack Shop exists, but is not a Hooklatch stack: it has no output Environment.',
    ],
    [
      'a stack of an older version',
      ['--stack', 'Hooklatch-old'],
      'The stack Hooklatch-old was deployed by an older version and has no output SigningSecrets: deploy it again',
    ],
    [
      'a command without a stack and without a local instance',
      [],
      'No local instance runs in this directory: start one with `npm start`. Or name a deployed stack: --stack NAME, or HOOKLATCH_STACK.',
    ],
  ])('%s is refused with a sentence', async (_, flags, sentence) => {
    const { code, out, err } = await onStack('events', ...flags)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain(sentence)
  })

  it('a profile without a stack is refused', async () => {
    const { code, err } = await onStack('events', '--profile', 'production')
    expect(code).toBe(2)
    expect(err).toContain('add --stack NAME')
  })

  it.each([
    [
      'ExpiredToken',
      'The security token included in the request is expired',
      'Your AWS credentials have expired: sign in again',
    ],
    [
      'InvalidClientTokenId',
      'The security token included in the request is invalid.',
      'AWS does not know these credentials',
    ],
    [
      'AccessDenied',
      'User: arn:aws:sts::1:assumed-role/dev/ada is not authorized to perform: cloudformation:DescribeStacks on resource: arn:aws:cloudformation:eu-west-1:1:stack/x/*',
      "arn:aws:sts::1:assumed-role/dev/ada has no permission for cloudformation:DescribeStacks on arn:aws:cloudformation:eu-west-1:1:stack/x/*. The stack's output ReadPolicy is the ARN of the policy that gives it",
    ],
  ])('the AWS error %s becomes a sentence that says what to do', async (name, message, sentence) => {
    cloud.faults.DescribeStacks = { name, message }
    const { code, err } = await onStack('events', '--stack', 'Hooklatch-production')
    expect(code).toBe(1)
    expect(err).toContain(sentence)
  })

  it('a missing table, an endpoint that nobody listens on and absent credentials each become a sentence', async () => {
    const { outputs } = cloud.stacks['Hooklatch-production'] ?? { outputs: {} }
    cloud.stacks['Hooklatch-deleted'] = { outputs: { ...outputs, EventsTable: 'no-such-table' } }
    const [table, endpoint, credentials] = await Promise.all([
      onStack('events', '--stack', 'Hooklatch-deleted'),
      hooklatchWith(
        { ...env, AWS_ENDPOINT_URL_CLOUDFORMATION: 'http://127.0.0.1:1' },
        elsewhere,
        'events',
        '--stack',
        'x',
      ),
      hooklatchWith(
        {
          ...env,
          AWS_ACCESS_KEY_ID: '',
          AWS_SECRET_ACCESS_KEY: '',
          AWS_EC2_METADATA_DISABLED: 'true',
          HOME: elsewhere,
          AWS_CONFIG_FILE: '/nowhere',
          AWS_SHARED_CREDENTIALS_FILE: '/nowhere',
        },
        elsewhere,
        'events',
        '--stack',
        'x',
      ),
    ])
    delete cloud.stacks['Hooklatch-deleted']
    expect([table.code, endpoint.code, credentials.code]).toEqual([1, 1, 1])
    expect(table.err).toContain('The stack names a table, function, secret or log group that does not exist')
    expect(endpoint.err).toMatch(/AWS does not answer \(ECONNREFUSED\)/)
    expect(credentials.err).toContain('There are no AWS credentials here')
  })
})

describe('secrets of a stack', () => {
  const SET = ['secrets', 'set', 'stripe', '--stack', 'Hooklatch-production'] as const

  it('a secret of a stack is set, rotated and finished, and other sources keep theirs', async () => {
    cloud.secret.put('{"github":["gh_0123456789abcdef"]}')
    const steps = [
      await hooklatchFed('whsec_first_0123456789\n', env, elsewhere, ...SET),
      await hooklatchFed(
        'whsec_second_0123456789\n',
        env,
        elsewhere,
        'secrets',
        'rotate',
        'stripe',
        '--stack',
        'Hooklatch-production',
      ),
    ]
    expect(steps.map(({ code, err }) => ({ code, err }))).toEqual([
      { code: 0, err: '' },
      { code: 0, err: '' },
    ])
    expect(JSON.parse(cloud.secret.text())).toEqual({
      github: ['gh_0123456789abcdef'],
      stripe: ['whsec_second_0123456789', 'whsec_first_0123456789'],
    })
    await onStack('secrets', 'finish-rotation', 'stripe', '--yes', '--stack', 'Hooklatch-production')
    expect(JSON.parse(cloud.secret.text()).stripe).toEqual(['whsec_second_0123456789'])
  })

  it('a secret that somebody sets for another source at the same moment is not overwritten', async () => {
    cloud.secret.put('{}')
    cloud.meanwhile.push(() => cloud.secret.put('{"slack":["slack_0123456789abcdef"]}'))
    expect((await hooklatchFed('whsec_mine_0123456789', env, elsewhere, ...SET)).code).toBe(0)
    expect(JSON.parse(cloud.secret.text())).toEqual({
      slack: ['slack_0123456789abcdef'],
      stripe: ['whsec_mine_0123456789'],
    })
  })

  it('a secret that somebody sets for the same source at the same moment stays, and we are told', async () => {
    cloud.secret.put('{}')
    cloud.meanwhile.push(() => cloud.secret.put('{"stripe":["whsec_theirs_0123456789"]}'))
    const { code, err } = await hooklatchFed('whsec_mine_0123456789', env, elsewhere, ...SET)
    expect(code).toBe(1)
    expect(err).toContain('Somebody else changed the secret of "stripe" at the same moment')
    expect(JSON.parse(cloud.secret.text())).toEqual({ stripe: ['whsec_theirs_0123456789'] })
  })

  it('secrets are listed with their last use, to the hour, and never with a value', async () => {
    cloud.secret.put('{"stripe":["whsec_current_0123456789","whsec_previous_0123456789"]}')
    cloud.sums['stripe Accepted'] = 3
    const { out } = await onStack('secrets', 'list', '--json', '--stack', 'Hooklatch-production')
    expect(out).not.toMatch(/whsec_/)
    expect(JSON.parse(out).secrets[0]).toMatchObject({
      source: 'stripe',
      state: 'rotating',
      secrets: 2,
      lastUsedAt: expect.stringMatching(/^20\d\d-.*Z$/),
      previousUsedAt: null,
    })
  })

  it('secrets that may not be read become a sentence that names the policy', async () => {
    cloud.faults.GetSecretValue = {
      name: 'AccessDeniedException',
      message:
        'User: arn:aws:iam::1:user/ada is not authorized to perform: secretsmanager:GetSecretValue on resource: the-signing',
    }
    const { code, err } = await onStack('secrets', 'list', '--stack', 'Hooklatch-production')
    expect(code).toBe(1)
    expect(err).toContain('output SecretsPolicy is the ARN')
    const sources = await onStack('sources', '--json', '--stack', 'Hooklatch-production')
    expect(sources.code).toBe(0)
    expect(JSON.parse(sources.out).sources[0]).toMatchObject({ name: 'stripe', url: URL_OF_STRIPE, secret: 'unknown' })
  })
})

describe('the doctor of a stack', () => {
  const examined = async () => {
    const { code, out } = await onStack('doctor', '--json', '--stack', 'Hooklatch-production')
    const { healthy, findings } = JSON.parse(out) as {
      healthy: boolean
      findings: { check: string; subject: string; level: string; says: string; fix: string }[]
    }
    const of = (check: string) => findings.filter(each => each.check === check)
    return { code, healthy, of }
  }

  it('the doctor finds sources that are not deployed, a missing secret and a ringing alarm, and says what to do', async () => {
    cloud.secret.put('{}')
    cloud.alarms.push(
      {
        AlarmName: 'Hooklatch-production-Receiver-Failed-stripe',
        StateValue: 'ALARM',
        AlarmDescription: 'stripe: an event failed for good.',
      },
      { AlarmName: 'Hooklatch-production-Receiver-Lost', StateValue: 'OK' },
      { AlarmName: 'Somebody-elses', StateValue: 'ALARM' },
    )
    cloud.sums['stripe Accepted'] = 70
    cloud.sums['stripe Duplicate'] = 30
    const { code, healthy, of } = await examined()
    expect({ code, healthy }).toEqual({ code: 1, healthy: false })
    expect(of('sources')).toContainEqual(
      expect.objectContaining({ subject: 'github', level: 'wrong', fix: 'npx cdk deploy' }),
    )
    expect(of('secrets')).toContainEqual(
      expect.objectContaining({ subject: 'stripe', level: 'wrong', fix: 'npx hooklatch secrets set stripe' }),
    )
    expect(of('alarms').map(({ subject, fix }) => [subject, fix])).toEqual([
      ['Failed-stripe', 'docs/runbook.md#failed'],
      [null, 'npx cdk deploy -c alarmTopic=arn:aws:sns:...'],
    ])
    expect(of('traffic')[0]).toMatchObject({
      subject: 'stripe',
      level: 'warning',
      says: expect.stringContaining('30 % of'),
    })
    expect(of('recovery')).toMatchObject([{ level: 'ok' }])
    expect(of('clock')).toMatchObject([{ level: 'ok' }])
  })

  it('the doctor names what a function was refused, on what, and the line of the construct that grants it', async () => {
    const { EventsTable = '' } = cloud.stacks['Hooklatch-production']?.outputs ?? {}
    const cause = (action: string, resource: string) =>
      JSON.stringify({
        outcome: 'unavailable',
        cause: `AccessDeniedException: no permission for ${action} on ${resource}`,
      })
    const put = cause('dynamodb:PutItem', `table/${EventsTable}`)
    cloud.logs['the-receiveLogs'] = [put, put, JSON.stringify({ outcome: 'accepted' })]
    cloud.logs['the-workerLogs'] = [cause('dynamodb:PutItem', 'table/Invoices')]
    // As Lambda writes an error that nobody caught.
    cloud.logs['the-recoverLogs'] = [
      JSON.stringify({
        errorMessage: `User: arn:aws:sts::1:assumed-role/r/f is not authorized to perform: dynamodb:Query on resource: arn:aws:dynamodb:eu-west-1:123456789012:table/${EventsTable}/index/listing because no identity-based policy allows it`,
      }),
    ]
    cloud.logs['the-operateLogs'] = [cause('lambda:UpdateEventSourceMapping', 'event-source-mapping:1')]
    cloud.logs['the-reconcileLogs'] = [cause('dynamodb:Query', `table/${EventsTable}/index/listing`)]
    cloud.logs['the-fanOutLogs'] = [cause('sqs:sendmessage', 'q')]
    cloud.logs['the-billingLogs'] = [cause('events:PutEvents', 'event-bus/theirs')]
    const { code, of } = await examined()
    expect(code).toBe(1)
    expect(of('permissions').map(({ level, subject, says, fix }) => [level, subject, says, fix])).toEqual([
      [
        'wrong',
        'receive',
        expect.stringContaining(`dynamodb:PutItem on table/${EventsTable}: refused 2 times`),
        expect.stringContaining('stores.tables.grantReceive(receive.role) in lib/constructs/receive-function.ts'),
      ],
      [
        'wrong',
        'worker',
        expect.stringContaining('dynamodb:PutItem on table/Invoices: refused 1 time '),
        'grant dynamodb:PutItem on table/Invoices to the function of worker in your stack, then npx cdk deploy',
      ],
      [
        'wrong',
        'recover',
        expect.stringContaining(`dynamodb:Query on table/${EventsTable}/index/listing`),
        expect.stringContaining('stores.tables.grantRecover(recover.role) in lib/constructs/recover-function.ts'),
      ],
      [
        'wrong',
        'operate',
        expect.stringContaining('lambda:UpdateEventSourceMapping on event-source-mapping:1'),
        expect.stringContaining('lib/constructs/pausing.ts'),
      ],
      [
        'wrong',
        'reconcile',
        expect.stringContaining(`dynamodb:Query on table/${EventsTable}/index/listing`),
        expect.stringContaining('stores.tables.grantWalk(reconcile.role) in lib/constructs/reconcile-function.ts'),
      ],
      [
        'wrong',
        'fan-out',
        expect.stringContaining('sqs:sendmessage on q'),
        expect.stringContaining('each.grantSend(made.role) in lib/constructs/fan-out-function.ts'),
      ],
      [
        'wrong',
        'billing',
        expect.stringContaining('events:PutEvents on event-bus/theirs'),
        expect.stringContaining(
          "allow(role, ['events:PutEvents'], [bus.eventBusArn]) in lib/constructs/destination-target.ts",
        ),
      ],
    ])
  })

  it('the doctor finds nothing refused if no line says so', async () => {
    expect((await examined()).of('permissions')).toMatchObject([{ level: 'ok' }])
  })

  it('the doctor tells of messages that none of our functions wrote', async () => {
    cloud.sums['(unknown) Failed'] = 2
    const { code, of } = await examined()
    expect(code).toBe(1)
    expect(of('traffic')).toMatchObject([
      {
        subject: 'messages',
        level: 'wrong',
        says: expect.stringContaining('2 on the queue'),
        fix: 'docs/runbook.md#failedunknown',
      },
    ])
  })

  it('the doctor counts the deliveries that still come to the execute-api address, for each source', async () => {
    cloud.sums['stripe ExecuteApi'] = 12
    const { of } = await examined()
    expect(of('domain')).toMatchObject([
      {
        subject: 'stripe',
        level: 'warning',
        says: expect.stringContaining('12 deliveries of the last 14 days came to the execute-api address'),
      },
    ])
  })

  it('the doctor says that the execute-api address can be closed if no delivery came there', async () => {
    const { of } = await examined()
    expect(of('domain')).toMatchObject([
      { subject: null, level: 'ok', fix: 'close it: disableExecuteApiEndpoint: true' },
    ])
  })

  it.each([
    ['is closed', 'closed', [{ level: 'ok', says: expect.stringContaining('is closed'), fix: null }]],
    ['is the only one', undefined, []],
  ])('the doctor asks for no figures if the execute-api address %s', async (_, ExecuteApi, findings) => {
    const deployed = cloud.stacks['Hooklatch-production'] as FakeStack
    const { ExecuteApi: __, ...others } = deployed.outputs
    cloud.stacks['Hooklatch-production'] = { ...deployed, outputs: { ...others, ...(ExecuteApi && { ExecuteApi }) } }
    cloud.sums['stripe ExecuteApi'] = 12
    const { of } = await examined()
    cloud.stacks['Hooklatch-production'] = deployed
    expect(of('domain')).toMatchObject(findings)
    expect(of('deployment')).toMatchObject([{ level: 'ok' }])
  })

  it('the doctor misses nothing in a stack without destinations, and says that none is paused', async () => {
    const deployed = cloud.stacks['Hooklatch-production'] as FakeStack
    const { Destinations: _, ...others } = deployed.outputs
    cloud.stacks['Hooklatch-production'] = { ...deployed, outputs: others }
    const { of } = await examined()
    cloud.stacks['Hooklatch-production'] = deployed
    expect(of('deployment')).toMatchObject([{ level: 'ok' }])
    expect(of('pauses')).toMatchObject([{ level: 'ok', says: 'no destination is paused' }])
  })

  it.each([
    ['unreserved', 'warning', /nothing bounds it/],
    ['50', 'ok', /held to 50 calls at once/],
  ])('the doctor says what bounds a flood at a function URL: %s', async (ReceiveConcurrency, level, says) => {
    const deployed = cloud.stacks['Hooklatch-production'] as FakeStack
    const { ExecuteApi: _, ...others } = deployed.outputs
    cloud.stacks['Hooklatch-production'] = { ...deployed, outputs: { ...others, ReceiveConcurrency } }
    const { of } = await examined()
    cloud.stacks['Hooklatch-production'] = deployed
    expect(of('domain')).toMatchObject([{ level, says: expect.stringMatching(says) }])
  })

  it('the doctor says what it has no permission for, and does the other checks', async () => {
    cloud.faults.DescribeAlarms = {
      name: 'AccessDenied',
      message: 'User: x is not authorized to perform: cloudwatch:DescribeAlarms',
    }
    const { of } = await examined()
    expect(of('alarms')).toMatchObject([{ level: 'unknown', says: expect.stringContaining('ReadPolicy') }])
    expect(of('store')).toMatchObject([{ level: 'ok' }])
  })
})
