import { OUTPUTS, type OutputName } from '../../../functions/contract/outputs.ts'
import { type Check, fine, warning } from './finding.ts'

/** Absent if no source is ordered, internal or compared by schedule, and without a domain, a function URL or destinations. */
const OPTIONAL: ReadonlySet<OutputName> = new Set([
  'orderedQueueUrl',
  'orderedDeadLettersUrl',
  'publishFunction',
  'publishLogs',
  'fanOutLogs',
  'reconcileFunction',
  'reconcileLogs',
  'apiKeys',
  'destinations',
  'executeApi',
  'receiveConcurrency',
])

/** What this version of the CLI asks a stack for, the stack says. */
export const checkStack: Check = async ({ connection }) => {
  if (connection.kind === 'local') {
    const { url, now } = connection.instance
    const frozen = now === null ? [] : [warning(`the clock is frozen at ${now}`, 'npm start')]
    return [fine(`listens on ${url}`), ...frozen]
  }
  const missing = (Object.keys(OUTPUTS) as OutputName[]).filter(
    name => connection.outputs[name] === undefined && !OPTIONAL.has(name),
  )
  if (missing.length === 0) return [fine(`${connection.name} in ${connection.region}, account ${connection.account}`)]
  const lacks = missing.map(name => OUTPUTS[name]).join(', ')
  const says = `was deployed by an older version and lacks the outputs ${lacks}`
  return [warning(says, 'npx cdk deploy', connection.name)]
}
