import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rigOf } from '../../integration/rig.ts'
import { rolesOf } from '../roles.ts'
import type { Rollout } from '../rollout.ts'
import { peopleOf } from './people.ts'
import { commandRunner } from './run-command.ts'
import { setScene } from './scene.ts'

const SOURCES = pathToFileURL(join(import.meta.dirname, '../../integration/sources.ts'))

/** Notion hands its secret over, and no source of the suite does. */
const SOURCE_FILE = `import { WITHOUT_ROUTES as suite } from '${SOURCES}'
export default { ...suite, notion: { provider: 'notion' } }
`

/** People of a deployed stack, everything that they may want to look at, and the command line in their hands. */
export const openOperators = async ({ deployment, deployed }: Rollout) => {
  const directory = mkdtempSync(join(tmpdir(), 'hooklatch-operators-'))
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(directory, 'sources.ts'), SOURCE_FILE)
  const rig = rigOf({ ...deployment, cli: { ...deployment.cli, directory } })
  const scene = await setScene(rig, rolesOf(deployment, deployed))
  return {
    people: peopleOf(deployment, deployed),
    run: commandRunner(rig, scene, directory),
    end: async (): Promise<void> => {
      await scene.end()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

export type Operators = Awaited<ReturnType<typeof openOperators>>
