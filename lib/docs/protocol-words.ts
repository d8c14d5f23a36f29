import type { TransitionName } from '../../functions/domain/whole-protocol.ts'

/** Who makes a transition, and what for. A new transition stops the compiler here. */
export const TRANSITION_WORDS = {
  claim: ['receive, publish', 'A delivery becomes the owner of its event.'],
  takeOver: ['receive, publish, recover', 'An owner died or gave up: another goes on.'],
  reopen: ['receive, publish', 'A failed event was sent again: its next generation begins.'],
  settle: ['receive, publish, recover, operator', 'The message is on the queue.'],
  noteBody: [
    'receive, publish, recover, operator',
    'A consumer was faster than settle: the record learns where the body is.',
  ],
  release: ['receive, publish, recover, operator', 'Nothing was queued, for certain: the lease ends now.'],
  take: ['consume', 'An attempt begins.'],
  recreate: ['consume', 'The record is gone or behind: it is made again from the message.'],
  recreateFailed: ['consume, bury, recover', 'The same for an event that fails at once.'],
  finish: ['consume', 'The handler returned.'],
  commit: ['consume', "In one transaction with the handler's own writes."],
  report: ['consume', 'An attempt failed: the record says why, and the lease ends.'],
  fail: ['consume, bury, recover', 'No attempt is left, or none would help.'],
  replay: ['operator', 'In one transaction with its audit: a new generation begins.'],
  guard: ['receive', "The signed bytes belong to this event (`guard: 'body'`). In one transaction with claim."],
  claimKey: ['idempotent', 'A request becomes the owner of its Idempotency-Key.'],
  completeKey: ['idempotent', 'Its answer is stored, and given again from now on.'],
  releaseKey: ['idempotent', 'It failed: the key is free at once.'],
  advance: ['consume', '`newest`: this version of a thing is the newest that was seen.'],
  noteAct: ['operator', 'An audit, written before the act.'],
  createJob: ['operator', 'A bulk replay is written down.'],
  saveJob: ['operator', 'How far it has come.'],
  moveCursor: ['recover', 'How far a pass over the listing has come.'],
  keepBody: ['receive, publish, consume, bury, operator', 'A body in DynamoDB.'],
  keepDelivery: ['receive', 'A delivery in quarantine or in a capture.'],
} as const satisfies Record<TransitionName, readonly [by: string, what: string]>

/** What each part of a condition says. */
export const PART_WORDS: Readonly<Record<string, string>> = {
  'expiresAt > nowSeconds': 'not expired',
  'fence = fence': 'our fence',
  'fence = seenFence': 'the fence that was seen',
  'leaseUntil <= now': 'its lease has passed',
  'generation = seenGeneration': 'the same generation',
  'generation < seenGeneration': 'an earlier generation',
  'status = seenStatus': 'the status that was seen',
  'bodyAt absent': 'no body is noted',
  'guards = fingerprint': 'it guards this event',
  'payload = payload': 'the same payload',
  'version < version': 'an older version',
  'version = version': 'the same version',
  'broughtBy = by': 'from this event',
  'at < since': 'of an earlier life of the event',
  'position < position': 'not as far',
  'expiresAt < expiresAt': 'would end sooner',
}
