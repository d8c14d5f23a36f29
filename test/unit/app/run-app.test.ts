import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runApp } from '../../../lib/app/run-app.ts'
import { scratchDirectory } from '../../support/scratch-directory.ts'

const refused = async (program: string) => {
  const directory = scratchDirectory()
  writeFileSync(join(directory, 'app.mjs'), program)
  return runApp({ directory, app: 'node app.mjs', isAssembly: false, context: {} }, join(directory, 'cdk.out'))
}

const rules = JSON.stringify(join(import.meta.dirname, '../../../lib/constructs/prop-rules.ts'))

it('mistakes in sources.ts are told without a stack trace', async () => {
  const program = `import { throwMistakes } from ${rules}; throwMistakes(['a.provider: found 1', 'b.retain: found 2'])`
  expect((await refused(program))?.refused).toBe(
    [
      'The app could not be synthesised, so its tables cannot be created here. `node app.mjs` said:',
      'The receiver cannot be built:',
      '- a.provider: found 1',
      '- b.retain: found 2',
      'Fix the app, or start without it: --worker FILE or --source-file FILE.',
    ].join('\n'),
  )
})

it('what the app itself throws is told with the line where it was thrown', async () => {
  const { refused: said } = (await refused("throw new Error('the account is not known')")) ?? { refused: '' }
  expect(said).toContain('Error: the account is not known')
  expect(said).toContain('app.mjs:1')
})
