import type { AnswerClaim, AnswerClaimed } from '../domain/answers.ts'
import { type Millis, plus, toSeconds } from '../domain/brands.ts'
import type { HttpAnswer, HttpRequest } from '../domain/http.ts'
import { readIdempotencyKey } from '../domain/idempotency-key.ts'
import { openAnswer } from './kept-answer.ts'
import { nameOf, payloadOf } from './name-request.ts'
import { problem, replayed } from './reply.ts'
import type { AnswerWorld, Rules } from './rules.ts'

export interface Beginning {
  readonly request: HttpRequest
  /** Who asks, as the authorizer says; undefined where nobody was authorised. */
  readonly caller: string | undefined
  readonly operation: string
  /** How long this request may act. */
  readonly lease: Millis
}

export type Begun =
  /** The handler runs now, and nobody else's does while the lease lives. */
  | Owned
  /** The handler runs as if there were no key. */
  | { readonly kind: 'unguarded' }
  /** The handler does not run. */
  | { readonly kind: 'answered'; readonly answer: HttpAnswer }

export interface Owned {
  readonly kind: 'owned'
  readonly claim: AnswerClaim
  readonly key: string
  readonly tookOver: boolean
}

/** The first half of the flow: the key is read before anything else, and one conditional write decides. */
export const begin = async (world: AnswerWorld, rules: Rules, beginning: Beginning): Promise<Begun> => {
  const { request, caller, operation, lease } = beginning
  const read = readIdempotencyKey(request.headers.get('idempotency-key'))
  if (read.kind === 'missing' && !rules.required) return { kind: 'unguarded' }
  if (read.kind === 'missing') return answered(problem('key-missing', rules))
  if (read.kind === 'malformed') return answered(problem('key-malformed', rules, { detail: read.why }))
  if (caller === undefined) return answered(problem('caller-unknown', rules))

  const { key } = read
  const now = world.now()
  const leaseUntil = plus(now, lease)
  const claim: AnswerClaim = {
    fingerprint: nameOf({ caller, operation, key }),
    payload: payloadOf(request, rules.payload),
    fence: world.newFence(),
    now,
    leaseUntil,
    // What has expired is anybody's: never before the lease has passed.
    expiresAt: plus(toSeconds(leaseUntil), rules.ttl),
  }
  return decided(world, rules, { claim, key }, await world.store.claim(claim))
}

const decided = async (
  world: AnswerWorld,
  rules: Rules,
  { claim, key }: Pick<Owned, 'claim' | 'key'>,
  claimed: AnswerClaimed,
): Promise<Begun> => {
  switch (claimed.kind) {
    case 'won':
      // Woken up after the lease had passed: somebody else may be running by now.
      if (world.now() >= claim.leaseUntil) return answered(problem('unavailable', rules))
      return { kind: 'owned', claim, key, tookOver: claimed.tookOver }
    case 'running':
      return answered(problem('running', rules, { retryAfter: retryAfter(claimed.leaseUntil, claim.now) }))
    case 'mismatch':
      return answered(problem('key-reused', rules))
    case 'finished': {
      const answer = await openAnswer(world, claim.fingerprint, claimed.answer)
      if ('kind' in answer) return answered(problem(answer.kind === 'gone' ? 'answer-gone' : 'unavailable', rules))
      return answered(replayed(answer, claimed.expiresAt))
    }
    case 'unavailable':
      if (rules.whenStoreFails === 'refuse') return answered(problem('unavailable', rules))
      world.note({ kind: 'unguarded', cause: claimed.cause })
      return { kind: 'unguarded' }
  }
}

const answered = (answer: HttpAnswer): Begun => ({ kind: 'answered', answer })

/** Most are done within a second; an owner that died is not worth asking about more often than this. */
const MOST_SECONDS = 5

const retryAfter = (leaseUntil: Millis, now: Millis): number =>
  Math.min(MOST_SECONDS, Math.max(1, Math.ceil((leaseUntil - now) / 1000)))
