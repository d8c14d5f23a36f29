import type { Receiving } from '../domain/world.ts'

/** As the log calls them: claiming an event and moving it on are waits for one table. */
const CALLED = { secrets: 'secrets', claims: 'events', events: 'events', bodies: 'bodies', queue: 'queue' } as const

type Port = keyof typeof CALLED

/** Milliseconds that each port took. */
export type Waits = Record<string, number>

/** Worlds like this one, for one delivery each, that also note how long their ports took. */
export const timedWorlds = (world: Receiving): (() => { readonly world: Receiving; readonly waits: Waits }) => {
  const Secrets = timedPort(world, 'secrets')
  const Claims = timedPort(world, 'claims')
  const Events = timedPort(world, 'events')
  const Bodies = timedPort(world, 'bodies')
  const Queue = timedPort(world, 'queue')
  // Spelled out: V8 knows what such an object looks like, and would look each name up in a loop.
  return () => {
    const waits: Waits = {}
    const timed = {
      ...world,
      secrets: new Secrets(waits),
      claims: new Claims(waits),
      events: new Events(waits),
      bodies: new Bodies(waits),
      queue: new Queue(waits),
    }
    return { world: timed as unknown as Receiving, waits }
  }
}

type Calls = Readonly<Record<string, (...parameters: unknown[]) => unknown>>

/** The methods stand in a class that is made once: fifteen closures for each delivery took longer than what they time. */
const timedPort = (world: Receiving, port: Port): (new (waits: Waits) => object) => {
  const name = CALLED[port]
  const timed = async <Answer>(answer: Promise<Answer>, startedAt: number, waits: Waits): Promise<Answer> => {
    try {
      return await answer
    } finally {
      const waited = world.now() - startedAt
      // What took no time needs no room in the log.
      if (waited > 0) waits[name] = (waits[name] ?? 0) + waited
    }
  }
  class Timed {
    readonly waits: Waits

    constructor(waits: Waits) {
      this.waits = waits
    }
  }
  for (const method of Object.keys(world[port])) {
    Object.assign(Timed.prototype, {
      [method](this: Timed, ...parameters: unknown[]) {
        const startedAt = world.now()
        const answer = (world[port] as unknown as Calls)[method]?.(...parameters)
        return answer instanceof Promise ? timed(answer, startedAt, this.waits) : answer
      },
    })
  }
  return Timed
}
