import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const read = (file: string) => JSON.parse(readFileSync(join(import.meta.dirname, '../..', file), 'utf8'))
const manifest = read('package.json')
const pins: Record<string, { package: string; version: string; sha256: string }> = read('lib/launch/packaged-node.json')

// npm links what the lock file calls `bin`. If `npm install` of another version wrote these lines again, delete them.
it('npm links no Node into .bin, where every script and every tool would run it unchecked', () => {
  const packages = Object.entries(read('package-lock.json').packages as Record<string, { bin?: object }>)
  expect(packages.length).toBeGreaterThan(300)
  expect(packages.filter(([, { bin }]) => bin && 'node' in bin).map(([name]) => name)).toEqual([])
})

it('every packaged Node has a pinned SHA-256, of the version that is installed', () => {
  const installed = Object.entries(manifest.optionalDependencies).filter(([name]) => name.startsWith('node-'))
  expect(Object.values(pins).map(pin => [pin.package, pin.version])).toEqual(installed)
  for (const { sha256 } of Object.values(pins)) expect(sha256).toMatch(/^[0-9a-f]{64}$/)
})

it('every npm script and cdk.json run our programs through the launcher', () => {
  const commands = [...Object.values<string>(manifest.scripts), read('cdk.json').app].flatMap(each =>
    each.split(' && '),
  )
  const ours = commands.filter(command => /\.ts\b|vitest/.test(command))
  expect(ours.length).toBeGreaterThan(8)
  expect(ours.filter(command => !/^(node bin\/node\.js|npm test --) /.test(command))).toEqual([])
})
