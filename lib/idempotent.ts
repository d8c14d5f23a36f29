export {
  type AnswerBodiesProps,
  type AnswerStoreProps,
  awsBodies,
  createAnswerStore,
} from '../functions/idempotent/answer-store.ts'
export {
  type Idempotency,
  type IdempotentOptions,
  idempotent,
  idempotently,
} from '../functions/idempotent/idempotent.ts'
