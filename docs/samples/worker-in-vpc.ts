import { App, Stack } from 'aws-cdk-lib'
import { Port, SecurityGroup, Vpc } from 'aws-cdk-lib/aws-ec2'
import { WebhookReceiver } from '../../lib/index.ts'
import sources from './sources.ts'

const stack = new Stack(new App(), 'Webhooks', { env: { account: '111111111111', region: 'eu-central-1' } })
const vpc = Vpc.fromLookup(stack, 'Vpc', { vpcName: 'main' })
const { worker } = new WebhookReceiver(stack, 'Receiver', { sources, vpc })

const cache = new SecurityGroup(stack, 'Cache', { vpc })
cache.connections.allowFrom(worker, Port.tcp(6379))
