import type { Clock } from '../domain/ports.ts'
import type { World } from './world.ts'

const PORTS = ['secrets', 'events', 'bodies', 'queue'] as const

/** The same world, which also notes how many milliseconds each of its ports took. */
export const withWaits = (world: World): { readonly world: World; readonly waits: Record<string, number> } => {
  const waits: Record<string, number> = {}
  const timed = Object.fromEntries(PORTS.map(name => [name, timedPort(world[name], name, world.now, waits)]))
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
