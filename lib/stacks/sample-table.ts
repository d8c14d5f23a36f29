import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb'
import { lifetime } from '../constructs/lifetime.ts'
import type { ReceiverStack } from './receiver-stack.ts'

/** The table of the sample in functions/worker. One of your own is made, granted and named in the same way. */
export const sampleTable = (stack: ReceiverStack, throwAway: boolean): void => {
  const { worker } = stack.receiver
  const invoices = new Table(stack, 'Invoices', {
    partitionKey: { name: 'id', type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    ...lifetime(throwAway).ofTables,
  })
  invoices.grant(worker, 'dynamodb:PutItem')
  worker.addEnvironment('INVOICES_TABLE', invoices.tableName)
}
