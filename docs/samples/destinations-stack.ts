import { App, Stack } from 'aws-cdk-lib'
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { ReceiverStack } from '../../lib/index.ts'
import destinations from './destinations.ts'
import sources from './sources.ts'

const app = new App()
const crm = new Queue(new Stack(app, 'Crm'), 'Events')
const stack = new ReceiverStack(app, 'Webhooks', { sources, destinations, worker: 'worker.ts', bind: { crm } })

// Only the code of billing can write to this table.
const invoices = new Table(stack, 'Invoices', { partitionKey: { name: 'id', type: AttributeType.STRING } })
const { billing } = stack.receiver.destinations
if (billing) invoices.grantWriteData(billing)
