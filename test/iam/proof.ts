import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { suiteStack } from '../integration/suite-stack.ts'
import { judgeCall } from './judge-calls.ts'
import { idleReasons, listGrants, type Row } from './list-grants.ts'
import type { NamedCall } from './name-calls.ts'
import { grantsOf, readPolicies } from './read-grants.ts'
import { type Resources, STACK } from './template-names.ts'

/** What the functions did on MiniStack while the black-box suite ran, and the probes of `--take-away`. Made by `npm run prove iam -- --record`. */
export const RECORDED = join(import.meta.dirname, 'recorded-calls.json')

export interface Proof {
  readonly calls: readonly NamedCall[]
  readonly rows: readonly Row[]
  /** A sentence each: a call that would be refused, a grant that nobody needs, a reason without a grant. */
  readonly mistakes: readonly string[]
}

/** The recorded calls against the policies of the template as it is synthesized now. */
export const proveGrants = async (
  template: Resources,
  calls: readonly NamedCall[] = JSON.parse(readFileSync(RECORDED, 'utf8')),
): Promise<Proof> => {
  const policies = readPolicies(template)
  const rows = listGrants(grantsOf(policies), calls)
  const refused = await Promise.all(
    calls.map(async call => {
      const verdict = await judgeCall(call, policies)
      return verdict === undefined ? [] : [`${call.caller} needs ${call.action} on ${call.resource}: ${verdict}`]
    }),
  )
  const tooMany = rows
    .filter(({ by }) => by === 'unexplained')
    .map(({ caller, action, resource }) => `${caller} may ${action} on ${resource}, and nothing shows that it has to`)
  const idle = idleReasons(rows).map(({ reason }) => `No grant is left that this explains: ${reason}`)
  return { calls, rows, mistakes: [...refused.flat(), ...tooMany, ...idle] }
}

/** The stack of the suite, and so with both queues, destinations and every function. */
export const templateOf = (): Resources => {
  // Bundling takes seconds and changes no policy.
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } })
  return Template.fromStack(suiteStack(app, STACK, { destinations: true, reconciler: true })).toJSON().Resources
}
