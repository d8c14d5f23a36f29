import { App, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { type IVpc, SecurityGroup, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import { expect, it } from 'vitest'
import { WebhookReceiver, type WebhookReceiverProps } from '../../lib/index.ts'
import { replacedBy } from './replacements.ts'
import { ORDERED_SOURCES, type Resource } from './synth.ts'

const destinations = {
  crm: { worker: 'functions/worker/handler.ts' },
  inside: { url: 'https://10.0.0.7/hooks', privateAddresses: true },
  outside: { url: 'https://legacy.example.com/hooks' },
  bus: { bus: 'orders' },
} as const

const made = (more: (stack: Stack, vpc: IVpc) => Partial<WebhookReceiverProps>) => {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } })
  const network = new Stack(app, 'Network')
  const stack = new Stack(app, 'Theirs')
  const vpc = new Vpc(network, 'Vpc', { maxAzs: 2 }) as IVpc
  const sources = { ...ORDERED_SOURCES, shop: { provider: 'shopify', routes: [{ to: ['crm', 'inside', 'outside'] }] } }
  const receiver = new WebhookReceiver(stack, 'Receiver', { sources, destinations, ...more(stack, vpc) })
  const template = Template.fromStack(stack)
  const resources = template.toJSON().Resources as Record<string, Resource>
  return { app, stack, receiver, template, resources }
}

const without = made(() => ({}))
const within = made((stack, vpc) => ({
  vpc,
  vpcSubnets: { subnetType: SubnetType.PRIVATE_WITH_EGRESS },
  securityGroups: [new SecurityGroup(stack, 'Group', { vpc })],
}))

const functionsIn = ({ resources }: typeof within) =>
  Object.entries(resources).filter(([, { Type }]) => Type === 'AWS::Lambda::Function')

const INSIDE = /^Receiver(Worker|DestinationscrmHandler|DestinationsinsideHandler)Function/

it('a VPC is for the worker and for destinations that run code or post to private addresses, and for no other function', () => {
  for (const [id, { Properties }] of functionsIn(within)) {
    expect([id, Properties.VpcConfig !== undefined]).toEqual([id, INSIDE.test(id)])
    if (!Properties.VpcConfig) continue
    expect(Properties.VpcConfig.SubnetIds).toHaveLength(2)
    expect(Properties.VpcConfig.SecurityGroupIds).toHaveLength(1)
  }
  expect(functionsIn(within).filter(([id]) => INSIDE.test(id))).toHaveLength(3)
  for (const [, { Properties }] of functionsIn(without)) expect(Properties.VpcConfig).toBeUndefined()
})

it('a role in a VPC lets Lambda make network interfaces, and keeps the code of the function from them', () => {
  const policies = Object.entries(within.resources).filter(([, { Type }]) => Type === 'AWS::IAM::Policy')
  const withInterfaces = policies.filter(([, policy]) => JSON.stringify(policy).includes('ec2:'))
  expect(withInterfaces.map(([id]) => id.replace(/RoleDefaultPolicy.*/, '')).toSorted()).toEqual([
    'ReceiverDestinationscrmHandler',
    'ReceiverDestinationsinsideHandler',
    'ReceiverWorker',
  ])
  for (const [, { Properties }] of withInterfaces) {
    const statements = (Properties.PolicyDocument.Statement as { Action: string[] }[]).filter(({ Action }) =>
      [Action].flat().some(action => action.startsWith('ec2:')),
    )
    const Action = [
      'ec2:CreateNetworkInterface',
      'ec2:DescribeNetworkInterfaces',
      'ec2:DescribeSubnets',
      'ec2:DeleteNetworkInterface',
      'ec2:AssignPrivateIpAddresses',
      'ec2:UnassignPrivateIpAddresses',
    ]
    expect(statements).toEqual([
      { Effect: 'Allow', Action, Resource: '*' },
      { Effect: 'Deny', Action, Resource: '*', Condition: { Null: { 'lambda:SourceFunctionArn': 'false' } } },
    ])
  }
})

it('a VPC changes no queue, no timeout and no mapping, and replaces nothing', () => {
  expect(replacedBy(without.resources, within.resources)).toEqual([])
  for (const [id, old] of Object.entries(without.resources)) {
    const next = within.resources[id] as Resource
    if (/::(Queue|EventSourceMapping|Table)$/.test(old.Type)) expect(next.Properties).toEqual(old.Properties)
    if (old.Type === 'AWS::Lambda::Function') expect(next.Properties.Timeout).toBe(old.Properties.Timeout)
  }
})

it('without a security group each function in the VPC has its own, to which the app can grant', () => {
  const alone = made((_, vpc) => ({ vpc }))
  alone.template.resourceCountIs('AWS::EC2::SecurityGroup', 3)
  expect(alone.receiver.worker.connections.securityGroups).toHaveLength(1)
})

it('cdk-nag finds nothing unexplained in a stack with a VPC', () => {
  for (const pack of [new AwsSolutionsChecks(), new ServerlessChecks()]) {
    expect(pack.validateScope(within.stack).violations).toEqual([])
  }
})
