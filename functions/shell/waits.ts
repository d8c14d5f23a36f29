import type { Clock } from '../domain/ports.ts'
import type { Receiving } from '../domain/world.ts'

/** As the log calls them: claiming an event and moving it on are waits for one table. */
const CALLED = { secrets: 'secrets', claims: 'events', events: 'events', bodies: 'bodies', queue: 'queue' } as const

/** The same world, which also notes how many milliseconds each of its ports took. */
export const withWaits = (world: Receiving): { readonly world: Receiving; readonly waits: Record<string, number> } => {
  const waits: Record<string, number> = {}
  const timed = Object.fromEntries(
    Object.entries(CALLED).map(([port, name]) => [
      port,
      timedPort(world[port as keyof typeof CALLED], name, world.now, waits),
    ]),
  )
  return { world: { ...world, ...timed }, waits }
}

const timedPort = <Port extends object>(port: Port, name: string, now: Clock, waits: Record<string, number>): Port =>
  Object.fromEntries(
    Object.entries(port).map(([method, call]) => [
      method,
      async (...parameters: unknown[]) => {
        const startedAt = now()
        try {
          return await call(...parameters)
        } finally {
          const waited = now() - startedAt
          // What took no time needs no room in the log.
          if (waited > 0) waits[name] = (waits[name] ?? 0) + waited
        }
      },
    ]),
  ) as Port
