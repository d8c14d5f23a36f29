import { App } from 'aws-cdk-lib'
import { ReceiverStack } from '../../lib/index.ts'
import sources from './sources.ts'

const app = new App()
const both = { sources, worker: 'worker.ts', env: { account: '111111111111', region: 'eu-central-1' } }

new ReceiverStack(app, 'Webhooks-staging', { ...both, environment: 'staging' })
new ReceiverStack(app, 'Webhooks', { ...both, environment: 'production', canary: true })
