import { App, Stack } from 'aws-cdk-lib'
import { Key } from 'aws-cdk-lib/aws-kms'
import { RetentionDays } from 'aws-cdk-lib/aws-logs'
import { ReceiverStack } from '../../lib/index.ts'
import sources from './sources.ts'

const app = new App()
const encryptionKey = new Key(new Stack(app, 'Keys'), 'Webhooks', { enableKeyRotation: true })
const logRetention = RetentionDays.ONE_YEAR
new ReceiverStack(app, 'Webhooks', { sources, worker: 'worker.ts', encryptionKey, logRetention })
