import { execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
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
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

/**
 * An app that `hooklatch init` made, in a directory of its own, with the tarball that `npm pack` makes. There is no network in a
 * test, so what `npm install` would fetch is linked from the repository: exactly what the two manifests name, and nothing else, so
 * that a dependency that the tarball forgot to name is not found.
 */
export const installApp = async (...flags: readonly string[]) => {
  const place = mkdtempSync(join(tmpdir(), 'hooklatch-pack-'))
  packed ??= pack()
  const { filename, bytes } = await packed
  const tarball = join(place, filename)
  writeFileSync(tarball, bytes)
  const app = join(place, 'app')
  const unpacked = join(app, 'node_modules/hooklatch')
  mkdirSync(unpacked, { recursive: true })
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', unpacked])
  const read = (file: string): Manifest => JSON.parse(readFileSync(file, 'utf8'))
  const manifest = read(join(unpacked, 'package.json'))
  for (const name of named(manifest)) link(name, app)
  // As npm writes it, for an app as for what `npx --package` runs.
  const lock = { packages: { 'node_modules/hooklatch': { resolved: `file:../${basename(tarball)}` } } }
  writeFileSync(join(app, 'node_modules/.package-lock.json'), JSON.stringify(lock))
  const command = join(unpacked, (manifest.bin as { hooklatch: string }).hooklatch)
  const node = (...args: string[]) => run(process.execPath, args, { cwd: app, env })
  const made = await node(command, 'init', ...flags)

  for (const name of named(read(join(app, 'package.json')))) link(name, app)
  const bin = join(app, 'node_modules/.bin')
  mkdirSync(bin)
  for (const name of ['esbuild', 'cdk', 'tsc']) symlinkSync(join(MODULES, '.bin', name), join(bin, name))
  chmodSync(command, 0o755)
  symlinkSync(command, join(bin, 'hooklatch'))
  // CDK finds the project of the worker by it; `npm install` would have written it.
  writeFileSync(join(app, 'package-lock.json'), '{}')
  return {
    app,
    manifest,
    unpacked,
    /** As `npm install` of one more package. */
    add: (name: string) => link(name, app),
    made: made.stdout,
    command,
    env,
    node,
    npm: (...args: string[]) => run('npm', args, { cwd: app, env }),
    oldNode: (...args: string[]) => run(process.execPath, [...OLD_NODE, ...args], { cwd: app, env }),
    remove: () => rmSync(place, { recursive: true, force: true }),
  }
}

/** Once for all apps of a test file. */
let packed: Promise<{ readonly filename: string; readonly bytes: Buffer }> | undefined

/** In a copy: while npm packs, package.json is the tarball's, and other tests read the repository's. */
const pack = async () => {
  const place = mkdtempSync(join(tmpdir(), 'hooklatch-packed-'))
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
  const filename = first?.filename ?? ''
  const bytes = readFileSync(join(place, filename))
  rmSync(place, { recursive: true, force: true })
  return { filename, bytes }
}

const named = (manifest: Manifest): string[] =>
  [manifest.dependencies, manifest.devDependencies, manifest.peerDependencies, manifest.optionalDependencies]
    .flatMap(packages => Object.keys(packages ?? {}))
    // An optional peer is there only if an app asks for it.
    .filter(name => name !== 'hooklatch' && !manifest.peerDependenciesMeta?.[name]?.optional)

const link = (name: string, app: string): void => {
  const target = join(app, 'node_modules', name)
  mkdirSync(dirname(target), { recursive: true })
  rmSync(target, { force: true })
  symlinkSync(join(MODULES, name), target)
}
