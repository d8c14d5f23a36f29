import { describe, expect, it } from 'vitest'
import { ALARM_METRICS } from '../../lib/cost/monthly-bill.ts'
import { allowed, everyPrefix } from './read-template.ts'
import { receiverStack, SOURCES, synth } from './synth.ts'

const GITHUB = { provider: 'github', account: 'acme/shop' } as const
const plain = synth({ sources: { ...SOURCES, github: GITHUB } })
const scheduled = synth({
  sources: {
    ...SOURCES,
    stripe: { provider: 'stripe', reconcile: { every: '1h', back: '6h' } },
    github: { ...GITHUB, reconcile: { every: '30m', back: '1d', reportOnly: true } },
  },
})

/** Of every function that is not the reconciler, and of every policy for people. */
const others = () =>
  Object.entries(scheduled.resources).filter(
    ([id, { Type }]) => /^AWS::IAM::(Managed)?Policy$/.test(Type) && !id.startsWith('ReceiverReconcile'),
  )

describe('a source with `reconcile`', () => {
  it('a stack without it has nothing of it, and a stack with it keeps all that was there', () => {
    expect(JSON.stringify(plain.template.toJSON())).not.toMatch(/Reconcile|ApiKey/)
    expect(Object.keys(scheduled.resources)).toEqual(expect.arrayContaining(Object.keys(plain.resources)))
    const added = Object.keys(scheduled.resources).filter(id => !(id in plain.resources))
    expect(added.filter(id => !/^Receiver(Reconcile|SecretsApiKeys|Alarms(Missing|NotCompared))/.test(id))).toEqual([])
  })

  it('the reconciler may take events and read its own API keys, and can read no signing secret and no body', () => {
    expect(allowed(scheduled.find('AWS::IAM::Policy', 'ReceiverReconcile'))).toEqual([
      'dynamodb:BatchGetItem on Tables/Events',
      'dynamodb:GetItem on Tables/Events',
      'dynamodb:PutItem on Tables/Events',
      'dynamodb:Query on Tables/Events/index/listing',
      'dynamodb:UpdateItem on Tables/Bodies',
      'dynamodb:UpdateItem on Tables/Events',
      'logs:CreateLogStream on Reconcile/Logs',
      'logs:PutLogEvents on Reconcile/Logs',
      ...everyPrefix('s3:PutObject', 7),
      'secretsmanager:GetSecretValue on Secrets/ApiKeysgithub',
      'secretsmanager:GetSecretValue on Secrets/ApiKeysstripe',
      'secretsmanager:GetSecretValue on Secrets/FingerprintKey',
      'sqs:SendMessage on Events/Queue',
      'xray:PutTelemetryRecords on *',
      'xray:PutTraceSegments on *',
    ])
  })

  it('nobody else can read an API key: people set one without seeing it, and no other function has anything to do with them', () => {
    const grants = others().flatMap(([id, policy]) =>
      allowed(policy)
        .filter(grant => grant.includes('ApiKeys'))
        .map(grant => `${id.replace(/[0-9A-F]{8}$/, '')}: ${grant}`),
    )
    expect(grants).toEqual([
      'ReceiverPoliciesSecrets: secretsmanager:PutSecretValue on Secrets/ApiKeysgithub',
      'ReceiverPoliciesSecrets: secretsmanager:PutSecretValue on Secrets/ApiKeysstripe',
    ])
  })

  it('it runs as often as the source that is compared most often, is repeated by its schedule alone, and reserves nothing', () => {
    const rule = scheduled.find('AWS::Events::Rule', 'ReceiverReconcile')
    expect(rule.Properties).toMatchObject({
      ScheduleExpression: 'rate(30 minutes)',
      Targets: [{ RetryPolicy: { MaximumRetryAttempts: 0 } }],
    })
    const { Properties } = scheduled.find('AWS::Lambda::Function', 'ReceiverReconcile')
    expect(Properties).toMatchObject({ Timeout: 900 })
    expect(Properties).not.toHaveProperty('ReservedConcurrentExecutions')
    expect(Object.keys(Properties.Environment.Variables).sort()).toEqual([
      'HOOKLATCH_BODIES_BUCKET',
      'HOOKLATCH_BODIES_TABLE',
      'HOOKLATCH_ENVIRONMENT',
      'HOOKLATCH_EVENTS_TABLE',
      'HOOKLATCH_FINGERPRINT_KEY',
      'HOOKLATCH_QUEUE_URL',
      'HOOKLATCH_RECONCILED',
    ])
  })

  it('its alarms watch what is missing, and whether it is compared at all', () => {
    const alarm = (name: string) => scheduled.find('AWS::CloudWatch::Alarm', `ReceiverAlarms${name}`).Properties
    expect(alarm('Missingstripe')).toMatchObject({ MetricName: 'Missing', Period: 3600, Threshold: 1 })
    expect(alarm('NotComparedgithub')).toMatchObject({
      MetricName: 'Compared',
      Period: 1800,
      EvaluationPeriods: 3,
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'breaching',
    })
  })

  it('the cost model knows how many metrics its alarms watch', () => {
    const alarms = Object.keys(scheduled.resources).filter(id => /^ReceiverAlarms(Missing|NotCompared)/.test(id))
    expect(alarms).toHaveLength(2 * ALARM_METRICS.reconciled)
  })

  it.each([
    ['a sender without a list', { provider: 'slack' }, 'found the provider slack, expected one with a list'],
    ['no account', { provider: 'github' }, 'expected `account` to say the repository, such as acme/shop'],
    ['further back than the list', { ...GITHUB, back: '7d' }, 'further than the list goes, expected 3d at most'],
    ['further back than it is remembered', { provider: 'paddle', back: '60d' }, 'are remembered, expected 30d at most'],
    ['names by bytes', { provider: 'stripe', identity: 'body' }, 'names its events by their bytes'],
    ['back before every', { provider: 'stripe', every: '6h', back: '1h' }, 'at least `every`, which is 6h'],
    ['too often', { provider: 'stripe', every: '1m' }, 'whole minutes, from 5m to 1d'],
    ['an unknown field', { provider: 'stripe', only: 'report' }, 'reconcile.only: found an unknown field'],
  ])('%s stops the synth with a sentence', (_, { provider, account, identity, ...reconcile }: Odd, says) => {
    const source = { provider, account, identity, reconcile: { every: '1h', back: '6h', ...reconcile } }
    const sources = { it: JSON.parse(JSON.stringify(source)) }
    expect(() => receiverStack({ sources })).toThrow(says)
  })
})

interface Odd {
  readonly provider: string
  readonly account?: string
  readonly identity?: string
  readonly [field: string]: unknown
}
