import { RECOVER_EVERY_SECONDS } from '../../functions/contract/limits.ts'
import { millis, plus, toMillis } from '../../functions/domain/brands.ts'
import { type Duration, durationSeconds } from '../../functions/domain/duration.ts'
import { recover } from '../../functions/recover/recover.ts'
import type { Mapping } from './hand-out.ts'
import type { Place } from './place.ts'

const MINUTE = RECOVER_EVERY_SECONDS * 1000
const HOUR = 60 * MINUTE

/** Moves the clock from one thing that is due to the next. */
export const passTime = (place: Place, queues: Mapping): ((span: Duration) => Promise<void>) => {
  const { now } = place.world
  let recoveredAt: number = now()

  /** Each minute while a claim waits for it. Nothing else needs it sooner than in an hour. */
  const recoveryAt = (): number =>
    recoveredAt + (place.records().some(({ status }) => status === 'claimed') ? MINUTE : HOUR)

  const step = async (until: number): Promise<void> => {
    const due = Math.max(recoveryAt(), now())
    const next = Math.min(until, due, queues.nextAt() ?? until)
    place.setClock(millis(next))
    if (next >= due) {
      recoveredAt = next
      // In an outage it fails, and runs again.
      await recover(place.world).catch(() => {})
    }
    await queues.drain()
  }

  return async span => {
    const until = plus(now(), toMillis(durationSeconds(span)))
    await queues.drain()
    while (now() < until) await step(until)
  }
}
