import { Aws, Stack, Validations } from 'aws-cdk-lib'
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam'
import { Alias, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { ILogGroup } from 'aws-cdk-lib/aws-logs'
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import { ERASE_ALIAS } from '../../functions/contract/outputs.ts'
import { allow } from './allow.ts'
import { type Stores, sentTo } from './stores.ts'

export interface PoliciesProps {
  readonly stores: Stores
  readonly operate: LambdaFunction
  /** Secrets for the API keys of senders, if a source is compared by schedule. */
  readonly apiKeys: readonly Secret[]
  /** Of the functions: their lines tell every delivery and every attempt. */
  readonly logs: readonly ILogGroup[]
}

/**
 * What the CLI and the console need, to attach to operators. Bodies are customer data and a permission of their own, and so
 * are the signing secrets. None of them writes to a table or sends a message: that is for functions.
 */
export class Policies extends Construct {
  /** List and show events, without their bodies; deliveries, figures and alarms. */
  readonly read: ManagedPolicy
  /** See bodies. */
  readonly bodies: ManagedPolicy
  /** Have the operate function replay events, and verify and accept quarantined deliveries. Whoever has it can write and send nothing. */
  readonly replay: ManagedPolicy
  /** Set, rotate and check signing secrets, and set API keys. The fingerprint key is not among them. */
  readonly secrets: ManagedPolicy
  /** Have the operate function erase bodies, headers and errors. It gives no other act. */
  readonly erase: ManagedPolicy

  constructor(scope: Construct, id: string, { stores, operate, apiKeys, logs }: PoliciesProps) {
    super(scope, id)
    const { tables, bucket } = stores
    // No command asks how much waits to be copied: an alarm does.
    const queues = sentTo({ ...stores, several: undefined })
    this.read = this.policy('Read', 'list and show events, without their bodies')
    tables.grantList(this.read)
    for (const queue of queues) queue.grantMeasure(this.read)
    grantObserve(this.read, logs)

    this.bodies = this.policy('Bodies', 'see the bodies of events')
    tables.grantReadBodies(this.bodies)
    bucket.grantRead(this.bodies)

    this.replay = this.policy('Replay', 'replay events')
    // Not `operate.grantInvoke`: it adds every version and alias.
    allow(this.replay, ['lambda:InvokeFunction'], [operate.functionArn])

    this.secrets = this.policy('Secrets', 'set and rotate signing secrets')
    stores.secrets.grantReadSigning(this.secrets)
    stores.secrets.grantChange(this.secrets)
    // Set, and not read.
    if (apiKeys.length > 0) {
      allow(
        this.secrets,
        ['secretsmanager:PutSecretValue'],
        apiKeys.map(({ secretArn }) => secretArn),
      )
    }

    this.erase = this.policy('Erase', 'erase bodies, headers and errors of events')
    allow(this.erase, ['lambda:InvokeFunction'], [this.eraseDoor(operate).functionArn])
  }

  /** IAM sees no commands, but it tells one name of a function from another: by this one, the function does nothing but erase. */
  private eraseDoor(operate: LambdaFunction): Alias {
    return new Alias(this, 'EraseDoor', {
      aliasName: ERASE_ALIAS,
      version: operate.latestVersion,
      description: 'Hooklatch: erases, and does nothing else',
    })
  }

  private policy(id: string, what: string): ManagedPolicy {
    return new ManagedPolicy(this, id, { description: `Hooklatch: ${what}` })
  }
}

/** The stack's outputs, the functions' own lines, the figures made of them, and the alarms. */
const grantObserve = (policy: ManagedPolicy, logs: readonly ILogGroup[]): void => {
  const { region, account, stackName } = Stack.of(policy)
  const stackArn = `:cloudformation:${region}:${account}:stack/${stackName}/*`
  allow(policy, ['cloudformation:DescribeStacks'], [`arn:${Aws.PARTITION}${stackArn}`])
  allow(
    policy,
    ['logs:FilterLogEvents', 'logs:StartQuery'],
    logs.map(({ logGroupArn }) => logGroupArn),
  )
  allow(policy, ['cloudwatch:GetMetricData', 'cloudwatch:DescribeAlarms', 'logs:GetQueryResults'], ['*'])
  Validations.of(policy).acknowledge(
    {
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>${stackArn.replace(Aws.REGION, '<AWS::Region>').replace(Aws.ACCOUNT_ID, '<AWS::AccountId>')}]`,
      reason: 'Asked by name, CloudFormation checks the name of the stack and a star, not its id.',
    },
    {
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason:
        'cloudwatch:GetMetricData has no resource type, and cloudwatch:DescribeAlarms by a prefix asks for every alarm: they read figures and alarm states, no customer data. logs:GetQueryResults has no resource type either: what it reads is known by the id that logs:StartQuery gave.',
    },
  )
}
