import type { Source } from '../../../functions/domain/source.ts'
import { type Endpoint, endpointsAt, typesWanted } from '../../../functions/senders/endpoints.ts'
import type { Registration } from '../../../functions/senders/sender-api.ts'
import { isLoopback } from '../../connect/api-keys.ts'
import { senderIfKnown } from '../../connect/open-sender.ts'
import { type Check, type Deployment, type Found, fine, unknown, warning, wrong } from './finding.ts'

/** What the senders have on us, if there is an API key to ask them with. */
export const checkSenders: Check = async deployment => {
  const asked = await Promise.all([...deployment.sources.values()].map(source => look(deployment, source)))
  const found = asked.flatMap(findings => findings ?? [])
  if (asked.every(findings => findings === undefined)) return []
  return found.length > 0 ? found : [fine('every sender that was asked has our endpoint, and it is enabled')]
}

/** Undefined if there is no key for it. */
const look = async ({ connection, apiUrl }: Deployment, source: Source): Promise<readonly Found[] | undefined> => {
  const sender = senderIfKnown(source, apiUrl)
  if (!sender) return undefined
  const url = source.publicUrl ?? connection.urlOf(source.name)
  // A real sender knows nothing of a laptop.
  if (url === undefined || (apiUrl === undefined && isLoopback(url))) return undefined
  const found = await endpointsAt(sender.api, sender.registration, url)
  const { name: there } = source.provider
  const { name } = source
  const repair = `npx hooklatch connect ${name}`
  if (found.kind !== 'found') return [unknown(found.kind === 'unavailable' ? found.cause : found.why, null, name)]
  if (found.endpoints.length === 0) return [wrong(`${there} has no endpoint with the URL ${url}`, repair, name)]
  if (found.endpoints.some(({ enabled }) => enabled === false)) {
    return [wrong(`${there} has disabled our endpoint: nothing is delivered`, repair, name)]
  }
  const unsent = notSent(sender.registration, source, found.endpoints)
  const says = `${there} does not send these types, which routes want: ${unsent.join(', ')}`
  return unsent.length === 0 ? [] : [warning(says, repair, name)]
}

/** Types that the routes name and the sender does not send. A sender that calls them otherwise than its events do cannot be compared. */
const notSent = (registration: Registration, source: Source, endpoints: readonly Endpoint[]): readonly string[] => {
  const registered = new Set(endpoints.flatMap(endpoint => endpoint.types))
  const sendsAll = registration.everything?.some(word => registered.has(word)) ?? false
  if (sendsAll || registered.size === 0) return []
  return (typesWanted(registration, source) ?? []).filter(type => !registered.has(type))
}
