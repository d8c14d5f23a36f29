import { AttributeType, BillingMode, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb'
import { grantKey, KEY_WRITE } from '../constructs/encryption.ts'
import { lifetime } from '../constructs/lifetime.ts'
import type { ReceiverStack } from './receiver-stack.ts'

/** The table of the sample in functions/worker. One of your own is made, granted and named in the same way. */
export const sampleTable = (stack: ReceiverStack, throwAway: boolean): void => {
  const { worker, tables } = stack.receiver
  const { encryptionKey } = tables.events
  const invoices = new Table(stack, 'Invoices', {
    partitionKey: { name: 'id', type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    ...(encryptionKey && { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey }),
    ...lifetime(throwAway).ofTables,
  })
  invoices.grant(worker, 'dynamodb:PutItem')
  grantKey(encryptionKey, 'dynamodb', worker, KEY_WRITE)
  worker.addEnvironment('INVOICES_TABLE', invoices.tableName)
}
