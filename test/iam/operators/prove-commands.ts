import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { judgeCall } from '../judge-calls.ts'
import { idleReasons, listGrants, type Row } from '../list-grants.ts'
import type { NamedCall } from '../name-calls.ts'
import { grantsOf, readPolicies } from '../read-grants.ts'
import type { Reason } from '../reasons.ts'
import type { Resources } from '../template-names.ts'
import { COMMANDS, POLICIES, policiesOf } from './commands.ts'
import { managedPolicies } from './managed.ts'

/** What the commands did on MiniStack. Made by `npm run prove iam -- --record`. */
export const RECORDED_COMMANDS = join(import.meta.dirname, 'recorded-calls.json')

export interface CommandProof {
  readonly calls: readonly NamedCall[]
  readonly rows: readonly Row[]
  readonly mistakes: readonly string[]
}

/** Grants that no command was seen to use, and why they are there. */
const REASONS: readonly Reason[] = [
  {
    callers: ['BodiesPolicy'],
    actions: ['s3:GetObject'],
    reason: 'The prefix is the retention that a source has chosen, and the commands look at bodies of few',
  },
  {
    callers: ['BodiesPolicy'],
    actions: ['s3:ListBucket'],
    reason: 'Without it S3 answers 403 instead of 404 for a body that has expired',
  },
  {
    callers: ['ReadPolicy'],
    actions: ['logs:StartQuery', 'logs:GetQueryResults'],
    reason: 'For `stats` of more lines than are read one by one, which the suite does not write',
  },
  {
    callers: ['SecretsPolicy'],
    actions: ['secretsmanager:PutSecretValue'],
    resources: ['SecretsApiKeys'],
    reason: 'For `secrets set --api-key`, by which the key of the probes is set, and which is not recorded by itself',
  },
]

/** The recorded calls against the managed policies that docs/iam.md says a command needs. */
export const proveCommands = async (
  resources: Resources,
  calls: readonly NamedCall[] = JSON.parse(readFileSync(RECORDED_COMMANDS, 'utf8')),
): Promise<CommandProof> => {
  const managed = managedPolicies(resources)
  const identity = Object.fromEntries(
    COMMANDS.map(command => [command.name, policiesOf(command).map(policy => managed[policy])]),
  )
  const { resource } = readPolicies(resources)
  const refused = await Promise.all(
    calls.map(async call => {
      const verdict = await judgeCall(call, { identity, resource })
      return verdict === undefined ? [] : [`${call.caller} makes ${call.action} on ${call.resource}: ${verdict}`]
    }),
  )
  const byPolicy = Object.fromEntries(POLICIES.map(policy => [policy, [managed[policy]]]))
  const used = COMMANDS.flatMap(command =>
    policiesOf(command).flatMap(policy => calls.filter(is(command.name)).map(call => ({ ...call, caller: policy }))),
  )
  const rows = listGrants(grantsOf({ identity: byPolicy, resource }), used, REASONS)
  const tooMany = rows
    .filter(({ by }) => by === 'unexplained')
    .map(
      ({ caller, action, resource: on }) => `${caller} allows ${action} on ${on}, and no command was seen to need it`,
    )
  const idle = idleReasons(rows, REASONS).map(({ reason }) => `No grant is left that this explains: ${reason}`)
  return { calls, rows, mistakes: [...refused.flat(), ...tooMany, ...idle, ...unneeded(calls, rows)] }
}

const is = (name: string) => (call: NamedCall) => call.caller === name

/** A command that made no call, and a policy that a command is said to need without a call that does. */
const unneeded = (calls: readonly NamedCall[], rows: readonly Row[]): readonly string[] =>
  COMMANDS.flatMap(command => {
    const own = calls.filter(is(command.name))
    if (own.length === 0) return [`${command.name} was seen to make no call: record it anew`]
    const isFor = (policy: string) =>
      own.some(call => rows.some(row => row.caller === policy && row.action === call.action))
    return policiesOf(command)
      .filter(policy => !isFor(policy))
      .map(policy => `${command.name} is said to need ${policy}, and was seen to make no call that does`)
  })
