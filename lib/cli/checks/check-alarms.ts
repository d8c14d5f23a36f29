import { type MetricAlarm, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch'
import type { AwsConnection } from '../../connect/connection.ts'
import { type Check, type Found, fine, warning, wrong } from './finding.ts'

/** Alarms are a matter of the stack: a laptop has none. */
export const checkAlarms: Check = async ({ connection }) => {
  if (connection.kind === 'local') return [fine('a local instance has no alarms')]
  const prefix = connection.outputs.alarmPrefix
  if (prefix === undefined)
    throw new Error('The stack was deployed by an older version and has no output AlarmPrefix: deploy it again.')
  const alarms = await alarmsOf(connection, prefix)
  if (alarms.length === 0) return [warning(`no alarm has a name that begins with ${prefix}`, 'npx cdk deploy')]
  const ringing = alarms.filter(({ StateValue }) => StateValue === 'ALARM').map(alarm => ring(alarm, prefix))
  return [...(ringing.length > 0 ? ringing : [fine(`${alarms.length} alarms, none has fired`)]), ...tellNobody(alarms)]
}

const alarmsOf = async ({ cloud }: AwsConnection, AlarmNamePrefix: string): Promise<MetricAlarm[]> => {
  const found: MetricAlarm[] = []
  for await (const { MetricAlarms = [] } of paginateDescribeAlarms({ client: cloud.cloudwatch }, { AlarmNamePrefix })) {
    found.push(...MetricAlarms)
  }
  return found
}

const ring = ({ AlarmName = '', AlarmDescription, StateUpdatedTimestamp }: MetricAlarm, prefix: string) => {
  const name = AlarmName.slice(prefix.length)
  const since = StateUpdatedTimestamp ? ` since ${StateUpdatedTimestamp.toISOString()}` : ''
  const says = `has been in alarm${since}: ${AlarmDescription?.replace(/\.$/, '') ?? 'see the runbook'}`
  return wrong(says, `docs/runbook.md#${name.replace(/-.*/, '').toLowerCase()}`, name)
}

const tellNobody = (alarms: readonly MetricAlarm[]): Found[] =>
  alarms.some(({ AlarmActions = [] }) => AlarmActions.length > 0)
    ? []
    : [warning('the alarms notify nobody: give the stack an SNS topic', 'npx cdk deploy -c alarmTopic=arn:aws:sns:...')]
