import type { AppResource } from './read-assembly.ts'

/** What an app has and this machine does not, one sentence for each kind of thing. */
export const absent = (
  resources: readonly (readonly [logicalId: string, resource: AppResource])[],
): readonly string[] => {
  const byType = new Map<string, string[]>()
  for (const [logicalId, { Type }] of resources) {
    if (QUIET.test(Type) || CDK_ITS_OWN.test(logicalId)) continue
    byType.set(Type, [...(byType.get(Type) ?? []), logicalId])
  }
  return [...byType].map(([type, ids]) => `${ids.join(', ')} (${type}): ${MEANINGS[type] ?? OTHERWISE}`)
}

/** Nobody calls these: they permit, watch, configure or name something. */
const QUIET =
  /^(AWS::(IAM|Logs|CloudWatch|CDK|KMS|Route53|CertificateManager|WAFv2|ApiGateway|ApiGatewayV2|XRay|Backup)::|AWS::SQS::QueuePolicy|AWS::S3::BucketPolicy|AWS::SNS::TopicPolicy|AWS::Lambda::(Permission|EventInvokeConfig|Version|Alias|LayerVersion)|AWS::CloudFormation::WaitCondition|Custom::)/

/** The functions behind CDK's custom resources, which only a deployment runs. */
const CDK_ITS_OWN = /^(Custom|LogRetention|AWS679f53fac002430cb0da5b7982bd2287|BucketNotificationsHandler)/

const OTHERWISE = 'this machine has no such service, so a call to it fails'

const MEANINGS: Readonly<Record<string, string>> = {
  'AWS::Lambda::Function': 'only the worker runs on this machine, so what this one would do does not happen',
  'AWS::Lambda::EventSourceMapping': 'nothing on this machine hands its messages or records to a function',
  'AWS::Events::Rule': 'nothing on this machine fires it',
  'AWS::Scheduler::Schedule': 'nothing on this machine fires it',
  'AWS::SNS::Topic': 'this machine has no SNS, so publishing to it fails',
  'AWS::SNS::Subscription': 'nothing is delivered to it on this machine',
  'AWS::SecretsManager::Secret': 'this machine has no Secrets Manager, so reading it fails',
  'AWS::SSM::Parameter': 'this machine has no parameter store, so reading it fails',
  'AWS::CloudFormation::Stack': 'a nested stack is not read, so what is in it is not created on this machine',
}
