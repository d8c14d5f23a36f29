import type { Context } from 'aws-lambda'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { GatewayEvent } from '../../functions/adapters/api-gateway.ts'
import type { AnswerStore } from '../../functions/domain/answers.ts'
import { type Millis, millis } from '../../functions/domain/brands.ts'
import { idempotently } from '../../functions/idempotent/idempotent.ts'
import { NOON } from '../support/events.ts'
import { type Answered, askEvent } from '../support/idempotent-rig.ts'
import { memoryRig } from '../support/memory-rig.ts'

const LEASE = 1_000

interface Run {
  readonly startedAt: Millis
  readonly leaseUntil: Millis
  endedAt: Millis | null
}

/** Time that passes only when everybody waits for it. */
const timeline = () => {
  let now: Millis = NOON
  const sleepers: { readonly at: number; readonly order: number; readonly wake: () => void }[] = []
  let order = 0
  return {
    now: () => now,
    sleep: (milliseconds: number): Promise<void> =>
      new Promise(wake => sleepers.push({ at: now + milliseconds, order: order++, wake })),
    /** Until nobody sleeps any more. */
    pass: async (): Promise<void> => {
      for (;;) {
        for (let turn = 0; turn < 30; turn++) await Promise.resolve()
        sleepers.sort((left, right) => left.at - right.at || left.order - right.order)
        const next = sleepers.shift()
        if (!next) return
        now = millis(Math.max(now, next.at))
        next.wake()
      }
    },
  }
}

/** Every remote call may be slow, lost, applied with its answer lost, or applied late, after its caller gave up. */
const faulty = (store: AnswerStore, time: ReturnType<typeof timeline>, next: () => number): AnswerStore => {
  const call = async <Answer>(
    apply: () => Promise<Answer>,
  ): Promise<Answer | { kind: 'unavailable'; cause: string }> => {
    const lost = { kind: 'unavailable', cause: 'lost' } as const
    const fate = next() % 10
    await time.sleep(next() % 200)
    if (fate === 0) return lost
    if (fate === 1) {
      await apply()
      return lost
    }
    if (fate === 2) {
      void time.sleep(next() * 3).then(apply)
      return lost
    }
    const answer = await apply()
    await time.sleep(next() % 200)
    // The SDK repeats a call whose answer was lost, with the same fence.
    return fate === 3 ? apply() : answer
  }
  return {
    claim: claim => call(() => store.claim(claim)),
    complete: (...given) => call(() => store.complete(...given)),
    release: (...given) => call(() => store.release(...given)),
  }
}

/** Some requests with one key, on one schedule. Answers what went wrong, or nothing. */
const play = async (tape: readonly number[], kept: AnswerStore): Promise<string[]> => {
  let at = 0
  const next = (): number => tape[at++ % tape.length] ?? 0
  const time = timeline()
  const runs: Run[] = []
  const wrongs: string[] = []
  const answers: Answered[] = []
  let notKept = 0

  const request = async (): Promise<void> => {
    let leaseUntil = time.now()
    const claim: AnswerStore['claim'] = claimed => {
      leaseUntil = claimed.leaseUntil
      return kept.claim(claimed)
    }
    const store = faulty({ ...kept, claim }, time, next)
    const ask = idempotently<GatewayEvent, Answered>(
      { store, now: time.now, skewMillis: 0, onNote: ({ kind }) => void (kind === 'not-kept' && notKept++) },
      async () => {
        const startedAt = time.now()
        const rival = runs.find(run => run.endedAt === null && startedAt < run.leaseUntil)
        if (rival) wrongs.push(`ran at ${startedAt} while a lease lived until ${rival.leaseUntil}`)
        const run: Run = { startedAt, leaseUntil, endedAt: null }
        runs.push(run)
        const [fate, length] = [next() % 8, next() % (2 * LEASE)]
        await time.sleep(length)
        if (fate === 0) await new Promise(() => {})
        run.endedAt = time.now()
        if (fate === 1) throw new Error('failed')
        return { statusCode: fate === 2 ? 503 : 200, headers: {}, body: `run ${runs.indexOf(run)}` }
      },
    )
    const answer = await ask(askEvent(), { getRemainingTimeInMillis: () => LEASE } as Context).catch(() => undefined)
    if (answer) answers.push(answer)
  }

  const clients = Array.from({ length: 2 + (next() % 4) }, async () => {
    await time.sleep(next() * 3)
    for (let tries = 1 + (next() % 3); tries > 0; tries--) {
      await request()
      await time.sleep(next() * 2)
    }
  })
  await time.pass()
  void clients
  const good = new Set(answers.filter(({ statusCode }) => statusCode === 200).map(({ body }) => body))
  if (good.size > 1 + notKept) wrongs.push(`${good.size} different answers were given as the one answer`)
  return wrongs
}

const { engine, stores } = memoryRig()
const empty = engine.snapshot()

/** One engine for all of them: making it takes longer than a schedule. */
const emptyStore = (): AnswerStore => {
  engine.restore(empty)
  return stores.answers
}

const tapes = fc.array(fc.nat({ max: 999 }), { minLength: 40, maxLength: 90 })

describe('no schedule', () => {
  it('no schedule runs the handler twice while a lease is alive, or gives two answers to one key', async () => {
    await fc.assert(
      fc.asyncProperty(tapes, async tape => (await play(tape, emptyStore())).length === 0),
      { numRuns: 3_000 },
    )
  })

  it.each<[string, (store: AnswerStore) => AnswerStore]>([
    [
      'takes over a lease that lives',
      store => ({ ...store, claim: claim => store.claim({ ...claim, now: millis(claim.now + 600) }) }),
    ],
    [
      'completes without a fence',
      store => {
        let last: Parameters<AnswerStore['claim']>[0] | undefined
        return {
          ...store,
          claim: claim => {
            last = claim
            return store.claim(claim)
          },
          complete: (owned, ...rest) => store.complete({ ...owned, fence: last?.fence ?? owned.fence }, ...rest),
        }
      },
    ],
    [
      'forgets what was finished',
      store => ({ ...store, complete: (owned, _answer) => store.release(owned, owned.now) }),
    ],
  ])('random schedules find a store that %s', async (_, broken) => {
    const caught = await fc.check(
      fc.asyncProperty(tapes, async tape => (await play(tape, broken(emptyStore()))).length === 0),
      { numRuns: 3_000 },
    )
    expect(caught.failed).toBe(true)
  })
})
