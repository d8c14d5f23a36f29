import { App, Stack } from 'aws-cdk-lib'
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb'
import { WebhookReceiver } from 'hooklatch'
import sources from './sources.ts'

const stack = new Stack(new App(), 'Webhooks')
// With a `domain` of your own, set `disableExecuteApiEndpoint: true` as well: then nobody can post past it.
const { worker } = new WebhookReceiver(stack, 'Receiver', { sources, worker: 'worker.ts' })

// A table of your own: the worker may write to it, and knows its name. `npm start` creates it on your machine, too.
const invoices = new Table(stack, 'Invoices', {
  partitionKey: { name: 'id', type: AttributeType.STRING },
  billingMode: BillingMode.PAY_PER_REQUEST,
})
invoices.grantWriteData(worker)
worker.addEnvironment('INVOICES_TABLE', invoices.tableName)
