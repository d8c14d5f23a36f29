import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway'
import { LogGroup, type LogGroupProps } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { physicalName } from './physical-name.ts'

/** One line per request, refused ones included. No body, no query and no header: signatures and tokens travel there. */
export class AccessLog extends Construct {
  readonly group: LogGroup
  readonly format = AccessLogFormat.custom(JSON.stringify(FIELDS))

  constructor(scope: Construct, id: string, props: LogGroupProps) {
    super(scope, id)
    this.group = new LogGroup(this, 'Group', {
      ...props,
      // Under this prefix AWS does not add each group to the account's log policy, which is full at 5,120 characters.
      logGroupName: `/aws/vendedlogs/${physicalName(this, 200)}`,
    })
  }
}

const FIELDS = {
  time: '$context.requestTimeEpoch',
  requestId: '$context.requestId',
  ip: '$context.identity.sourceIp',
  method: '$context.httpMethod',
  path: '$context.path',
  status: '$context.status',
  integrationStatus: '$context.integration.status',
  latencyMs: '$context.responseLatency',
  integrationLatencyMs: '$context.integration.latency',
  responseBytes: '$context.responseLength',
  integrationError: '$context.integrationErrorMessage',
  error: '$context.error.responseType',
}
