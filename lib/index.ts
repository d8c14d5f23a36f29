export { WebhookReceiver, type WebhookReceiverProps } from './constructs/webhook-receiver.ts'
