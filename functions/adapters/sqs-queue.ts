import type { SQSClient } from '@aws-sdk/client-sqs'
import type { Queue } from '../domain/ports.ts'
import { type QueueUrls, queueOver } from './message-queue.ts'
import { sdkQueue } from './sdk/queue.ts'

/** The queue with the SDK. */
export const sqsQueue = (client: SQSClient, urls: QueueUrls): Queue => queueOver(sdkQueue(client), urls)
