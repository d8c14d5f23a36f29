import { App, RemovalPolicy } from 'aws-cdk-lib'
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb'
import { ReceiverStack, readContext } from 'hooklatch'
import destinations from './destinations.ts'
import sources from './sources.ts'

const app = new App()
// `npx cdk deploy -c environment=staging` deploys a stack of its own, Webhooks-staging.
const context = readContext(app)
const { environment, throwAway } = context
// With a `domain` of your own, set `disableExecuteApiEndpoint: true` as well: then nobody can post past it.
const stack = new ReceiverStack(app, environment === 'production' ? 'Webhooks' : `Webhooks-${environment}`, {
  ...context,
  sources,
  destinations,
  worker: 'worker.ts',
})

// A table of your own: the worker may write to it, and knows its name. `npm start` creates it on your machine, too.
const { worker } = stack.receiver
const invoices = new Table(stack, 'Invoices', {
  partitionKey: { name: 'id', type: AttributeType.STRING },
  billingMode: BillingMode.PAY_PER_REQUEST,
  removalPolicy: throwAway ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
})
invoices.grantWriteData(worker)
worker.addEnvironment('INVOICES_TABLE', invoices.tableName)
