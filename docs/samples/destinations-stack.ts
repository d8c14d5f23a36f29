import { App, Stack } from 'aws-cdk-lib'
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { WebhookReceiver } from '../../lib/index.ts'
import sources from '../../sources.ts'
import destinations from '../samples/destinations.ts'

const stack = new Stack(new App(), 'Webhooks')
const crm = new Queue(stack, 'CrmEvents')
const receiver = new WebhookReceiver(stack, 'Receiver', { sources, destinations, bind: { crm } })

// Only the code of billing can write to this table.
const invoices = new Table(stack, 'Invoices', { partitionKey: { name: 'id', type: AttributeType.STRING } })
const { billing } = receiver.destinations
if (billing) invoices.grantWriteData(billing)
