import type { DestinationOutput } from '../../../functions/contract/outputs.ts'
import { millis } from '../../../functions/domain/brands.ts'
import type { AwsConnection } from '../../connect/connection.ts'
import { cloudwatchLines } from '../../operator/cloudwatch-lines.ts'
import { DENIAL_TEXTS, type Denial, denialsIn, type LockedKey } from './denials-in-lines.ts'
import { type Check, type Found, fine, wrong } from './finding.ts'
import { type FunctionName, grantedBy } from './granted-by.ts'

const HOUR_MS = 3_600_000
/** For each log group: a busy hour has many lines, and few of them matter here. */
const WITHIN_MS = 10_000

interface Logged {
  readonly name: FunctionName
  /** For people. */
  readonly subject: string
  readonly group: string
  /** Which may call what is none of the stack's. */
  readonly runsYourCode: boolean
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
  const own: Readonly<Record<Exclude<FunctionName, 'destination'>, string | undefined>> = {
    receive: outputs.receiveLogs,
    publish: outputs.publishLogs,
    worker: outputs.workerLogs,
    bury: outputs.buryLogs,
    recover: outputs.recoverLogs,
    operate: outputs.operateLogs,
    reconcile: outputs.reconcileLogs,
    'fan-out': outputs.fanOutLogs,
  }
  const others = JSON.parse(outputs.destinations ?? '{}') as Readonly<Record<string, DestinationOutput>>
  return [
    ...Object.entries(own).flatMap(([name, group]) =>
      group === undefined
        ? []
        : [{ name: name as FunctionName, subject: name, group, runsYourCode: name === 'worker' }],
    ),
    ...Object.entries(others).map(([subject, { logs, kind }]) => ({
      name: 'destination' as const,
      subject,
      group: logs,
      runsYourCode: kind === 'worker',
    })),
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
  { name, subject, runsYourCode }: Logged,
  { action, resource, times }: Denial,
): Found => {
  const on = resource !== '' && connection.outputs.fingerprintKey?.endsWith(resource) ? 'fingerprintKey' : ''
  const granted = runsYourCode && !isOfStack(action, resource, connection) ? undefined : grantedBy(name, action, on)
  const place = resource || 'a resource that the service did not name'
  return wrong(
    `the function has no permission for ${action} on ${place}: ${refused(times)}`,
    granted
      ? `npx cdk deploy, which grants it by ${granted.line} in ${granted.file}. If it is deployed, a policy of the account or of the resource denies it`
      : `grant ${action} on ${place} to the function of ${subject} in your stack, then npx cdk deploy`,
    subject,
  )
}

const tellKey = ({ subject }: Logged, { key, state, times }: LockedKey): Found =>
  wrong(
    `the function cannot use the key ${key}, because it is ${state}: ${refused(times)}`,
    state === 'disabled'
      ? `aws kms enable-key --key-id ${key}`
      : `aws kms cancel-key-deletion --key-id ${key}, then enable-key`,
    subject,
  )

const refused = (times: number): string => `refused ${times} ${times === 1 ? 'time' : 'times'} within the last hour`

/** Somebody's own table is theirs to grant. The key that the stack was given is in no output, and the construct grants it. */
const isOfStack = (action: string, resource: string, { resources, outputs }: AwsConnection): boolean =>
  action.startsWith('kms:') ||
  (resource !== '' && outputs.destinations?.includes(resource)) ||
  [...Object.values(resources), outputs.signingSecrets, outputs.fingerprintKey].some(
    name => name !== undefined && resource.includes(name.split(/[/:]/).at(-1) ?? name),
  )
