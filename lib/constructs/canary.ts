import { Duration, Validations } from 'aws-cdk-lib'
import { Alarm, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy'
import { Alias, type IFunction, type IVersion, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import type { Front } from './front.ts'
import { percentage } from './percentage.ts'

/**
 * A new version of a function gets a tenth of the calls for five minutes, then all of them. An alarm in that time brings the
 * old one back, and the deployment fails. Senders are asked to repeat what the new one did not take: nothing is lost.
 */
export class Canary extends Construct {
  /** What calls the function, if the canary is to see it. */
  readonly alias: IFunction
  private readonly group: LambdaDeploymentGroup

  constructor(scope: Construct, id: string, target: LambdaFunction) {
    super(scope, id)
    // Casts, since CDK's own types do not hold with exactOptionalPropertyTypes.
    const alias = new Alias(this, 'Live', { aliasName: 'live', version: target.currentVersion as IVersion })
    this.alias = alias as IFunction
    this.group = new LambdaDeploymentGroup(this, 'Deployment', {
      alias,
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
    })
    this.alarm('Errors', alias.metricErrors({ period: MINUTE }), 1, 'the receive function crashed or ran out of time')
    Validations.of(this.group).acknowledge({
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]',
      reason: 'The documented role of CodeDeploy for Lambda: it may change the alias and read the alarms.',
    })
  }

  /** An answer that the function itself makes a 5xx is no error of Lambda's. A version that is all wrong makes 10 % of them. */
  watch({ serverErrors, requests }: Front): void {
    const share = percentage({ part: serverErrors, whole: requests, outOf: 1, period: MINUTE })
    this.alarm('ServerErrors', share, 5, '5 % of the answers or more were 5xx')
  }

  private alarm(id: string, metric: IMetric, threshold: number, what: string): void {
    const alarm = new Alarm(this, id, {
      metric,
      threshold,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: `Within a minute ${what}. A deployment that is under way is rolled back.`,
    })
    this.group.addAlarm(alarm)
  }
}

const MINUTE = Duration.minutes(1)
