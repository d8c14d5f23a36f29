import type { AnswerClaim, AnswerClaimed, AnswerStore, KeptAnswer } from '../domain/answers.ts'
import { type Fingerprint, toSeconds } from '../domain/brands.ts'
import { isExpired } from '../domain/record.ts'

export interface MemoryAnswer extends Omit<AnswerClaim, 'now'> {
  readonly answer?: KeptAnswer
}

/** The twin of the DynamoDB store for tests: same law, same answers, no network. */
export const memoryAnswers = (kept = new Map<Fingerprint, MemoryAnswer>()): AnswerStore => {
  const claim = (wanted: AnswerClaim): AnswerClaimed => {
    const { now, ...item } = wanted
    const there = kept.get(wanted.fingerprint)
    const standing = there && !isExpired(there, toSeconds(now)) ? there : undefined
    const own = standing?.fence === wanted.fence && !standing.answer
    const lost = standing && !own ? lostTo(standing, wanted) : undefined
    if (lost) return lost
    kept.set(wanted.fingerprint, item)
    return { kind: 'won', tookOver: standing !== undefined }
  }

  const move = (owned: AnswerClaim, allowed: (there: MemoryAnswer) => boolean, next: Partial<MemoryAnswer>) => {
    const there = kept.get(owned.fingerprint)
    if (there?.fence !== owned.fence || !allowed(there)) return { kind: 'superseded' as const }
    kept.set(owned.fingerprint, { ...there, ...next })
    return { kind: 'moved' as const }
  }

  return {
    claim: async wanted => claim(wanted),
    complete: async (owned, answer, expiresAt) => move(owned, () => true, { answer, expiresAt }),
    release: async (owned, now) => move(owned, there => !there.answer, { leaseUntil: now }),
  }
}

/** `undefined`: its owner died, and with the same payload. */
const lostTo = (standing: MemoryAnswer, { payload, now }: AnswerClaim): AnswerClaimed | undefined => {
  const { answer, expiresAt, leaseUntil } = standing
  if (standing.payload !== payload) return { kind: 'mismatch' }
  if (answer) return { kind: 'finished', answer, expiresAt }
  return leaseUntil > now ? { kind: 'running', leaseUntil } : undefined
}
