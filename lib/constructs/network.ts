import { Effect, PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam'

/**
 * Lambda makes the network interfaces of a function in a VPC with the role of that function. The function's own code is kept from it:
 * calls of the code name their function, Lambda's do not.
 */
export const grantNetwork = (role: Role): void => {
  const everywhere = { actions: INTERFACES, resources: ['*'] }
  role.addToPolicy(new PolicyStatement(everywhere))
  role.addToPolicy(
    new PolicyStatement({
      ...everywhere,
      effect: Effect.DENY,
      conditions: { Null: { 'lambda:SourceFunctionArn': 'false' } },
    }),
  )
}

/** As Lambda's guide lists them. Lambda checks them when it creates the function, for any resource. */
const INTERFACES = [
  'ec2:CreateNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:DeleteNetworkInterface',
  'ec2:AssignPrivateIpAddresses',
  'ec2:UnassignPrivateIpAddresses',
]
