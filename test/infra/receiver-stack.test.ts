import { Match } from 'aws-cdk-lib/assertions'
import { Runtime } from 'aws-cdk-lib/aws-lambda'
import { describe, expect, it } from 'vitest'
import { ACCESS_LINE_BYTES } from '../../lib/cost/monthly-bill.ts'
import { allowed, arnOf, everyPrefix, refTo } from './read-template.ts'
import { receiverStack, synth } from './synth.ts'

const http = synth()
const rest = synth({ api: 'rest' })
const throwAway = synth({ throwAway: true, api: 'rest' })

describe('permissions', () => {
  it('the receive function may claim, settle, keep a body, send and read its two secrets, and nothing else', () => {
    expect(allowed(http.find('AWS::IAM::Policy', 'ReceiverReceive'))).toEqual([
      'dynamodb:GetItem on Tables/Events',
      'dynamodb:PutItem on Tables/Events',
      'dynamodb:UpdateItem on Tables/Bodies',
      'dynamodb:UpdateItem on Tables/Events',
      'logs:CreateLogStream on Receive/Logs',
      'logs:PutLogEvents on Receive/Logs',
      ...everyPrefix('s3:PutObject', 7),
      'secretsmanager:GetSecretValue on Secrets/FingerprintKey',
      'secretsmanager:GetSecretValue on Secrets/Signing',
      'sqs:SendMessage on Events/Queue',
      'xray:PutTelemetryRecords on *',
      'xray:PutTraceSegments on *',
    ])
  })

  it('the receive function may store a secret only if a sender hands one over', () => {
    const asana = synth({ sources: { asana: { provider: 'asana' } } })
    expect(allowed(asana.find('AWS::IAM::Policy', 'ReceiverReceive'))).toEqual(
      expect.arrayContaining([
        'secretsmanager:PutSecretValue on Secrets/Signing',
        'secretsmanager:UpdateSecretVersionStage on Secrets/Signing',
      ]),
    )
  })

  it('the receive function has no managed policy', () => {
    expect(http.find('AWS::IAM::Role', 'ReceiverReceive').Properties.ManagedPolicyArns).toBeUndefined()
  })

  it('the receive function may do the same behind either API', () => {
    expect(allowed(rest.find('AWS::IAM::Policy', 'ReceiverReceive'))).toEqual(
      allowed(http.find('AWS::IAM::Policy', 'ReceiverReceive')),
    )
  })

  it('an operator who reads sees records, lines, figures and queue depths, no bodies, and changes nothing', () => {
    expect(allowed(http.find('AWS::IAM::ManagedPolicy', 'ReceiverPoliciesRead'))).toEqual([
      'cloudformation:DescribeStacks on arn:AWS::Partition:cloudformation:AWS::Region:AWS::AccountId:stack/Test/*',
      'cloudwatch:DescribeAlarms on *',
      'cloudwatch:GetMetricData on *',
      'dynamodb:BatchGetItem on Tables/Events',
      'dynamodb:GetItem on Tables/Events',
      'dynamodb:Query on Tables/Events/index/listing',
      ...['Bury', 'Operate', 'Receive', 'Recover', 'Worker'].map(name => `logs:FilterLogEvents on ${name}/Logs`),
      'logs:GetQueryResults on *',
      ...['Bury', 'Operate', 'Receive', 'Recover', 'Worker'].map(name => `logs:StartQuery on ${name}/Logs`),
      'sqs:GetQueueAttributes on Events/DeadLetters',
      'sqs:GetQueueAttributes on Events/Queue',
    ])
  })

  it('reading bodies is a permission of its own', () => {
    expect(allowed(http.find('AWS::IAM::ManagedPolicy', 'ReceiverPoliciesBodies'))).toEqual([
      'dynamodb:GetItem on Tables/Bodies',
      'dynamodb:Query on Tables/Bodies',
      ...everyPrefix('s3:GetObject'),
      's3:ListBucket on Bodies/Bucket',
    ])
  })

  it('changing signing secrets is a permission of its own, which does not reach the fingerprint key', () => {
    expect(allowed(http.find('AWS::IAM::ManagedPolicy', 'ReceiverPoliciesSecrets'))).toEqual([
      'secretsmanager:GetSecretValue on Secrets/Signing',
      'secretsmanager:PutSecretValue on Secrets/Signing',
      'secretsmanager:UpdateSecretVersionStage on Secrets/Signing',
    ])
  })

  it.each([
    ['http', http],
    ['rest', rest],
  ])('only its own API may call the receive function (%s API)', (_, { template }) => {
    template.resourceCountIs('AWS::Lambda::Url', 0)
    const permissions = Object.values(template.findResources('AWS::Lambda::Permission'))
      .map(each => each.Properties)
      .filter(each => /ReceiverReceive/.test(JSON.stringify(each.FunctionName)))
    expect(permissions.length).toBeGreaterThan(0)
    for (const { Principal, SourceArn } of permissions) {
      expect(Principal).toBe('apigateway.amazonaws.com')
      expect(SourceArn['Fn::Join'][1]).toContainEqual({
        Ref: expect.stringMatching(/^ReceiverIngress(Http|Rest)[0-9A-F]{8}$/),
      })
    }
  })
})

describe('tables', () => {
  it('the events table forgets by expiresAt, is backed up, and has a keys-only index by shard and claim time', () => {
    expect(http.find('AWS::DynamoDB::Table', 'ReceiverTablesEvents').Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [{ AttributeName: 'fingerprint', KeyType: 'HASH' }],
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 35 },
      GlobalSecondaryIndexes: [
        {
          IndexName: 'listing',
          KeySchema: [
            { AttributeName: 'listing', KeyType: 'HASH' },
            { AttributeName: 'claimedAt', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    })
  })

  it('the bodies table forgets by expiresAt and has no backup that would outlive its bodies', () => {
    const { Properties } = http.find('AWS::DynamoDB::Table', 'ReceiverTablesBodies')
    expect(Properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'fingerprint', KeyType: 'HASH' },
        { AttributeName: 'sha256', KeyType: 'RANGE' },
      ],
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    })
    expect(Properties.PointInTimeRecoverySpecification).toBeUndefined()
  })
})

describe('queues', () => {
  const queue = http.find('AWS::SQS::Queue', 'ReceiverEventsQueue').Properties
  const deadLetters = http.find('AWS::SQS::Queue', 'ReceiverEventsDeadLetters').Properties

  it('a message waits fourteen days in the queue, and after a thousand receives fourteen days in the dead-letter queue', () => {
    expect(queue).toMatchObject({
      MessageRetentionPeriod: 1_209_600,
      VisibilityTimeout: 30,
      RedrivePolicy: { deadLetterTargetArn: arnOf('ReceiverEventsDeadLetters'), maxReceiveCount: 1_000 },
    })
    expect(deadLetters.MessageRetentionPeriod).toBe(1_209_600)
  })

  it('only its own queue may send to the dead-letter queue', () => {
    const { redrivePermission, sourceQueueArns } = deadLetters.RedriveAllowPolicy
    const name = queue.QueueName['Fn::Join'][1]
    expect(redrivePermission).toBe('byQueue')
    expect(sourceQueueArns).toHaveLength(1)
    expect(sourceQueueArns[0]['Fn::Join'][1].slice(-2)).toEqual([`:${name[0]}`, name[1]])
  })

  it('the queue and the dead-letter queue are encrypted and refuse plain HTTP', () => {
    expect([queue.SqsManagedSseEnabled, deadLetters.SqsManagedSseEnabled]).toEqual([true, true])
    for (const prefix of ['ReceiverEventsQueue', 'ReceiverEventsDeadLetters']) {
      expect(http.find('AWS::SQS::QueuePolicy', prefix).Properties.PolicyDocument.Statement).toEqual([
        expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
      ])
    }
  })
})

describe('the bucket of large bodies', () => {
  const bucket = http.find('AWS::S3::Bucket').Properties

  it('the bucket of bodies is private, encrypted and without versions', () => {
    expect(bucket.PublicAccessBlockConfiguration).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    })
    expect(bucket.BucketEncryption.ServerSideEncryptionConfiguration).toHaveLength(1)
    expect(bucket.VersioningConfiguration).toBeUndefined()
  })

  it('the bucket of bodies refuses plain HTTP', () => {
    http.template.hasResourceProperties('AWS::S3::BucketPolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
        ]),
      },
    })
  })

  it('the bucket of bodies deletes each retention class on its day', () => {
    const rules: { Prefix?: string; ExpirationInDays?: number }[] = bucket.LifecycleConfiguration.Rules
    expect(rules.filter(rule => rule.Prefix).map(rule => [rule.Prefix, rule.ExpirationInDays])).toEqual(
      [1, 7, 14, 30, 60, 90, 180, 365, 400].map(days => [`${days}d/`, days]),
    )
  })
})

describe('secrets', () => {
  // CloudFormation writes a new version exactly when one of these two values changes.
  it('the signing secrets are created empty, with a value that a redeployment does not change', () => {
    expect(http.find('AWS::SecretsManager::Secret', 'ReceiverSecretsSigning').Properties).toEqual({
      Description: expect.any(String),
      SecretString: '{}',
    })
  })

  it('the fingerprint key is generated once, and never rotated', () => {
    expect(http.find('AWS::SecretsManager::Secret', 'ReceiverSecretsFingerprintKey').Properties).toEqual({
      Description: expect.any(String),
      GenerateSecretString: { ExcludePunctuation: true, PasswordLength: 64 },
    })
    http.template.resourceCountIs('AWS::SecretsManager::RotationSchedule', 0)
  })
})

describe('the receive function', () => {
  it('the receive function runs on arm64 and the newest LTS Node, ends before its lease, logs JSON to its own group and is traced', () => {
    expect(http.find('AWS::Lambda::Function', 'ReceiverReceive').Properties).toMatchObject({
      Architectures: ['arm64'],
      Runtime: 'nodejs24.x',
      MemorySize: 512,
      Timeout: 10,
      LoggingConfig: { LogFormat: 'JSON', SystemLogLevel: 'WARN', LogGroup: refTo('ReceiverReceiveLogs') },
      TracingConfig: { Mode: 'Active' },
    })
    expect(
      http.find('AWS::Lambda::Function', 'ReceiverReceive').Properties.ReservedConcurrentExecutions,
    ).toBeUndefined()
  })

  it('the receive function is told where everything is', () => {
    expect(http.find('AWS::Lambda::Function', 'ReceiverReceive').Properties.Environment.Variables).toEqual({
      HOOKLATCH_ENVIRONMENT: 'production',
      HOOKLATCH_EVENTS_TABLE: refTo('ReceiverTablesEvents'),
      HOOKLATCH_BODIES_TABLE: refTo('ReceiverTablesBodies'),
      HOOKLATCH_BODIES_BUCKET: refTo('ReceiverBodiesBucket'),
      HOOKLATCH_QUEUE_URL: refTo('ReceiverEventsQueue'),
      HOOKLATCH_SIGNING_SECRETS: refTo('ReceiverSecretsSigning'),
      HOOKLATCH_FINGERPRINT_KEY: refTo('ReceiverSecretsFingerprintKey'),
    })
  })

  it('the receive function can have another environment, runtime, memory and concurrency', () => {
    const { find } = synth({
      environment: 'staging',
      runtime: Runtime.NODEJS_22_X,
      memorySize: 1024,
      reservedConcurrency: 50,
    })
    expect(find('AWS::Lambda::Function', 'ReceiverReceive').Properties).toMatchObject({
      Environment: { Variables: { HOOKLATCH_ENVIRONMENT: 'staging' } },
      Runtime: 'nodejs22.x',
      MemorySize: 1024,
      ReservedConcurrentExecutions: 50,
    })
  })
})

const routeKeys = ({ template }: typeof http): string[] =>
  Object.values(template.findResources('AWS::ApiGatewayV2::Route'))
    .map(({ Properties }) => Properties.RouteKey)
    .toSorted()

/** The ends of the ARNs that may call the receive function. */
const callers = ({ template }: typeof http): string[] =>
  Object.values(
    template.findResources('AWS::Lambda::Permission', { Properties: { Principal: 'apigateway.amazonaws.com' } }),
  )
    .map(({ Properties }) => Properties.SourceArn['Fn::Join'][1].at(-1))
    .toSorted()

describe('the front', () => {
  it('the default front is an HTTP API for any method, throttled, on the default stage', () => {
    expect(routeKeys(http)).toEqual(['ANY /webhooks/my-shop', 'ANY /webhooks/stripe', 'ANY /webhooks/{source}'])
    http.template.hasResourceProperties('AWS::ApiGatewayV2::Integration', { PayloadFormatVersion: '2.0' })
    expect(http.find('AWS::ApiGatewayV2::Stage').Properties).toMatchObject({
      StageName: '$default',
      DefaultRouteSettings: { ThrottlingRateLimit: 1_000, ThrottlingBurstLimit: 2_000 },
    })
  })

  it('each source of an HTTP API has a route and a throttle of its own, so a flood of one is no 429 for another', () => {
    const share = { ThrottlingRateLimit: 1_000, ThrottlingBurstLimit: 2_000 }
    const { Properties } = http.find('AWS::ApiGatewayV2::Stage')
    expect(Properties.RouteSettings).toEqual({ 'ANY /webhooks/stripe': share, 'ANY /webhooks/my-shop': share })
  })

  it('the routes of the sources of an HTTP API lead to the same function, which one permission lets them call', () => {
    const targets = Object.values(http.template.findResources('AWS::ApiGatewayV2::Route')).map(
      ({ Properties }) => Properties.Target,
    )
    expect(targets).toHaveLength(3)
    expect(new Set(targets.map(target => JSON.stringify(target))).size).toBe(1)
    expect(callers(http)).toEqual(['/*/*/webhooks/*', '/*/*/webhooks/{source}'])
  })

  it('a route is there before the stage has a setting of it, and may call the function before it is there', () => {
    const own = Object.entries(http.resources).filter(([id]) => id.startsWith('ReceiverIngressHttpSource'))
    const routes = own.filter(([, { Type }]) => Type === 'AWS::ApiGatewayV2::Route')
    const permissions = own.filter(([, { Type }]) => Type === 'AWS::Lambda::Permission').map(([id]) => id)
    expect([routes.length, permissions.length]).toEqual([2, 1])
    expect(http.find('AWS::ApiGatewayV2::Stage').DependsOn?.toSorted()).toEqual(routes.map(([id]) => id).toSorted())
    for (const [, { DependsOn }] of routes) expect(DependsOn).toEqual(permissions)
  })

  it('a REST API has the same routes and passes every body as bytes', () => {
    rest.template.resourceCountIs('AWS::ApiGatewayV2::Api', 0)
    rest.template.hasResourceProperties('AWS::ApiGateway::RestApi', { BinaryMediaTypes: ['*/*'] })
    const parts = Object.values(rest.template.findResources('AWS::ApiGateway::Resource')).map(
      ({ Properties }) => Properties.PathPart,
    )
    expect(parts.toSorted()).toEqual(['my-shop', 'stripe', 'webhooks', '{source}'])
  })

  it('each source of a REST API has a throttle of its own, and so have names that are no source', () => {
    const settings = (ResourcePath: string, HttpMethod: string) => ({
      DataTraceEnabled: false,
      HttpMethod,
      LoggingLevel: 'ERROR',
      ResourcePath,
      ThrottlingBurstLimit: 2_000,
      ThrottlingRateLimit: 1_000,
    })
    expect(rest.find('AWS::ApiGateway::Stage').Properties.MethodSettings).toEqual([
      settings('/*', '*'),
      settings('/~1webhooks~1stripe', 'POST'),
      settings('/~1webhooks~1my-shop', 'POST'),
    ])
  })

  it('the methods of the sources of a REST API call the same function, by the permission that is for every name', () => {
    const methods = Object.values(rest.template.findResources('AWS::ApiGateway::Method'))
    expect(methods).toHaveLength(3)
    const [first] = methods
    for (const { Properties } of methods) {
      expect(Properties).toMatchObject({ HttpMethod: 'ANY', Integration: { Type: 'AWS_PROXY' } })
      expect(Properties.Integration.Uri).toEqual(first?.Properties.Integration.Uri)
    }
    expect(callers(rest)).toEqual(['/*/webhooks/*'])
  })

  it('a deleted REST API leaves the logging role of the account to the other APIs that use it', () => {
    expect(throwAway.find('AWS::ApiGateway::Account').DeletionPolicy).toBe('Retain')
    expect(throwAway.find('AWS::IAM::Role', 'ReceiverIngress').DeletionPolicy).toBe('Retain')
  })

  it('the error log of the REST API is kept as long as every other log', () => {
    for (const { Properties } of Object.values(rest.template.findResources('AWS::Logs::LogGroup'))) {
      expect(Properties.RetentionInDays).toBe(30)
    }
    expect(rest.find('AWS::Logs::LogGroup', 'ReceiverIngressErrorLog').Properties.LogGroupName).toEqual({
      'Fn::Join': ['', ['API-Gateway-Execution-Logs_', refTo('ReceiverIngressRest'), '/live']],
    })
  })

  it.each([
    ['http', http.find('AWS::ApiGatewayV2::Stage').Properties.AccessLogSettings],
    ['rest', rest.find('AWS::ApiGateway::Stage').Properties.AccessLogSetting],
  ])(
    'the access log has every request as JSON, without body, query or header (%s API)',
    (_, { Format, DestinationArn }) => {
      expect(DestinationArn).toEqual(arnOf('ReceiverIngressAccessLogGroup'))
      expect(Object.values(JSON.parse(Format)).toSorted()).toEqual([
        '$context.error.responseType',
        '$context.httpMethod',
        '$context.identity.sourceIp',
        '$context.integration.latency',
        '$context.integration.status',
        '$context.integrationErrorMessage',
        '$context.path',
        '$context.requestId',
        '$context.requestTimeEpoch',
        '$context.responseLatency',
        '$context.responseLength',
        '$context.status',
      ])
    },
  )

  it('a line of the access log is as long as `hooklatch cost` says', () => {
    const values: Readonly<Record<string, string>> = {
      '$context.requestTimeEpoch': '1794744000000',
      '$context.requestId': 'JKJaXmPLvHcESHA=',
      '$context.identity.sourceIp': '203.0.113.119',
      '$context.httpMethod': 'POST',
      '$context.path': '/webhooks/shopify',
      '$context.responseLength': '119',
      '$context.integrationErrorMessage': '-',
      '$context.error.responseType': '-',
    }
    const { Format } = http.find('AWS::ApiGatewayV2::Stage').Properties.AccessLogSettings
    const line = Format.replace(/\$context[.\w]+/g, (name: string) => values[name] ?? '202')
    expect(line.length).toBeLessThanOrEqual(ACCESS_LINE_BYTES.http)
    expect(line.length).toBeGreaterThan(ACCESS_LINE_BYTES.http - 40)
  })

  it('the API throttles at the rate it is given', () => {
    const share = { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 }
    expect(synth({ requestsPerSecond: 50 }).find('AWS::ApiGatewayV2::Stage').Properties).toMatchObject({
      DefaultRouteSettings: share,
      RouteSettings: { 'ANY /webhooks/stripe': share },
    })
  })
})

describe('outputs', () => {
  it('the outputs name the URL of every source and everything the CLI works with', () => {
    expect(Object.keys(http.template.findOutputs('*')).toSorted()).toEqual([
      'AlarmPrefix',
      'BodiesBucket',
      'BodiesPolicy',
      'BodiesTable',
      'BuryFunction',
      'BuryLogs',
      'DeadLettersUrl',
      'Environment',
      'ErasePolicy',
      'EventsTable',
      'FingerprintKey',
      'OperateFunction',
      'OperateLogs',
      'QueueUrl',
      'ReadPolicy',
      'ReceiveFunction',
      'ReceiveLogs',
      'RecoverFunction',
      'RecoverLogs',
      'ReplayPolicy',
      'SecretsPolicy',
      'SigningSecrets',
      'UrlMyShop',
      'UrlStripe',
      'WorkerFunction',
      'WorkerLogs',
    ])
  })

  it('the outputs are the same with a REST API', () => {
    expect(Object.keys(rest.template.findOutputs('*'))).toEqual(Object.keys(http.template.findOutputs('*')))
  })

  it.each([
    ['http', http],
    ['rest', rest],
  ])('the URL of a source ends in its path (%s API)', (_, { template }) => {
    expect(template.toJSON().Outputs.UrlMyShop.Value['Fn::Join'][1].at(-1)).toBe('/webhooks/my-shop')
  })
})

describe('what outlives the stack', () => {
  const DATA = new Set([
    'AWS::DynamoDB::Table',
    'AWS::SQS::Queue',
    'AWS::S3::Bucket',
    'AWS::SecretsManager::Secret',
    'AWS::Logs::LogGroup',
  ])
  const policies = ({ resources }: typeof http) => [
    ...new Set(
      Object.values(resources)
        .filter(({ Type }) => DATA.has(Type))
        .map(({ DeletionPolicy }) => DeletionPolicy),
    ),
  ]

  it('everything that holds data outlives the stack by default, and neither stack nor tables can be deleted by mistake', () => {
    expect(policies(http)).toEqual(['Retain'])
    expect(receiverStack().terminationProtection).toBe(true)
    for (const { Properties } of Object.values(http.template.findResources('AWS::DynamoDB::Table'))) {
      expect(Properties.DeletionProtectionEnabled).toBe(true)
    }
  })

  it('nothing that holds data outlives a throw-away stack', () => {
    expect(policies(throwAway)).toEqual(['Delete'])
    expect(receiverStack({ throwAway: true }).terminationProtection).toBe(false)
    throwAway.template.resourceCountIs('Custom::S3AutoDeleteObjects', 1)
    for (const { Properties } of Object.values(throwAway.template.findResources('AWS::DynamoDB::Table'))) {
      expect(Properties.DeletionProtectionEnabled).toBe(false)
    }
  })
})

describe('a chosen runtime', () => {
  it('a chosen runtime is that of every function, also of the one with which CDK empties a throw-away bucket', () => {
    const { template } = synth({ throwAway: true, runtime: Runtime.NODEJS_22_X })
    const functions = Object.values(template.findResources('AWS::Lambda::Function'))
    expect(functions).toHaveLength(6)
    for (const { Properties } of functions) expect(Properties.Runtime).toBe('nodejs22.x')
  })
})

describe('wrong sources', () => {
  it('wrong sources stop the synth with every mistake in one message', () => {
    const sources = { one: { provider: 'nobody' }, two: { provider: 'stripe', retain: 'a while' } }
    const attempt = () => receiverStack({ sources: sources as never })
    expect(attempt).toThrow(/one.*nobody/)
    expect(attempt).toThrow(/two.*retain/)
  })
})
