import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { workLine } from '../../functions/consume/work-line.ts'
import { recoverLine } from '../../functions/recover/recover-line.ts'
import { ALARM_METRICS } from '../../lib/cost/monthly-bill.ts'
import { ORDERED_SOURCES, synth } from './synth.ts'

// biome-ignore lint/suspicious/noExplicitAny: a template is JSON, and its assertions say which
const alarmsOf = ({ template }: ReturnType<typeof synth>): Record<string, any> =>
  Object.fromEntries(
    Object.entries(template.findResources('AWS::CloudWatch::Alarm')).map(([id, { Properties }]) => [
      id.slice('ReceiverAlarms'.length, -8),
      Properties,
    ]),
  )

const alarms = alarmsOf(synth())
const ofStripe = [
  { Name: 'Environment', Value: 'production' },
  { Name: 'Source', Value: 'stripe' },
]

describe('alarms', () => {
  it('a stack has fifteen alarms of its own and four for each source', () => {
    expect(Object.keys(alarms).toSorted()).toEqual([
      'BuryErrors',
      'DeadLetters',
      'DestinationPausedworker',
      'Duplicatesmyshop',
      'Duplicatesstripe',
      'FailedUnknown',
      'Failedmyshop',
      'Failedstripe',
      'Lost',
      'OldestMessage',
      'ReceiveErrors',
      'ReceiveThrottles',
      'RecoveryErrors',
      'RecoveryLag',
      'RecoveryStopped',
      'Rejectedmyshop',
      'Rejectedstripe',
      'ServerErrors',
      'Unavailablemyshop',
      'Unavailablestripe',
      'Unreadable',
      'WorkerErrors',
      'WorkerThrottles',
    ])
  })

  it('`hooklatch cost` counts as many metrics as the alarms watch', () => {
    const watched = Object.values(alarms).map(({ Metrics }) => (Metrics ? statsOf(Metrics).length : 1))
    const sources = 2
    expect(watched.reduce((sum, count) => sum + count, 0)).toBe(ALARM_METRICS.stack + sources * ALARM_METRICS.source)
  })

  it('`hooklatch cost` counts as many metrics as the alarms of a destination watch', () => {
    const all = alarmsOf(synth({ destinations: { crm: { queue: 'crm' } } }))
    const own = Object.entries(all).filter(([name]) => /^Destination.*crm$/.test(name))
    const watched = own.map(([, { Metrics }]) => (Metrics ? statsOf(Metrics).length : 1))
    expect(watched.reduce((sum, count) => sum + count, 0)).toBe(ALARM_METRICS.destination)
  })

  it('an ordered queue has two alarms of its own', () => {
    const more = Object.keys(alarmsOf(synth({ sources: ORDERED_SOURCES }))).filter(name => name.startsWith('Ordered'))
    expect(more.toSorted()).toEqual(['OrderedDeadLetters', 'OrderedOldestMessage'])
  })

  it('an alarm goes off if 5 % of the deliveries of an hour are duplicates', () => {
    const { Metrics, Threshold, EvaluationPeriods } = alarms.Duplicatesstripe
    expect({ Threshold, EvaluationPeriods }).toEqual({ Threshold: 5, EvaluationPeriods: 1 })
    expect(statsOf(Metrics)).toEqual(
      ['Duplicate', 'Accepted'].map(MetricName => ({
        Metric: { Namespace: 'Hooklatch', MetricName, Dimensions: ofStripe },
        Period: 3600,
        Stat: 'Sum',
      })),
    )
  })

  it('the share of duplicates is that of all events, also in an hour without a new one', () => {
    const [{ Expression }] = alarms.Duplicatesstripe.Metrics
    expect(Expression).toBe(
      'IF((FILL(part, 0) + FILL(rest, 0)) >= 20, 100 * part / (FILL(part, 0) + FILL(rest, 0)), 0)',
    )
  })

  it('an alarm goes off if a dead letter waits for 15 minutes, hidden or not', () => {
    const { Metrics, Threshold, EvaluationPeriods } = alarms.DeadLetters
    expect({ Threshold, EvaluationPeriods }).toEqual({ Threshold: 1, EvaluationPeriods: 3 })
    expect(statsOf(Metrics)).toEqual(
      ['ApproximateNumberOfMessagesVisible', 'ApproximateNumberOfMessagesNotVisible'].map(MetricName => ({
        Metric: expect.objectContaining({ Namespace: 'AWS/SQS', MetricName }),
        Period: 300,
        Stat: 'Minimum',
      })),
    )
  })

  it.each([
    ['Rejectedstripe', { Namespace: 'Hooklatch', MetricName: 'Rejected', Dimensions: ofStripe, Threshold: 5 }],
    ['Unavailablestripe', { Namespace: 'Hooklatch', MetricName: 'Unavailable', Dimensions: ofStripe, Threshold: 1 }],
    ['Failedstripe', { Namespace: 'Hooklatch', MetricName: 'Failed', Dimensions: ofStripe, Threshold: 1 }],
    ['FailedUnknown', { Namespace: 'Hooklatch', MetricName: 'Failed', Threshold: 1 }],
    ['Lost', { Namespace: 'Hooklatch', MetricName: 'Lost', Threshold: 1, Statistic: 'Sum' }],
    ['RecoveryLag', { Namespace: 'Hooklatch', MetricName: 'RecoveryLag', Threshold: 300, Statistic: 'Maximum' }],
    ['RecoveryErrors', { Namespace: 'AWS/Lambda', MetricName: 'Errors', Threshold: 3, Period: 300 }],
    ['OldestMessage', { MetricName: 'ApproximateAgeOfOldestMessage', Threshold: 3600 }],
    ['ReceiveErrors', { Namespace: 'AWS/Lambda', MetricName: 'Errors', Threshold: 1 }],
    ['ReceiveThrottles', { Namespace: 'AWS/Lambda', MetricName: 'Throttles', Threshold: 1 }],
    ['WorkerErrors', { Namespace: 'AWS/Lambda', MetricName: 'Errors', Threshold: 1 }],
    ['WorkerThrottles', { Namespace: 'AWS/Lambda', MetricName: 'Throttles', Threshold: 1 }],
    ['BuryErrors', { Namespace: 'AWS/Lambda', MetricName: 'Errors', Threshold: 1 }],
  ])('the alarm %s watches its metric and does not go off for missing data', (name, expected) => {
    expect(alarms[name]).toMatchObject({
      ...expected,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      TreatMissingData: 'notBreaching',
    })
  })

  it('an alarm goes off if recovery does not run, which missing data means', () => {
    expect(alarms.RecoveryStopped).toMatchObject({
      Namespace: 'AWS/Lambda',
      MetricName: 'Invocations',
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 1,
      TreatMissingData: 'breaching',
    })
  })

  it('each alarm watches the function or queue that its text names', () => {
    const watches = (name: string) => alarms[name].Dimensions.map(({ Value }: { Value: unknown }) => Value)
    for (const name of ['Receive', 'Worker', 'Bury']) {
      expect(watches(`${name}Errors`)).toEqual([{ Ref: expect.stringContaining(`Receiver${name}Function`) }])
    }
    for (const name of ['RecoveryStopped', 'RecoveryErrors']) {
      expect(watches(name)).toEqual([{ Ref: expect.stringContaining('ReceiverRecoverFunction') }])
    }
  })

  it('an alarm has a name that a person can read and the CLI can find', () => {
    const { template } = synth()
    const prefix = template.toJSON().Outputs.AlarmPrefix.Value
    expect(prefix).toBe('Test-Receiver-')
    expect(alarms.Duplicatesmyshop.AlarmName).toBe('Test-Receiver-Duplicates-my-shop')
    for (const { AlarmName } of Object.values(alarms)) expect(AlarmName.startsWith(prefix)).toBe(true)
  })

  it('every alarm says what has happened', () => {
    for (const alarm of Object.values(alarms)) expect(alarm.AlarmDescription).toMatch(/^.{40,}\.$/)
  })

  it('the alarms tell the topic whose ARN the stack is given', () => {
    const told = alarmsOf(synth({ alarmTopicArn: 'arn:aws:sns:eu-west-1:123456789012:on-call' }))
    for (const { AlarmActions, OKActions } of Object.values(told)) {
      expect([AlarmActions, OKActions]).toEqual([
        ['arn:aws:sns:eu-west-1:123456789012:on-call'],
        ['arn:aws:sns:eu-west-1:123456789012:on-call'],
      ])
    }
  })

  it('each alarm has a section in the runbook, and the runbook has no other', () => {
    const page = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8')
    const sections = [...page.matchAll(/^### (\w+)/gm)].map(([, name]) => name)
    const sources = {
      ...ORDERED_SOURCES,
      stripe: { provider: 'stripe', reconcile: { every: '1h', back: '6h' } },
      billing: { provider: 'internal', allow: '*' },
    } as const
    const names = Object.values(alarmsOf(synth({ sources, destinations: { crm: { queue: 'crm' } } }))).map(
      ({ AlarmName }) => AlarmName.slice('Test-Receiver-'.length).replace(/-.*/, ''),
    )
    expect([...new Set(names)].toSorted()).toEqual(sections.toSorted())
  })

  it('the alarms tell nobody unless there is a topic', () => {
    for (const alarm of Object.values(alarms)) expect(alarm.AlarmActions).toBeUndefined()
  })
})

describe('alarms on metrics of our own', () => {
  const recovered = recoverLine(
    'production',
    { seen: 1, recovered: 0, waiting: 0, lost: 1, unreadable: 1, unavailable: 0, lag: 1 },
    1_794_800_000_000,
  )
  const buried = workLine({
    environment: 'production',
    text: 'not one of ours',
    messageId: 'm-1',
    receiveCount: 1,
    sentAt: Number.NaN,
    ended: { work: 'failed', lastError: 'Malformed' },
    startedAt: 1_794_800_000_000,
    finishedAt: 1_794_800_000_001,
  })

  it.each([
    ['Lost', recovered],
    ['Unreadable', recovered],
    ['RecoveryLag', recovered],
    ['FailedUnknown', buried],
  ])('the alarm %s watches a metric that the functions write', (name, line) => {
    const written = JSON.parse(line)
    const [{ Namespace, Dimensions, Metrics }] = written._aws.CloudWatchMetrics
    const dimensions = Dimensions[0].map((Name: string) => ({ Name, Value: written[Name] }))
    expect(alarms[name]).toMatchObject({ Namespace, Dimensions: dimensions })
    expect(Metrics.map(({ Name }: { Name: string }) => Name)).toContain(alarms[name].MetricName)
  })
})

describe('the dashboard', () => {
  const stack = synth({ environment: 'staging', dashboard: true })
  const body = JSON.stringify(stack.find('AWS::CloudWatch::Dashboard').Properties)

  it('a stack has a dashboard only if it asks for one', () => {
    synth().template.resourceCountIs('AWS::CloudWatch::Dashboard', 0)
  })

  it.each(['sum(Done)', 'pct(Latency, 99)'])(
    'the dashboard counts %s of every source in the lines of its functions',
    sums => {
      expect(body).toContain(`stats ${sums} by bin(5m), Source`)
    },
  )

  it.each(['Accepted', 'AttemptFailed', 'Failed', 'Ignored', 'Rejected'])(
    'the dashboard shows %s of every source',
    metric => {
      expect(body).toContain(`{Hooklatch,Environment,Source} MetricName=`)
      expect(body.replaceAll('\\', '')).toContain(`MetricName="${metric}" Environment="staging"`)
    },
  )

  it.each(['Recovered', 'Waiting', 'Lost', 'RecoveryLag'])('the dashboard shows %s of recovery', metric => {
    expect(body.replaceAll('\\', '')).toContain(`"Hooklatch","${metric}","Environment","staging","Source","(all)"`)
  })
})

const statsOf = (metrics: readonly { MetricStat?: unknown }[]): unknown[] =>
  metrics.map(each => each.MetricStat).filter(Boolean)
