/** What the ARN of a topic says about the SNS that signs for it. */
export interface SnsTopic {
  /** The one host that publishes its certificate and confirms its subscriptions. */
  readonly host: string
  /** Whom the certificate is issued to: as AWS's SDK for Java checks it (SnsHostProvider). */
  readonly certificateName: string
}

export const readTopic = (arn: unknown): SnsTopic | undefined => {
  const [, partition, region = ''] = TOPIC.exec(String(arn)) ?? []
  const suffix = partition === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com'
  return partition ? { host: `sns.${region}.${suffix}`, certificateName: nameOf(partition, region, suffix) } : undefined
}

const TOPIC = /^arn:(aws|aws-cn|aws-us-gov):sns:([a-z]{2}(?:-[a-z]+)+-\d):\d{12}:[\w.-]{1,256}$/

const nameOf = (partition: string, region: string, suffix: string): string => {
  if (partition === 'aws-cn') return `sns-${region}.${suffix}`
  // Of both regions there.
  if (partition === 'aws-us-gov') return `sns-us-gov-west-1.${suffix}`
  return OPT_IN.has(region) ? `sns-signing.${region}.${suffix}` : `sns.${suffix}`
}

/** Regions with a certificate of their own: those that an account has to switch on. */
const OPT_IN: ReadonlySet<string> = new Set([
  'af-south-1',
  'ap-east-1',
  'ap-east-2',
  'ap-south-2',
  'ap-southeast-3',
  'ap-southeast-4',
  'ap-southeast-5',
  'ap-southeast-6',
  'ap-southeast-7',
  'ca-west-1',
  'eu-central-2',
  'eu-south-1',
  'eu-south-2',
  'il-central-1',
  'me-central-1',
  'me-south-1',
  'mx-central-1',
])
