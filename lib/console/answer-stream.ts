import { setTimeout as sleep } from 'node:timers/promises'
import { millis } from '../../functions/domain/brands.ts'
import type { EventView } from '../operator/event-view.ts'
import { follow } from '../operator/follow.ts'
import { isProblem } from './problem.ts'
import { readInstant } from './request.ts'
import type { Answering } from './routes.ts'

/** A look is sixteen small queries, and happens only while a page is open. */
const LOOK_EVERY_MS = 1_000
/** What may still change is at most this old when a page asks for it. */
const FURTHEST_MS = 3_600_000

/** Every event that appears or changes, one a line, and an empty line after each look: a silent line is a dead one. */
export const answerStream: Answering = async ({ world: { operator, events }, query, gone }) => {
  const now = operator.now()
  const asked = readInstant(query.get('from'), 'from', now - LOOK_EVERY_MS)
  if (isProblem(asked)) return asked
  const from = millis(Math.max(asked, now - FURTHEST_MS))
  return { lines: lookAndWait(pause => follow(events, { now: operator.now, from, pause }), gone) }
}

type Followed = (pause: () => Promise<boolean>) => AsyncIterable<EventView>

async function* lookAndWait(followed: Followed, gone: AbortSignal): AsyncGenerator<EventView | null> {
  // The pause belongs to the generator that is followed: its beats come out between the events.
  let rested = Promise.withResolvers<null>()
  const pause = async (): Promise<boolean> => {
    rested.resolve(null)
    rested = Promise.withResolvers<null>()
    return sleep(LOOK_EVERY_MS, true, { signal: gone }).catch(() => false)
  }
  const changes = followed(pause)[Symbol.asyncIterator]()
  let coming = changes.next()
  while (true) {
    const first = await Promise.race([coming, rested.promise])
    if (first === null) {
      yield null
      continue
    }
    if (first.done) return
    yield first.value
    coming = changes.next()
  }
}
