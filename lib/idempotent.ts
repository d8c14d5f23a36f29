export { awsBodies } from '../functions/adapters/aws-bodies.ts'
export { type AnswerStoreProps, createAnswerStore } from '../functions/idempotent/answer-store.ts'
export {
  type Idempotency,
  type IdempotentOptions,
  idempotent,
  idempotently,
} from '../functions/idempotent/idempotent.ts'
