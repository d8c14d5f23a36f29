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

const suiteFile = (name: string): string => String(pathToFileURL(join(import.meta.dirname, '../../integration', name)))

/** Notion hands its secret over, and no source of the suite does. */
const FILES = {
  'package.json': '{ "type": "module" }',
  'sources.ts': `import suite, { scheduled } from '${suiteFile('sources.ts')}'
export default { ...scheduled(suite), notion: { provider: 'notion' } }
`,
  'destinations.ts': `export { default } from '${suiteFile('destinations.ts')}'\n`,
}

/** People of a deployed stack, everything that they may want to look at, and the command line in their hands. */
export const openOperators = async ({ deployment, deployed }: Rollout) => {
  const directory = mkdtempSync(join(tmpdir(), 'hooklatch-operators-'))
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(directory, name), text)
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
