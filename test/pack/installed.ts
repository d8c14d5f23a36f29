import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { OLD_NODE } from '../support/old-node.ts'

const ROOT = join(import.meta.dirname, '../..')
const MODULES = join(ROOT, 'node_modules')

const run = promisify(execFile)
/** What they start by the name `node` is the Node of this test. */
const PATH = [dirname(process.execPath), join(MODULES, '.bin'), process.env.PATH].join(delimiter)
const env = { ...process.env, PATH }

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

/**
 * The example in a directory of its own, with the tarball that `npm pack` makes. There is no network in a test, so what
 * `npm install` would fetch is linked from the repository: exactly what the two manifests name, and nothing else, so that a
 * dependency that the tarball forgot to name is not found.
 */
export const installExample = async () => {
  const place = mkdtempSync(join(tmpdir(), 'hooklatch-pack-'))
  const tarball = await pack(place)
  const app = join(place, 'app')
  const unpacked = join(app, 'node_modules/hooklatch')
  cpSync(join(ROOT, 'examples/receiver'), app, { recursive: true })
  mkdirSync(unpacked, { recursive: true })
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', unpacked])
  const read = (file: string): Manifest => JSON.parse(readFileSync(file, 'utf8'))
  const manifest = read(join(unpacked, 'package.json'))
  for (const name of [...named(manifest), ...named(read(join(app, 'package.json')))]) link(name, app)
  mkdirSync(join(app, 'node_modules/.bin'))
  symlinkSync(join(MODULES, '.bin/esbuild'), join(app, 'node_modules/.bin/esbuild'))
  // CDK finds the project of the worker by it; `npm install` would have written it.
  writeFileSync(join(app, 'package-lock.json'), '{}')
  return {
    app,
    manifest,
    unpacked,
    node: (...args: string[]) => run(process.execPath, args, { cwd: app, env }),
    oldNode: (...args: string[]) => run(process.execPath, [...OLD_NODE, ...args], { cwd: app, env }),
    remove: () => rmSync(place, { recursive: true, force: true }),
  }
}

/** In a copy: while npm packs, package.json is the tarball's, and other tests read the repository's. */
const pack = async (place: string): Promise<string> => {
  const copy = join(place, 'repository')
  const { stdout } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT })
  for (const file of stdout.trim().split('\n')) {
    if (/^(test|docs)\//.test(file)) continue
    cpSync(join(ROOT, file), join(copy, file), { recursive: true, force: true })
  }
  symlinkSync(MODULES, join(copy, 'node_modules'))
  const packed = await run('npm', ['pack', '--json', '--pack-destination', place], { cwd: copy, env })
  const report = packed.stdout.slice(packed.stdout.search(/^[[{]/m))
  const [first] = Object.values(JSON.parse(report)) as { filename: string }[]
  return join(place, first?.filename ?? '')
}

const named = (manifest: Manifest): string[] =>
  [manifest.dependencies, manifest.devDependencies, manifest.peerDependencies, manifest.optionalDependencies]
    .flatMap(packages => Object.keys(packages ?? {}))
    .filter(name => name !== 'hooklatch')

const link = (name: string, app: string): void => {
  const target = join(app, 'node_modules', name)
  mkdirSync(dirname(target), { recursive: true })
  rmSync(target, { force: true })
  symlinkSync(join(MODULES, name), target)
}
