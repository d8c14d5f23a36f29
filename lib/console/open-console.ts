import { randomBytes } from 'node:crypto'
import { SEVERAL } from '../../functions/contract/queues.ts'
import { WORKER } from '../../functions/domain/destinations.ts'
import { compareSource, isComparable } from '../connect/compare-source.ts'
import type { Connection } from '../connect/connection.ts'
import { destinationsOf } from '../connect/destinations-of.ts'
import { findSource } from '../connect/find-source.ts'
import { type Listening, listenOn } from '../connect/listen-on.ts'
import { loadSources } from '../connect/load-sources.ts'
import { operatorOf } from '../connect/operator-of.ts'
import { isRefusal, type Refusal } from '../connect/refusal.ts'
import { buildPage, type Page } from './build-page.ts'
import { consoleServer } from './server.ts'
import type { Place } from './world.ts'

export interface ConsoleRequest {
  /** 0 takes any free one. */
  readonly port: number
  readonly curl?: Place['curl']
  /** For tests: instead of the hosts of senders. */
  readonly apiUrl?: string | undefined
  readonly warn: (sentence: string) => void
}

/** Without the queue of events that have several. */
const everyDestination = (connection: Connection) => [
  { name: WORKER, kind: WORKER },
  ...Object.entries(destinationsOf(connection))
    .filter(([name]) => name !== SEVERAL)
    .map(([name, { kind = null }]) => ({ name, kind })),
]

/** Opens the console of a deployment on loopback; its `url` is whole, with the token of this run. */
export const openConsole = async (
  connection: Connection,
  { port, curl = null, apiUrl, warn }: ConsoleRequest,
): Promise<Listening | Refusal> => {
  const operator = await operatorOf(connection)
  if (isRefusal(operator)) return operator
  const sources = await loadSources(connection.sourceFile)
  if (isRefusal(sources)) return sources
  const { stores, name, urlOf } = connection
  const token = randomBytes(24).toString('base64url')
  const closing = new AbortController()
  let hosts: readonly string[] = []
  let built: Promise<Page> | undefined
  const server = consoleServer({
    world: {
      operator,
      events: stores.records,
      pauses: stores.pauses,
      comparisons: {
        last: stores.reconciler.last,
        sources: [...sources.values()].filter(isComparable).map(source => source.name),
        compare: async (source, stop) => {
          const found = findSource(sources, source)
          return isRefusal(found) ? found : compareSource(connection, operator, found, { apiUrl, stop })
        },
      },
      place: { name, urlOf, curl, destinations: everyDestination(connection) },
      brokenOff: new Map(),
    },
    page: () => (built ??= buildPage()),
    warn,
    closing: closing.signal,
    access: () => ({ hosts, token }),
  })
  const listening = await listenOn(server, port, '--console-port')
  if (isRefusal(listening)) return listening
  const { host, port: taken } = new URL(listening.url)
  hosts = [host, `localhost:${taken}`]
  return {
    url: `${listening.url}/?token=${token}`,
    close: () => {
      closing.abort()
      return listening.close()
    },
  }
}
