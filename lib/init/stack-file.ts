import type { Sample } from './sample.ts'

/** The CDK app. */
export const stackFile = ({ table }: Pick<Sample, 'table'>): string => {
  const name = table.id.toLowerCase()
  return `import { App, Stack } from 'aws-cdk-lib'
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb'
import { WebhookReceiver } from 'hooklatch'
import sources from './sources.ts'

const stack = new Stack(new App(), 'Webhooks')
// With a \`domain\` of your own, set \`disableExecuteApiEndpoint: true\` as well: then nobody can post past it.
const { worker } = new WebhookReceiver(stack, 'Receiver', { sources, worker: 'worker.ts' })

// A table of your own: the worker may write to it, and knows its name. \`npm start\` creates it on your machine, too.
const ${name} = new Table(stack, '${table.id}', {
  partitionKey: { name: 'id', type: AttributeType.STRING },
  billingMode: BillingMode.PAY_PER_REQUEST,
})
${name}.grantWriteData(worker)
worker.addEnvironment('${table.variable}', ${name}.tableName)
`
}
