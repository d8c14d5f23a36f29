import { typesOfRoutes } from '../../../functions/domain/route.ts'
import type { Source } from '../../../functions/domain/source.ts'
import { type Endpoint, endpointsAt } from '../../../functions/senders/endpoints.ts'
import type { Registration } from '../../../functions/senders/sender-api.ts'
import { isLoopback } from '../../connect/api-keys.ts'
import { senderIfKnown } from '../../connect/open-sender.ts'
import { type Check, type Deployment, type Finding, fine } from './finding.ts'

/** What the senders have on us, if there is an API key to ask them with. */
export const checkSenders: Check = async deployment => {
  const asked = await Promise.all([...deployment.sources.values()].map(source => look(deployment, source)))
  const found = asked.flatMap(findings => findings ?? [])
  if (asked.every(findings => findings === undefined)) return []
  return found.length > 0 ? found : [fine('every sender that was asked has our endpoint, and it is enabled')]
}

/** Undefined if there is no key for it. */
const look = async (
  { connection, apiUrl }: Deployment,
  source: Source,
): Promise<readonly Omit<Finding, 'check'>[] | undefined> => {
  const sender = senderIfKnown(source, apiUrl)
  if (!sender) return undefined
  const url = source.publicUrl ?? connection.urlOf(source.name)
  // A real sender knows nothing of a laptop.
  if (url === undefined || (apiUrl === undefined && isLoopback(url))) return undefined
  const found = await endpointsAt(sender.api, sender.registration, url)
  const { name } = source.provider
  const finding = (level: Finding['level'], says: string, fix: string | null) => [
    { level, subject: source.name, says, fix },
  ]
  const repair = `npx hooklatch connect ${source.name}`
  if (found.kind !== 'found') return finding('unknown', found.kind === 'unavailable' ? found.cause : found.why, null)
  if (found.endpoints.length === 0) return finding('wrong', `${name} has no endpoint with the URL ${url}`, repair)
  if (found.endpoints.some(({ enabled }) => enabled === false)) {
    return finding('wrong', `${name} has disabled our endpoint: nothing is delivered`, repair)
  }
  const unsent = notSent(sender.registration, source, found.endpoints)
  return unsent.length === 0
    ? []
    : finding('warning', `${name} does not send these types, which routes want: ${unsent.join(', ')}`, repair)
}

/** Types that the routes name and the sender does not send. A sender that calls them otherwise than its events do cannot be compared. */
const notSent = (
  { everything, types }: Registration,
  source: Source,
  endpoints: readonly Endpoint[],
): readonly string[] => {
  const registered = new Set(endpoints.flatMap(endpoint => endpoint.types))
  const sendsAll = everything?.some(word => registered.has(word)) ?? false
  if (types === null || sendsAll || registered.size === 0) return []
  return (typesOfRoutes(source) ?? []).filter(type => !registered.has(type))
}
