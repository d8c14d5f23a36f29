export { WebhookReceiver, type WebhookReceiverProps } from './constructs/webhook-receiver.ts'
export * from './consume.ts'
export * from './providers.ts'
export { ReceiverStack, type ReceiverStackProps } from './stacks/receiver-stack.ts'
