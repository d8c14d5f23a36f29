import { OUTPUTS, type OutputName } from '../../../functions/contract/outputs.ts'
import { type Check, fine } from './finding.ts'

/** Absent if no source is ordered or internal, and without a domain or destinations. */
const OPTIONAL: ReadonlySet<OutputName> = new Set([
  'orderedQueueUrl',
  'orderedDeadLettersUrl',
  'publishFunction',
  'publishLogs',
  'destinations',
  'executeApi',
  'receiveConcurrency',
])

/** What this version of the CLI asks a stack for, the stack says. */
export const checkStack: Check = async ({ connection }) => {
  if (connection.kind === 'local') {
    const { url, now } = connection.instance
    return [
      fine(`listens on ${url}`),
      ...(now === null
        ? []
        : [{ level: 'warning' as const, subject: null, says: `the clock is frozen at ${now}`, fix: 'npm start' }]),
    ]
  }
  const missing = (Object.keys(OUTPUTS) as OutputName[]).filter(
    name => connection.outputs[name] === undefined && !OPTIONAL.has(name),
  )
  if (missing.length === 0) return [fine(`${connection.name} in ${connection.region}, account ${connection.account}`)]
  return [
    {
      level: 'warning',
      subject: connection.name,
      says: `was deployed by an older version and lacks the outputs ${missing.map(name => OUTPUTS[name]).join(', ')}`,
      fix: 'npx cdk deploy',
    },
  ]
}
