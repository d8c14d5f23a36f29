import { describe, expect, it } from 'vitest'
import { receiveRig } from '../support/receive-rig.ts'
import { type Resource, SOURCES, synth } from './synth.ts'

const stack = synth({ sources: { ...SOURCES, orders: { provider: 'internal', allow: '*' } } })
const filters = Object.entries(stack.resources).filter(([, { Type }]) => Type === 'AWS::Logs::MetricFilter')
const ofReceive = filters.filter(([id]) => id.startsWith('ReceiverReceive'))

/** What CloudWatch would make of a line: as much of its pattern language as the filters use. */
const countedBy = ({ Properties }: Resource, line: string) => {
  const at = (path: string): unknown =>
    path
      .slice('$.'.length)
      .split('.')
      // biome-ignore lint/suspicious/noExplicitAny: a line of JSON
      .reduce<any>((value, name) => value?.[name], JSON.parse(line))
  const [, positive = '', absent = ''] =
    /^\{ \((\$\.\w+) > 0\) && \((\$[\w.]+) NOT EXISTS\) \}$/.exec(Properties.FilterPattern) ?? []
  expect([positive, absent]).not.toContain('')
  if (!(Number(at(positive)) > 0) || at(absent) !== undefined) return []
  const [{ MetricName, MetricValue, MetricNamespace, Dimensions }] = Properties.MetricTransformations
  const dimensions = Dimensions.map(({ Key, Value }: Record<string, string>) => [Key, at(Value ?? '')])
  return [{ MetricNamespace, MetricName, value: at(MetricValue), dimensions: Object.fromEntries(dimensions) }]
}

const counted = (line: string) => ofReceive.flatMap(([, filter]) => countedBy(filter, line))

const directiveOf = (line: string): readonly string[] =>
  (JSON.parse(line)._aws.CloudWatchMetrics?.[0].Metrics ?? []).map(({ Name }: { Name: string }) => Name)

const EVENT = { id: 'evt_1', object: 'event', type: 'invoice.paid' }

describe('what is counted in the lines', () => {
  it('the log groups of receive and publish have a filter for Accepted and one for Duplicate, and no other has any', () => {
    expect(filters.map(([id]) => id.slice('Receiver'.length, -8)).toSorted()).toEqual([
      'PublishCountAccepted',
      'PublishCountDuplicate',
      'ReceiveCountAccepted',
      'ReceiveCountDuplicate',
    ])
    for (const [, { Properties }] of ofReceive) expect(Properties.LogGroupName.Ref).toMatch(/^ReceiverReceiveLogs/)
  })

  it('the filters are there before the function that needs them', () => {
    const { DependsOn } = stack.find('AWS::Lambda::Function', 'ReceiverReceiveFunction')
    expect(DependsOn).toEqual(expect.arrayContaining(ofReceive.map(([id]) => id)))
  })

  it('a filter counts a new event and a duplicate, with the dimensions that the alarms watch and without a directive', async () => {
    const at = receiveRig()
    await at.stripe(EVENT)
    await at.stripe(EVENT)
    const dimensions = { Environment: at.world.environment, Source: 'stripe' }
    expect(at.lines.map(counted)).toEqual(
      ['Accepted', 'Duplicate'].map(MetricName => [{ MetricNamespace: 'Hooklatch', MetricName, value: 1, dimensions }]),
    )
    expect(at.lines.map(directiveOf)).toEqual([[], []])
  })

  it('a line that counts something besides has a directive for all of it, and no filter counts it again', async () => {
    const at = receiveRig()
    await at.stripe(EVENT)
    await at.stripe({ ...EVENT, pending_webhooks: 1 })
    expect(directiveOf(at.lines[1] ?? '')).toEqual(['Duplicate', 'BodyChanged'])
    expect(counted(at.lines[1] ?? '')).toEqual([])
  })

  it('a line of an earlier version, which has a directive, is not counted twice', () => {
    const before =
      '{"_aws":{"Timestamp":1,"CloudWatchMetrics":[{"Namespace":"Hooklatch","Dimensions":[["Environment","Source"]],"Metrics":[{"Name":"Accepted"}]}]},"Environment":"production","Source":"stripe","Received":1,"Accepted":1,"outcome":"accepted"}'
    expect(counted(before)).toEqual([])
  })

  it('what was refused is counted by its directive, and by no filter', async () => {
    const at = receiveRig()
    await at.stripe(EVENT, { secret: 'whsec_wrong_0123456789abcdef00' })
    expect(directiveOf(at.lines[0] ?? '')).toEqual(['Rejected'])
    expect(counted(at.lines[0] ?? '')).toEqual([])
  })
})
