export { awsBodies } from '../functions/adapters/aws-bodies.ts'
export { type ConsumeHandler, type ConsumeOptions, consume } from '../functions/consume/consume.ts'
export type { Handler } from '../functions/consume/handle.ts'
export type { CommitResult, Newest, Tools } from '../functions/consume/tools.ts'
export { Unprocessable, type WebhookEvent } from '../functions/domain/event.ts'
export type { SourceConfig, Sources } from '../functions/domain/source.ts'
export { type AnswerStoreProps, createAnswerStore } from '../functions/idempotent/answer-store.ts'
export {
  type Idempotency,
  type IdempotentOptions,
  idempotent,
  idempotently,
} from '../functions/idempotent/idempotent.ts'
export { type PublisherOptions, publisher } from './client/publisher.ts'
export { type SigV4Options, sigV4 } from './client/sig-v4.ts'
export { WebhookReceiver, type WebhookReceiverProps } from './constructs/webhook-receiver.ts'
