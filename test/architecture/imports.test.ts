import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

/** Who may import whom. The first folder of the list that a file lies in is its own. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'functions/contract': [],
  'functions/domain': ['functions/contract'],
  'functions/providers': ['functions/contract', 'functions/domain'],
  'functions/adapters': ['functions/contract', 'functions/domain'],
  'functions/middleware': ['functions/contract', 'functions/domain', 'functions/adapters'],
  'functions/receive': [
    'functions/contract',
    'functions/domain',
    'functions/providers',
    'functions/adapters',
    'functions/middleware',
    'sources.ts',
  ],
  'functions/consume': ['functions/contract', 'functions/domain', 'functions/adapters', 'functions/middleware'],
  'functions/bury': [
    'functions/contract',
    'functions/domain',
    'functions/adapters',
    'functions/middleware',
    'functions/consume',
  ],
  'functions/recover': [
    'functions/contract',
    'functions/domain',
    'functions/adapters',
    'functions/middleware',
    'functions/receive',
  ],
  'functions/publish': [
    'functions/contract',
    'functions/domain',
    'functions/providers',
    'functions/adapters',
    'functions/middleware',
    'functions/receive',
    'sources.ts',
  ],
  'functions/idempotent': ['functions/contract', 'functions/domain', 'functions/adapters'],
  'functions/worker': ['functions/domain', 'functions/consume'],
  'lib/constructs': ['functions/contract', 'functions/domain', 'functions/providers'],
  'lib/stacks': ['functions/contract', 'functions/domain', 'lib/constructs'],
  'lib/sender': ['functions/contract', 'functions/domain', 'functions/providers'],
  'lib/console/page': ['functions/contract', 'lib/operator', 'lib/console'],
  'lib/console': ['functions/contract', 'functions/domain', 'lib/operator', 'lib/connect'],
  'lib/operator': [
    'functions/contract',
    'functions/domain',
    'functions/providers',
    'functions/adapters',
    'functions/receive',
    'functions/recover',
  ],
}

/** The verbs do no I/O of their own: only these files of a function know adapters and the gateway. */
const COMPOSITION = ['handler.ts', 'lambda.ts', 'aws-world.ts', 'consume.ts', 'idempotent.ts', 'answer-store.ts']

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter(file => file !== '' && existsSync(join(ROOT, file)))

const importsOf = (file: string): string[] =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/(?:from|import) '([^']+)'/g)].map(([, specifier]) =>
    specifier?.startsWith('.')
      ? relative(ROOT, join(ROOT, dirname(file), specifier))
      : (specifier ?? '').replace('#sources', 'sources.ts'),
  )

const layerOf = (file: string): string | undefined =>
  Object.keys(MAY_IMPORT).find(folder => file.startsWith(`${folder}/`))

describe('the direction of imports', () => {
  it.each(files.filter(file => layerOf(file) !== undefined))('%s imports only what its layer may', file => {
    const layer = layerOf(file) ?? ''
    const allowed = [layer, ...(MAY_IMPORT[layer] ?? [])]
    const inside = importsOf(file).filter(target => /^(functions|lib|bin|test|sources\.ts)/.test(target))
    expect(inside.filter(target => !allowed.some(prefix => target.startsWith(prefix)))).toEqual([])
  })

  it('keeps adapters out of the verbs', () => {
    const verbs = files.filter(
      file =>
        /^functions\/(receive|consume|bury|recover|publish|idempotent)\//.test(file) &&
        !COMPOSITION.some(name => file.endsWith(`/${name}`)),
    )
    expect(verbs.length).toBeGreaterThan(0)
    expect(verbs.filter(file => importsOf(file).some(target => target.startsWith('functions/adapters')))).toEqual([])
  })

  it('lets nothing in functions/ import lib/', () => {
    const offenders = files.filter(
      file => file.startsWith('functions/') && importsOf(file).some(target => target.startsWith('lib/')),
    )
    expect(offenders).toEqual([])
  })

  it('gives the contract no imports at all', () => {
    const imports = files.filter(file => file.startsWith('functions/contract/')).flatMap(importsOf)
    expect(imports.filter(target => !target.startsWith('functions/contract'))).toEqual([])
  })
})

describe('the world comes in by argument', () => {
  const WORLD = /\bprocess\.env\b|\bDate\.now\(|\bnew \w+Client\(|\bMath\.random\(/
  const MAY_TOUCH =
    /^(bin|test|lib|examples|docs\/samples)\/|^functions\/adapters\/|\/handler\.ts$|^vitest\.config\.ts$/

  it('reads clock, randomness, environment and clients only in handlers, adapters and composition roots', () => {
    const offenders = files.filter(file => !MAY_TOUCH.test(file) && WORLD.test(readFileSync(join(ROOT, file), 'utf8')))
    expect(offenders).toEqual([])
  })
})

describe('names', () => {
  it('calls no file utils, helpers, common, shared, misc or types', () => {
    expect(files.filter(file => /(^|\/)(utils?|helpers?|common|shared|misc|types)(\.|\/)/.test(file))).toEqual([])
  })
})
