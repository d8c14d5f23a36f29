import { setTimeout as sleep } from 'node:timers/promises'
import type { Millis } from '../../functions/domain/brands.ts'
import type { World } from '../../functions/domain/world.ts'
import { emptyRemoved } from '../../functions/recover/empty-removed.ts'
import { type Recovering, recover, type Tally } from '../../functions/recover/recover.ts'
import { emptiedLine, recoverLine } from '../../functions/recover/recover-line.ts'

export interface Regularly {
  /** In real time, whatever the local instance's clock says. */
  readonly every: Millis
  readonly write: (line: string) => void
  readonly warn: (sentence: string) => void
}

/** The schedule of the recover function on a laptop: at once and then regularly, one after the other. */
export const recoverRegularly = (
  world: Recovering & World<'environment' | 'left'>,
  { every, write, warn }: Regularly,
) => {
  const stopped = new AbortController()
  const { signal } = stopped

  const run = async (): Promise<void> => {
    try {
      const tally = await recover(world, () => signal.aborted)
      if (didSomething(tally)) write(recoverLine(world.environment, tally, world.now()))
      for (const each of await emptyRemoved(world, () => signal.aborted)) write(emptiedLine(each))
    } catch (error) {
      if (!signal.aborted) warn(`Recovery failed: ${(error as Error).message}`)
    }
  }

  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      await run()
      await sleep(every, undefined, { signal }).catch(() => {})
    }
  }

  const ended = loop()
  return {
    stop: (): Promise<void> => {
      stopped.abort()
      return ended
    },
  }
}

const didSomething = ({ recovered, waiting, lost, unreadable, unavailable }: Tally): boolean =>
  recovered + waiting + lost + unreadable + unavailable > 0
