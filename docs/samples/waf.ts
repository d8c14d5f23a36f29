import { App, Stack } from 'aws-cdk-lib'
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2'
import { WebhookReceiver } from '../../lib/index.ts'
import sources from './sources.ts'

const stack = new Stack(new App(), 'Webhooks')
const receiver = new WebhookReceiver(stack, 'Receiver', { sources, api: 'rest' })

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
  resourceArn: receiver.ingress.front.stageArn,
  webAclArn: acl.attrArn,
})
