import { hooklatchFed } from '../../cli/fed.ts'
import type { Rig } from '../../integration/rig.ts'
import { type Finished, hooklatchOnWith, until } from '../../support/local-rig.ts'
import { type Command, POLICIES, type Policy } from './commands.ts'
import type { Person } from './people.ts'
import type { Scene } from './scene.ts'

export interface Ran {
  readonly worked: boolean
  /** What it names as missing, in its answer or beside it. */
  readonly misses: readonly Policy[]
  /** For people: what it said. */
  readonly said: string
}

/** Runs one command with the credentials of somebody, in a directory of its own that has the sources of the suite. */
export const commandRunner =
  ({ deployment }: Rig, scene: Scene, directory: string) =>
  async (command: Command, person: Person, recording: Readonly<Record<string, string>> = {}): Promise<Ran> => {
    const { cli } = deployment
    const env = { ...cli.env, ...person, ...recording, HOOKLATCH_API_KEY: 'sk_test_proof' } as Record<string, string>
    const args = [...(await command.args(scene)), ...cli.flags]
    const { code, out, err } = command.until
      ? await watched(command.until, env, directory, args)
      : await hooklatchFed(command.input?.() ?? '', env, directory, ...args)
    const said = `${out}\n${err}`
    const refusals = said.split('\n').filter(line => line.includes(REFUSED))
    // One that works may still say what it could not look at.
    const { ends = 0 } = command
    const worked = typeof ends === 'number' ? code === ends && (code === 0 || refusals.length === 0) : ends.test(out)
    return { worked, misses: POLICIES.filter(policy => refusals.some(line => line.includes(policy))), said }
  }

const REFUSED = 'has no permission for'
const PATIENCE_MS = 60_000

const watched = async (said: RegExp, env: NodeJS.ProcessEnv, directory: string, args: string[]): Promise<Finished> => {
  const command = hooklatchOnWith(env, directory, ...args)
  let isOver = false
  void command.finished.then(() => {
    isOver = true
  })
  await until(args.join(' '), () => isOver || said.test(command.out()), PATIENCE_MS).catch(() => {})
  command.pressCtrlC()
  return command.finished
}
