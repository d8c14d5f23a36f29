import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Deployed, type NamedCall, nameCalls } from '../name-calls.ts'
import { readLines } from '../recording.ts'
import { COMMANDS, policiesOf } from './commands.ts'
import type { Operators } from './operators.ts'

const RECORDER = pathToFileURL(join(import.meta.dirname, '../record-calls.ts'))

/** Every command once, by somebody who has all that it can use. What did not work is not what a command does. */
export const recordCommands = async (
  { people, run }: Pick<Operators, 'people' | 'run'>,
  directory: string,
  deployed: readonly Deployed[],
): Promise<readonly NamedCall[]> => {
  const file = join(directory, 'commands.jsonl')
  const recording = { NODE_OPTIONS: `--import=${RECORDER}`, HOOKLATCH_CALLS: file }
  for (const command of COMMANDS) {
    const person = await people.with(policiesOf(command))
    const { worked, said } = await run(command, person, { ...recording, HOOKLATCH_CALLER: command.name })
    if (!worked) throw new Error(`${command.name} did not work, so its calls are not known: ${said.trim()}`)
  }
  return nameCalls(readLines(file), deployed, name => name)
}
