import { type CfnResource, Duration, Stack, Validations } from 'aws-cdk-lib'
import type { IGrantable } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import type { Runtime } from 'aws-cdk-lib/aws-lambda'
import { BlockPublicAccess, Bucket, BucketEncryption, type CfnBucket } from 'aws-cdk-lib/aws-s3'
import { Construct, type IConstruct } from 'constructs'
import { BODY_RETENTION_DAYS, bodyPrefix } from '../../functions/contract/tables.ts'
import { allow } from './allow.ts'
import { grantKey, KEY_READ, KEY_WRITE } from './encryption.ts'
import type { Lifetime } from './lifetime.ts'

export interface BodyBucketProps {
  readonly lifetime: Lifetime
  readonly runtime?: Runtime | undefined
  /** @default - S3's own */
  readonly encryptionKey?: IKey | undefined
}

/** The large bodies. No versions: an older version would outlive the retention that its source promised. */
export class BodyBucket extends Construct {
  readonly bucket: Bucket

  constructor(scope: Construct, id: string, { lifetime, runtime, encryptionKey }: BodyBucketProps) {
    super(scope, id)
    this.bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      // With a key of the bucket, made of yours, S3 asks KMS for few objects instead of for each.
      ...(encryptionKey
        ? { encryption: BucketEncryption.KMS, encryptionKey, bucketKeyEnabled: true }
        : { encryption: BucketEncryption.S3_MANAGED }),
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      lifecycleRules: [
        ...BODY_RETENTION_DAYS.map(days => ({
          id: `expire-after-${days}d`,
          prefix: bodyPrefix(days),
          expiration: Duration.days(days),
        })),
        { id: 'abort-uploads', abortIncompleteMultipartUploadAfter: Duration.days(1) },
      ],
      ...lifetime.ofBuckets,
    })
    if (runtime) emptyWith(this, runtime)
    Validations.of(this.bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason:
        'Access logs would copy object keys into a second bucket for good. Who reads bodies is decided by one IAM policy and audited by CloudTrail data events where the account wants them.',
    })
  }

  /** Bodies that live this long at least: what is shorter is nobody's to write. */
  grantWrite(grantee: Grantee, seconds: number): void {
    this.grant(grantee, 's3:PutObject', seconds)
    grantKey(this.bucket.encryptionKey, 's3', grantee, KEY_WRITE)
  }

  /** With the right to list, since without it S3 answers 403 instead of 404 for a body that has expired. */
  grantRead(grantee: Grantee): void {
    this.grant(grantee, 's3:GetObject', 0)
    grantKey(this.bucket.encryptionKey, 's3', grantee, KEY_READ)
    allow(grantee, ['s3:ListBucket'], [this.bucket.bucketArn])
  }

  // Not `bucket.grantPut`: it adds tagging, legal hold and every kind of abort.
  private grant(grantee: Grantee, action: string, seconds: number): void {
    const classes = BODY_RETENTION_DAYS.filter(days => days * 86_400 >= seconds)
    const prefixes = classes.map(days => `${bodyPrefix(days)}*`)
    const keys = prefixes.map(prefix => this.bucket.arnForObjects(prefix))
    allow(grantee, [action], keys)
    const logicalId = Stack.of(this).getLogicalId(this.bucket.node.defaultChild as CfnBucket)
    Validations.of(grantee).acknowledge(
      ...prefixes.map(prefix => ({
        id: `AwsSolutions-IAM5[Resource::<${logicalId}.Arn>/${prefix}]`,
        reason: 'A body is filed under its fingerprint and hash: the key cannot be known in advance, its prefix is.',
      })),
    )
  }
}

/** CDK empties a throw-away bucket with a function of its own, on the newest runtime, and asks nobody. */
const emptyWith = (scope: Construct, runtime: Runtime): void => {
  const provider = Stack.of(scope).node.tryFindChild('Custom::S3AutoDeleteObjectsCustomResourceProvider')
  const handler = provider?.node.findChild('Handler') as CfnResource | undefined
  handler?.addPropertyOverride('Runtime', runtime.name)
}

/** A role or a managed policy: something that also carries the explanation of its wildcards. */
type Grantee = IGrantable & IConstruct
