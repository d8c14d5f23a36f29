import { App } from 'aws-cdk-lib'
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2'
import { ReceiverStack } from '../../lib/index.ts'
import sources from './sources.ts'

const stack = new ReceiverStack(new App(), 'Webhooks', { sources, worker: 'worker.ts', api: 'rest' })

const visibility = (metricName: string) => ({
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
  metricName,
})
const acl = new CfnWebACL(stack, 'Acl', {
  scope: 'REGIONAL',
  defaultAction: { allow: {} },
  visibilityConfig: visibility('webhooks'),
  rules: [
    {
      name: 'flood',
      priority: 0,
      // Requests of one address in five minutes. Senders share few addresses: take the busiest hour times ten.
      statement: { rateBasedStatement: { limit: 20_000, aggregateKeyType: 'IP' } },
      action: { block: {} },
      visibilityConfig: visibility('flood'),
    },
  ],
})
new CfnWebACLAssociation(stack, 'Association', {
  resourceArn: stack.receiver.ingress.front.stageArn,
  webAclArn: acl.attrArn,
})
