import type { DestinationOutput } from '../../../functions/contract/outputs.ts'
import { millis } from '../../../functions/domain/brands.ts'
import type { AwsConnection } from '../../connect/connection.ts'
import { cloudwatchLines } from '../../operator/cloudwatch-lines.ts'
import { DENIAL_TEXTS, type Denial, denialsIn, type LockedKey } from './denials-in-lines.ts'
import { type Check, type Finding, fine } from './finding.ts'
import { type FunctionName, grantedBy } from './granted-by.ts'

const HOUR_MS = 3_600_000
/** For each log group: a busy hour has many lines, and few of them matter here. */
const WITHIN_MS = 10_000

interface Logged {
  readonly name: FunctionName
  /** For people. */
  readonly subject: string
  readonly group: string
}

/** What the functions were refused within the last hour, by IAM or by a key, with the line of the construct that grants it. */
export const checkPermissions: Check = async ({ connection }) => {
  if (connection.kind === 'local') return [fine('a local instance has no roles')]
  const found = await Promise.all(
    loggedBy(connection).map(async logged => {
      const { denials, lockedKeys } = await denialsIn(linesOf(connection, logged.group))
      return [
        ...lockedKeys.map(key => tellKey(logged, key)),
        ...denials.map(denial => tell(connection, logged, denial)),
      ]
    }),
  )
  const all = found.flat()
  return all.length > 0 ? all : [fine('no function was refused anything in the last hour')]
}

const loggedBy = ({ outputs }: AwsConnection): readonly Logged[] => {
  const { receiveLogs, publishLogs, workerLogs, buryLogs, recoverLogs, destinations = '{}' } = outputs
  const own = { receive: receiveLogs, publish: publishLogs, worker: workerLogs, bury: buryLogs, recover: recoverLogs }
  const others = JSON.parse(destinations) as Readonly<Record<string, DestinationOutput>>
  return [
    ...Object.entries(own).flatMap(([name, group]) =>
      group === undefined ? [] : [{ name: name as FunctionName, subject: name, group }],
    ),
    ...Object.entries(others).map(([subject, { logs }]) => ({ name: 'destination' as const, subject, group: logs })),
  ]
}

async function* linesOf({ cloud, now }: AwsConnection, group: string): AsyncGenerator<string> {
  const until = now()
  const query = { from: millis(until - HOUR_MS), until, withinMs: WITHIN_MS }
  const source = cloudwatchLines(cloud.logs, [group])
  for (const contains of DENIAL_TEXTS) {
    for await (const line of source.lines({ ...query, contains })) if (line.includes(contains)) yield line
  }
}

const tell = (
  connection: AwsConnection,
  { name, subject }: Logged,
  { action, resource, times }: Denial,
): Omit<Finding, 'check'> => {
  const granted = isOfStack(action, resource, connection) ? grantedBy(name, action) : undefined
  return {
    level: 'wrong',
    subject,
    says: `the function has no permission for ${action} on ${resource}: ${refused(times)}`,
    fix: granted
      ? `npx cdk deploy, which grants it by ${granted.line} in ${granted.file}. If it is deployed, a policy of the account or of the resource denies it`
      : `grant ${action} on ${resource} to the function of ${subject} in your stack, then npx cdk deploy`,
  }
}

const tellKey = ({ subject }: Logged, { key, state, times }: LockedKey): Omit<Finding, 'check'> => ({
  level: 'wrong',
  subject,
  says: `the function cannot use the key ${key}, because it is ${state}: ${refused(times)}`,
  fix:
    state === 'disabled'
      ? `aws kms enable-key --key-id ${key}`
      : `aws kms cancel-key-deletion --key-id ${key}, then enable-key`,
})

const refused = (times: number): string => `refused ${times} ${times === 1 ? 'time' : 'times'} within the last hour`

/** Somebody's own table is theirs to grant. The key that the stack was given is in no output, and the construct grants it. */
const isOfStack = (action: string, resource: string, { resources, outputs }: AwsConnection): boolean =>
  action.startsWith('kms:') ||
  [...Object.values(resources), outputs.signingSecrets, outputs.fingerprintKey].some(
    name => name !== undefined && resource.includes(name.split(/[/:]/).at(-1) ?? name),
  )
