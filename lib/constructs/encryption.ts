import { ArnFormat, Stack } from 'aws-cdk-lib'
import { Grant, type IGrantable, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import type { Construct } from 'constructs'

/** AWS's services that use the key for somebody. */
export type KeyUser = 'dynamodb' | 'sqs' | 's3' | 'secretsmanager'

/** To read what the key protects; to write it. DynamoDB asks the caller of either for the same key of its table. */
export const KEY_READ = ['kms:Decrypt'] as const
export const KEY_WRITE = ['kms:Decrypt', 'kms:GenerateDataKey'] as const

/** Lets somebody use the key through one service and in no other way. Nothing to grant, if AWS's own key protects it. */
export const grantKey = (
  key: IKey | undefined,
  service: KeyUser,
  grantee: IGrantable,
  actions: readonly string[],
): void => {
  if (key === undefined) return
  const { region, urlSuffix } = Stack.of(key)
  Grant.addToPrincipal({
    grantee,
    actions: [...actions],
    resourceArns: [key.keyArn],
    // Not `urlSuffix` for every region: KMS names its callers by the suffix of the partition, as they are.
    conditions: { StringEquals: { 'kms:ViaService': `${service}.${region}.${urlSuffix}` } },
  }).assertSuccess()
}

/**
 * CloudWatch Logs uses the key in its own name, so the key itself has to let it: for log groups of this account and region. The policy
 * of a key that was only named by its ARN is its owner's: docs/deploy.md has the statement.
 */
export const letLogsUse = (key: IKey, scope: Construct): void => {
  const stack = Stack.of(scope)
  const groups = stack.formatArn({ service: 'logs', resource: 'log-group:*', arnFormat: ArnFormat.NO_RESOURCE_NAME })
  key.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal(`logs.${stack.region}.amazonaws.com`)],
      actions: ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:DescribeKey'],
      resources: ['*'],
      conditions: { ArnLike: { 'kms:EncryptionContext:aws:logs:arn': groups } },
    }),
  )
}
