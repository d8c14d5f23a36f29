import { SecretValue, Validations } from 'aws-cdk-lib'
import type { IGrantable } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import { NO_API_KEY } from '../../functions/contract/reconciled.ts'
import { allow } from './allow.ts'
import { grantKey, KEY_READ, KEY_WRITE } from './encryption.ts'
import type { Lifetime } from './lifetime.ts'

/**
 * CloudFormation writes a new version of a secret only when its value or its generator changes in the template. So
 * neither line below may ever change: the first would wipe what operators stored, the second would forget every event.
 */
export class Secrets extends Construct {
  /** `{ source: [current, previous] }`, filled in by operators after the deployment. */
  readonly signing: Secret
  readonly fingerprintKey: Secret

  constructor(scope: Construct, id: string, { removalPolicy }: Lifetime, encryptionKey?: IKey) {
    super(scope, id)
    const both = { removalPolicy, ...(encryptionKey && { encryptionKey }) }
    this.signing = new Secret(this, 'Signing', {
      description: 'Hooklatch: signing secrets, as {"source": ["current", "previous"]}',
      secretStringValue: SecretValue.unsafePlainText('{}'),
      ...both,
    })
    Validations.of(this.signing).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'The sender makes these secrets: rotation starts at the sender, and current and previous overlap here.',
    })
    this.fingerprintKey = new Secret(this, 'FingerprintKey', {
      description:
        'Hooklatch: key of the event fingerprints. Never rotate it: every event seen so far would be new again.',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      ...both,
    })
    Validations.of(this.fingerprintKey).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'It names events and seals messages. A new key would make every remembered event look new.',
    })
  }

  /**
   * A secret for each source that is compared by schedule: its value is set without being read, so nobody but the reconciler has to
   * be able to. Like those above, its value in the template never changes.
   */
  apiKeyOf(source: string, { removalPolicy }: Lifetime): Secret {
    const home = this.node.tryFindChild('ApiKeys') ?? new Construct(this, 'ApiKeys')
    const secret = new Secret(home as Construct, source, {
      description: `Hooklatch: API key for the sender of ${source}, for the scheduled reconciler alone`,
      secretStringValue: SecretValue.unsafePlainText(NO_API_KEY),
      removalPolicy,
      ...(this.signing.encryptionKey && { encryptionKey: this.signing.encryptionKey }),
    })
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'The sender makes the key, so its rotation starts there: npx hooklatch secrets set <source> --api-key.',
    })
    return secret
  }

  // Not `secret.grantRead`: it adds DescribeSecret.
  grantRead(grantee: IGrantable): void {
    this.grantGet(grantee, this.signing, this.fingerprintKey)
  }

  /** For those who name events or seal messages, and verify no sender. Only functions: who can read it can forge a message. */
  grantReadFingerprintKey(grantee: IGrantable): void {
    this.grantGet(grantee, this.fingerprintKey)
  }

  /** For operators, who check them. */
  grantReadSigning(grantee: IGrantable): void {
    this.grantGet(grantee, this.signing)
  }

  /**
   * For operators, and for senders that hand their secret over in a handshake: a new version is put beside the current one, and
   * made current if nobody else was faster.
   */
  grantChange(grantee: IGrantable): void {
    const actions = ['secretsmanager:PutSecretValue', 'secretsmanager:UpdateSecretVersionStage']
    allow(grantee, actions, [this.signing.secretArn])
    grantKey(this.signing.encryptionKey, 'secretsmanager', grantee, KEY_WRITE)
  }

  grantGet(grantee: IGrantable, ...secrets: readonly Secret[]): void {
    const arns = secrets.map(({ secretArn }) => secretArn)
    allow(grantee, ['secretsmanager:GetSecretValue'], arns)
    grantKey(this.signing.encryptionKey, 'secretsmanager', grantee, KEY_READ)
  }
}
