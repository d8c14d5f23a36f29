import { App, Stack } from 'aws-cdk-lib'
import { Port, SecurityGroup, Vpc } from 'aws-cdk-lib/aws-ec2'
import { ReceiverStack } from '../../lib/index.ts'
import sources from './sources.ts'

const app = new App()
const env = { account: '111111111111', region: 'eu-central-1' }
const vpc = Vpc.fromLookup(new Stack(app, 'Network', { env }), 'Vpc', { vpcName: 'main' })
const stack = new ReceiverStack(app, 'Webhooks', { env, sources, worker: 'worker.ts', vpc })

const cache = new SecurityGroup(stack, 'Cache', { vpc })
cache.connections.allowFrom(stack.receiver.worker, Port.tcp(6379))
