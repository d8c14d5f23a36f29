import { dynamodbAnswers } from '../../functions/adapters/dynamodb-answers.ts'
import { EVERY_STORE } from '../../functions/adapters/every-store.ts'
import { type Names, storesOver } from '../../functions/adapters/stores.ts'
import type { AwsCalls } from '../../functions/adapters/wire/aws-calls.ts'
import type { Clock, CopyClaims, EventClaims, EventMoves, EventReads } from '../../functions/domain/ports.ts'
import type { FailureStore, WorkStore } from '../../functions/domain/work.ts'
import { NOON } from './events.ts'

/** Whatever one can do with an event. */
export type EventStore = EventClaims & CopyClaims & EventMoves & EventReads

const NOWHERE: Names = {
  eventsTable: '',
  bodiesTable: '',
  bodiesBucket: '',
  queueUrl: '',
  deadLettersUrl: '',
  fingerprintKey: '',
}

/** Every store that ships, with its parts together again, for tests that look at a whole. */
export const allStores = (aws: AwsCalls, names: Partial<Names>, now: Clock = () => NOON) => {
  const makers = { ...EVERY_STORE, answers: dynamodbAnswers } as const
  const stores = storesOver(aws, { ...NOWHERE, ...names }, makers, now)
  const events: EventStore = { ...stores.claims, ...stores.copies, ...stores.events, ...stores.records }
  const work: WorkStore & FailureStore = { ...stores.work, ...stores.failures }
  return { ...stores, events, work, bodies: { ...stores.bodies, ...stores.keptBodies }, parts: stores }
}
