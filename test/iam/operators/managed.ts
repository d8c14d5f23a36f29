import type { PolicyDocument } from '../read-grants.ts'
import { type Resources, resolveValue, shortName } from '../template-names.ts'
import { POLICIES, type Policy } from './commands.ts'

/** The managed policies of a template, as people get them. */
export const managedPolicies = (resources: Resources): Readonly<Record<Policy, PolicyDocument>> => {
  const found = Object.entries(resources)
    .filter(([, { Type }]) => Type === 'AWS::IAM::ManagedPolicy')
    .map(([id, { Properties = {} }]) => [
      `${shortName(id).replace(/^Policies/, '')}Policy`,
      resolveValue(Properties.PolicyDocument, resources) as PolicyDocument,
    ])
  const names = found.map(([name]) => name)
  if (String(names.toSorted()) !== String(POLICIES.toSorted())) {
    throw new Error(
      `The template has the managed policies ${names.join(', ')}: the proof knows ${POLICIES.join(', ')}.`,
    )
  }
  return Object.fromEntries(found)
}
