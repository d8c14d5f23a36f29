import { setTimeout as sleep } from 'node:timers/promises'
import { millis } from '../../functions/domain/brands.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import { followRecords } from '../operator/follow.ts'
import { listed } from './find-events.ts'
import { isProblem } from './problem.ts'
import type { Answering } from './question.ts'
import { readInstant } from './request.ts'
import type { ListedEvent } from './wanted.ts'

/** A look is sixteen small queries, and happens only while a page is open. */
const LOOK_EVERY_MS = 1_000
/** What may still change is at most this old when a page asks for it. */
const FURTHEST_MS = 3_600_000

/** Every event that appears or changes, one a line, and an empty line after each look: a silent line is a dead one. */
export const answerStream: Answering = async ({ world: { operator, events }, query, gone }) => {
  const now = operator.now()
  const asked = readInstant(query.get('from'), 'from', now - LOOK_EVERY_MS)
  if (isProblem(asked)) return asked
  // A page does not know of a frozen clock.
  const from = millis(Math.min(Math.max(asked, now - FURTHEST_MS), now - LOOK_EVERY_MS))
  return { lines: lookAndWait(pause => followRecords(events, { now: operator.now, from, pause }), gone) }
}

type Followed = (pause: () => Promise<boolean>) => AsyncIterable<EventRecord>

async function* lookAndWait(followed: Followed, gone: AbortSignal): AsyncGenerator<ListedEvent | null> {
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
    yield listed(first.value)
    coming = changes.next()
  }
}
