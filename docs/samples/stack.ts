import { App, Stack } from 'aws-cdk-lib'
import { WebhookReceiver } from '../../lib/index.ts'
import sources from '../../sources.ts'

const stack = new Stack(new App(), 'Webhooks')
new WebhookReceiver(stack, 'Receiver', { sources })
