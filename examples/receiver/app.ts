import { App, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb'
import { WebhookReceiver } from 'hooklatch'
import sources from './sources.ts'

const stack = new Stack(new App(), 'Webhooks')
const receiver = new WebhookReceiver(stack, 'Receiver', { sources, worker: 'worker.ts' })

const invoices = new Table(stack, 'Invoices', {
  partitionKey: { name: 'id', type: AttributeType.STRING },
  billingMode: BillingMode.PAY_PER_REQUEST,
  removalPolicy: RemovalPolicy.RETAIN,
})
invoices.grantWriteData(receiver.worker)
receiver.worker.addEnvironment('INVOICES_TABLE', invoices.tableName)
