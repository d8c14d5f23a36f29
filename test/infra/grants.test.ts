import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Verb } from '../../lib/cli/verb.ts'
import { COMMANDS } from '../iam/operators/commands.ts'
import { proveCommands } from '../iam/operators/prove-commands.ts'
import { proveGrants, templateOf } from '../iam/proof.ts'
import { readPolicies } from '../iam/read-grants.ts'
import { IAM_PAGE, proveAll, withTables } from '../iam/run.ts'

const template = templateOf()
const functions = await proveGrants(template)
const commands = await proveCommands(template)

/** Without the statements that allow an action. */
const withoutGrant = (type: string, action: string) =>
  Object.fromEntries(
    Object.entries(template).map(([id, resource]) => {
      if (resource.Type !== type) return [id, resource]
      const { PolicyDocument, ...rest } = resource.Properties ?? {}
      const Statement = PolicyDocument.Statement.filter(({ Action }: { Action: string | string[] }) => {
        return ![Action].flat().includes(action)
      })
      return [id, { ...resource, Properties: { ...rest, PolicyDocument: { ...PolicyDocument, Statement } } }]
    }),
  )

it('every call that functions and commands were seen to make is allowed, and every grant is used or has its reason', () => {
  expect([...functions.mistakes, ...commands.mistakes]).toEqual([])
})

it('every function was seen to call AWS', () => {
  const callers = new Set(functions.calls.map(({ caller }) => caller))
  const all = Object.keys(readPolicies(template).identity)
  expect([...callers].toSorted()).toEqual(all.toSorted())
})

it('every command that speaks to a stack is in the proof', async () => {
  const { everyVerb } = await import('../../lib/cli/run.ts')
  const ofStacks = (await everyVerb()).filter(([, { flags }]: readonly [string, Verb]) => {
    return 'profile' in flags && 'stack' in flags
  })
  const proved = new Set(COMMANDS.map(({ name }) => name.split(/[ ,]/, 1)[0]))
  expect([...proved].toSorted()).toEqual(ofStacks.map(([name]) => name).toSorted())
})

it('a grant that is taken away is missed by the function that needs it', async () => {
  const { mistakes } = await proveGrants(withoutGrant('AWS::IAM::Policy', 'dynamodb:PutItem'), functions.calls)
  expect(mistakes).toContainEqual(expect.stringContaining('Receive needs dynamodb:PutItem on'))
})

it('a grant that is taken from a policy for people is missed by the command that needs it', async () => {
  const { mistakes } = await proveCommands(withoutGrant('AWS::IAM::ManagedPolicy', 'lambda:InvokeFunction'))
  expect(mistakes).toContainEqual(expect.stringContaining('replay <id> makes lambda:InvokeFunction on'))
})

it('a grant of a policy for people that no command uses is too much', async () => {
  const seen = commands.calls.filter(({ action }) => action !== 'cloudwatch:DescribeAlarms')
  const { mistakes } = await proveCommands(template, seen)
  expect(mistakes).toEqual(['ReadPolicy allows cloudwatch:DescribeAlarms on *, and no command was seen to need it'])
})

it('docs/iam.md shows the tables that npm run prove iam prints', async () => {
  const page = readFileSync(IAM_PAGE, 'utf8')
  expect(page).toBe(withTables(page, (await proveAll()).tables))
})
