import { SEVERAL } from '../contract/queues.ts'
import { WORKER } from '../domain/destinations.ts'

interface Names {
  /** The queues of destinations by name, without the worker's. */
  readonly destinations?: Readonly<Record<string, string>> | undefined
}

/** Where events for these destinations go, of which none is the worker; empty if that was removed. */
export const queueFor = ({ destinations = {} }: Names, to: readonly string[]): string =>
  destinations[to.length === 1 ? String(to[0]) : SEVERAL] ?? ''

/** Whether events for these destinations can be sent. */
export const leadsTo = (names: Names, to: readonly string[]): boolean =>
  to.join() === WORKER || queueFor(names, to) !== ''
