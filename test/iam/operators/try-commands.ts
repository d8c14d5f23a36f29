import { print } from '../../tools/tool.ts'
import type { NamedCall } from '../name-calls.ts'
import type { PolicyDocument, Statement } from '../read-grants.ts'
import { COMMANDS, POLICIES, type Policy, policiesOf } from './commands.ts'
import type { Operators } from './operators.ts'
import { type Outcome, predictOutcomes } from './predict-outcomes.ts'
import type { Ran } from './run-command.ts'

/** Each command with the policies that it needs, without each of them, and without each statement. Answers a sentence for each surprise. */
export const tryCommands = async (
  { people, run }: Pick<Operators, 'people' | 'run'>,
  calls: readonly NamedCall[],
  managed: Readonly<Record<Policy, PolicyDocument>>,
): Promise<readonly string[]> => {
  const mistakes: string[] = []
  const surprised = (what: string, ran: Ran): void => {
    mistakes.push(
      `${what}: ${ran.worked ? 'it worked' : 'it failed'}, and named ${ran.misses.join(', ') || 'no policy'}`,
    )
    print(`${mistakes.at(-1)}. It said: ${ran.said.trim()}`)
  }
  const compare = (what: string, ran: Ran, expected: Outcome, missed: readonly Policy[]): void => {
    const isAsExpected = ran.worked === (expected !== 'refused') && missed.every(policy => ran.misses.includes(policy))
    if (!isAsExpected) surprised(what, ran)
  }

  for (const command of COMMANDS) {
    const { name, needs = [], shows = [] } = command
    const enough: readonly Policy[] = ['ReadPolicy', ...needs]
    compare(`${name} with ${enough.join(', ')}`, await run(command, await people.with(enough)), 'tells', shows)
    for (const policy of enough) {
      const others = enough.filter(each => each !== policy)
      compare(`${name} without ${policy}`, await run(command, await people.with(others)), 'refused', [policy])
    }
  }
  print(`${COMMANDS.length} commands were run with what they need, and without each policy of it.`)

  for (const policy of POLICIES) {
    const whole = await people.statements(policy)
    for (const [index, statement] of managed[policy].Statement.entries()) {
      const outcomes = predictOutcomes(policy, statement, calls, managed)
      await people.setStatements(policy, whole.toSpliced(index, 1))
      for (const [command, outcome] of outcomes) {
        const ran = await run(command, await people.with(policiesOf(command)))
        compare(`${command.name} without ${nameOf(statement)}`, ran, outcome, [policy])
      }
      print(`${policy} without ${nameOf(statement)}: ${outcomes.length} commands run.`)
    }
    await people.setStatements(policy, whole)
  }
  return mistakes
}

const nameOf = ({ Action, Resource }: Statement): string => `${[Action].flat().join(', ')} on ${[Resource].flat()[0]}`
