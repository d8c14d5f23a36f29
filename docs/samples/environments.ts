import { App } from 'aws-cdk-lib'
import { ReceiverStack } from '../../lib/index.ts'
import sources from './sources.ts'

const app = new App()
const env = { account: '111111111111', region: 'eu-central-1' }

new ReceiverStack(app, 'Hooklatch-staging', { sources, env, environment: 'staging' })
new ReceiverStack(app, 'Hooklatch-production', { sources, env, environment: 'production', canary: true })
