import type { AnswerClaim, KeptAnswer } from '../domain/answers.ts'
import { plus, type Seconds, toSeconds } from '../domain/brands.ts'
import { causeOf } from '../domain/fault.ts'
import type { HttpAnswer } from '../domain/http.ts'
import type { Owned } from './begin.ts'
import { keepAnswer } from './kept-answer.ts'
import { problem } from './reply.ts'
import type { AnswerWorld, Rules } from './rules.ts'

export type Finished =
  /** The handler's own answer goes out; null: it will not be replayed. */
  | { readonly kind: 'own'; readonly expiresAt: Seconds | null }
  | { readonly kind: 'instead'; readonly answer: HttpAnswer }

/** Whether the handler has surely come to its end: while it may run, nobody is let in. */
export type HandlerState = 'ended' | 'may-run'

/** The second half: what the handler answered is kept for whoever asks again, or the key is given back. */
export const finish = async (
  world: AnswerWorld,
  rules: Rules,
  { claim }: Owned,
  read: () => HttpAnswer,
  handler: HandlerState,
): Promise<Finished> => {
  // Somebody gave up on it and answered in its place: what it comes to is not known yet.
  if (handler === 'may-run') return { kind: 'own', expiresAt: null }
  const expiresAt = plus(toSeconds(world.now()), rules.ttl)
  const kept = await keep(world, rules, claim, read, expiresAt)
  if (kept === undefined) {
    await world.store.release(claim, world.now())
    return { kind: 'own', expiresAt: null }
  }
  const moved = await world.store.complete(claim, kept, expiresAt)
  switch (moved.kind) {
    case 'moved':
      return { kind: 'own', expiresAt }
    case 'superseded':
      // Another request runs with this key, or has been answered: there must not be two answers to one key.
      world.note({ kind: 'superseded' })
      return { kind: 'instead', answer: problem('running', rules, { retryAfter: 1 }) }
    case 'unavailable':
      // It has happened: to say otherwise would make the caller ask for it again.
      world.note({ kind: 'not-kept', cause: moved.cause })
      return { kind: 'own', expiresAt: null }
  }
}

/** Undefined: not to be kept. The handler has acted: what cannot be read of its answer is gone, and its key is used. */
const keep = async (
  world: AnswerWorld,
  rules: Rules,
  { fingerprint }: AnswerClaim,
  read: () => HttpAnswer,
  expiresAt: Seconds,
): Promise<KeptAnswer | undefined> => {
  try {
    const answer = read()
    return rules.stores(answer) ? await keepAnswer(world, rules, fingerprint, answer, expiresAt) : undefined
  } catch (error) {
    world.note({ kind: 'not-kept', cause: causeOf(error) })
    return { status: 200, headers: {}, base64: false, body: 'gone' }
  }
}

/** The handler threw: the next request with the same payload need not wait for the lease. */
export const giveBack = async (world: AnswerWorld, { claim }: Owned): Promise<void> => {
  await world.store.release(claim, world.now())
}
