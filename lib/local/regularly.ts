import { setTimeout as sleep } from 'node:timers/promises'
import type { Millis } from '../../functions/domain/brands.ts'

export interface Regularly {
  /** In real time, whatever the local instance's clock says. */
  readonly every: Millis
  readonly write: (line: string) => void
  readonly warn: (sentence: string) => void
}

/** A schedule on a laptop: at once and then regularly, one after the other. */
export const regularly = (
  name: string,
  { every, warn }: Pick<Regularly, 'every' | 'warn'>,
  run: (stop: AbortSignal) => Promise<void>,
) => {
  const stopped = new AbortController()
  const { signal } = stopped

  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      await run(signal).catch(error => {
        if (!signal.aborted) warn(`${name} failed: ${(error as Error).message}`)
      })
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
