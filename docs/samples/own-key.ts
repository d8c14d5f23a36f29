import { App, Stack } from 'aws-cdk-lib'
import { Key } from 'aws-cdk-lib/aws-kms'
import { RetentionDays } from 'aws-cdk-lib/aws-logs'
import { WebhookReceiver } from '../../lib/index.ts'
import sources from './sources.ts'

const stack = new Stack(new App(), 'Webhooks')
const encryptionKey = new Key(stack, 'Key', { enableKeyRotation: true })
new WebhookReceiver(stack, 'Receiver', { sources, encryptionKey, logRetention: RetentionDays.ONE_YEAR })
