import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { hashInputs } from '../../../lib/app/hash-inputs.ts'
import { scratchDirectory } from '../../support/scratch-directory.ts'

const appOf = (files: Readonly<Record<string, string>>) => {
  const directory = scratchDirectory()
  const write = (file: string, content: string): void => {
    mkdirSync(dirname(join(directory, file)), { recursive: true })
    writeFileSync(join(directory, file), content)
  }
  for (const [file, content] of Object.entries(files)) write(file, content)
  const hash = (settings = {}): string =>
    hashInputs({ directory, app: 'node app.ts', isAssembly: false, context: {}, ...settings }, ['worker.ts'])
  return { write, hash }
}

const FILES = { 'app.ts': 'one', 'worker.ts': 'one', 'package-lock.json': '{}', 'config/tables.yaml': 'one' }

it.each(['app.ts', 'package-lock.json', 'config/tables.yaml', 'config/new.ts'])(
  'a change of %s makes the template old',
  file => {
    const { write, hash } = appOf(FILES)
    const before = hash()
    expect(hash()).toBe(before)
    write(file, 'two')
    expect(hash()).not.toBe(before)
  },
)

it.each([
  'worker.ts',
  'worker.test.ts',
  'README.md',
  'node_modules/aws-cdk-lib/index.js',
  'cdk.out/manifest.json',
  '.hooklatch/local.json',
])('a change of %s leaves the template as it is', file => {
  const { write, hash } = appOf(FILES)
  const before = hash()
  write(file, 'two')
  expect(hash()).toBe(before)
})

it('what --data keeps in the directory of the app is no input of it', () => {
  const { write, hash } = appOf({ ...FILES, 'local-data/fingerprint.key': 'key' })
  const before = hash()
  write('local-data/dynoxide.db', 'two')
  expect(hash()).toBe(before)
})

it('another command or another context makes the template old', () => {
  const { hash } = appOf(FILES)
  expect(new Set([hash(), hash({ app: 'node other.ts' }), hash({ context: { stage: 'x' } })]).size).toBe(3)
})
