import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EXAMPLE, EXAMPLE_DIRECTORY } from '../../../lib/docs/example.ts'
import { appFiles } from '../../../lib/init/app-files.ts'
import { ownSpec } from '../../../lib/init/own-spec.ts'
import { VERSIONS } from '../../../lib/init/project-files.ts'
import { readSources } from '../../../lib/init/read-sources.ts'
import { writeApp } from '../../../lib/init/write-app.ts'
import { scratchDirectory } from '../../support/scratch-directory.ts'

const ROOT = join(import.meta.dirname, '../../..')
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

describe('the example of the repository', () => {
  it('examples/receiver is what `hooklatch init` makes, file by file', () => {
    const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '.'], {
      cwd: EXAMPLE_DIRECTORY,
      encoding: 'utf8',
    })
    const present = tracked
      .trim()
      .split('\n')
      .map(file => [file, readFileSync(join(EXAMPLE_DIRECTORY, file), 'utf8')])
    expect(Object.fromEntries(present)).toEqual(appFiles(EXAMPLE))
  })

  it('a new app has the versions that this version was tested with', () => {
    const { dependencies, devDependencies, version } = manifest
    expect(dependencies).toMatchObject(VERSIONS.dependencies)
    expect(devDependencies).toMatchObject(VERSIONS.devDependencies)
    expect(EXAMPLE.hooklatch).toBe(version)
  })

  it('the README of a new app has twenty lines or so', () => {
    expect(appFiles(EXAMPLE)['README.md']?.split('\n').length).toBeLessThan(25)
  })
})

describe('the sources of a new app', () => {
  it('each source is called like its provider, with the settings that the provider needs', () => {
    expect(readSources('stripe, github,stripe')).toEqual({
      stripe: { provider: 'stripe' },
      github: { provider: 'github' },
    })
    const files = appFiles({ ...EXAMPLE, sources: { 'standard-webhooks': { provider: 'standard-webhooks' } } })
    expect(files['sources.ts']).toContain("  'standard-webhooks': { provider: 'standard-webhooks' },\n")
  })

  it('names that are no provider are refused together, with what was meant', () => {
    expect(readSources('strip,github,giithub')).toMatchObject({
      exitCode: 2,
      refused: expect.stringMatching(/"strip".*stripe[\s\S]*"giithub".*github/),
    })
    expect(readSources(' , ')).toMatchObject({ exitCode: 2 })
  })
})

describe('what a new app depends on', () => {
  const installed = (resolved: string) => {
    const place = scratchDirectory()
    const home = join(place, 'cache/node_modules/hooklatch')
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'hooklatch', version: '7.8.9' }))
    const lock = { packages: { 'node_modules/hooklatch': { resolved } } }
    writeFileSync(join(place, 'cache/node_modules/.package-lock.json'), JSON.stringify(lock))
    return ownSpec(join(place, 'work/my-hooks'), join(home, 'package.json'))
  }

  it('an app that a tarball made depends on that tarball, and any other on the version', () => {
    expect(installed('file:../work/hooklatch-7.8.9.tgz')).toBe('file:../hooklatch-7.8.9.tgz')
    expect(installed('https://registry.example/hooklatch-7.8.9.tgz')).toBe('7.8.9')
    expect(ownSpec('/anywhere', join(ROOT, 'package.json'))).toBe(manifest.version)
  })
})

describe('writing a new app', () => {
  it('nothing is written if one of the files is there already, and what is there stays', () => {
    const directory = scratchDirectory()
    writeFileSync(join(directory, 'worker.ts'), 'mine')
    expect(writeApp(directory, appFiles(EXAMPLE))).toMatchObject({
      refused: expect.stringMatching(/^Nothing was written, since .* has worker\.ts already/),
    })
    expect(readdirSync(directory)).toEqual(['worker.ts'])
    expect(readFileSync(join(directory, 'worker.ts'), 'utf8')).toBe('mine')
  })

  it('a new app may be made in a directory that has other files', () => {
    const directory = scratchDirectory()
    writeFileSync(join(directory, 'hooklatch-0.1.0.tgz'), '')
    expect(writeApp(directory, appFiles(EXAMPLE))).toBeUndefined()
    expect(readdirSync(directory).toSorted()).toEqual(
      ['hooklatch-0.1.0.tgz', ...Object.keys(appFiles(EXAMPLE))].toSorted(),
    )
  })
})
