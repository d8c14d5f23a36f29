/** Where things of an app are on this machine. */
export interface Places {
  readonly region: string
  readonly account: string
  /** The endpoint of SQS, which is the beginning of each queue's URL. */
  readonly sqs: string
}

export interface LocalKind {
  readonly service: 'table' | 'queue' | 'bucket'
  /** The property that may say its name. */
  readonly named: string
  /** A name that its service takes. */
  nameFor(logicalId: string, properties: Readonly<Record<string, unknown>>): string
  ref(name: string, places: Places): string
  readonly attributes: Readonly<Record<string, (name: string, places: Places) => string>>
}

const TABLE: LocalKind = {
  service: 'table',
  named: 'TableName',
  nameFor: logicalId => logicalId,
  ref: name => name,
  attributes: {
    Arn: (name, { region, account }) => `arn:aws:dynamodb:${region}:${account}:table/${name}`,
  },
}

export const queueUrl = (name: string, { sqs, account }: Pick<Places, 'sqs' | 'account'>): string =>
  `${sqs}/${account}/${name}`

/** What the engines here have; everything else an app may have is absent. */
export const LOCAL_KINDS: Readonly<Record<string, LocalKind>> = {
  'AWS::DynamoDB::Table': TABLE,
  'AWS::DynamoDB::GlobalTable': TABLE,
  'AWS::SQS::Queue': {
    service: 'queue',
    named: 'QueueName',
    nameFor: (logicalId, { FifoQueue }) => (String(FifoQueue) === 'true' ? `${logicalId}.fifo` : logicalId),
    ref: queueUrl,
    attributes: {
      Arn: (name, { region, account }) => `arn:aws:sqs:${region}:${account}:${name}`,
      QueueName: name => name,
      QueueUrl: queueUrl,
    },
  },
  'AWS::S3::Bucket': {
    service: 'bucket',
    named: 'BucketName',
    nameFor: logicalId => logicalId.toLowerCase().slice(-63),
    ref: name => name,
    attributes: { Arn: name => `arn:aws:s3:::${name}` },
  },
}
