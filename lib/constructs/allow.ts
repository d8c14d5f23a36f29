import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam'

/** These actions on these resources and no others: the grants of CDK's own constructs often add more. */
export const allow = (grantee: IGrantable, actions: readonly string[], resourceArns: readonly string[]): void =>
  Grant.addToPrincipal({ grantee, actions: [...actions], resourceArns: [...resourceArns] }).assertSuccess()
