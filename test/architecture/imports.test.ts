import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cyclesIn } from './cycles.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Who may import whom. A file belongs to the deepest of these folders that it lies in. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'functions/contract': [],
  'functions/domain': ['functions/contract'],
  'functions/providers': ['functions/contract', 'functions/domain'],
  'functions/adapters': ['functions/contract', 'functions/domain'],
  // What senders' own APIs can do, beside the catalogue: in no receiver's bundle.
  'functions/senders': ['functions/domain'],
  // What a verb of HTTP and a message both leave behind: a line that is also a metric.
  'functions/log': ['functions/contract', 'functions/domain'],
  // Below receive, publish, recover and the operator: what makes an event ours, queues it and settles it.
  'functions/accept': ['functions/contract', 'functions/domain', 'functions/providers'],
  // Around receive and publish: the Lambda that both of them are.
  'functions/shell': ['functions/contract', 'functions/domain', 'functions/adapters', 'functions/log'],
  'functions/receive': [
    'functions/contract',
    'functions/domain',
    'functions/providers',
    'functions/adapters',
    'functions/accept',
    'functions/shell',
    'sources.ts',
    'destinations.ts',
  ],
  'functions/publish': [
    'functions/contract',
    'functions/domain',
    'functions/providers',
    'functions/adapters',
    'functions/accept',
    'functions/shell',
    'sources.ts',
    'destinations.ts',
  ],
  'functions/consume': ['functions/contract', 'functions/domain', 'functions/adapters', 'functions/log'],
  // The handlers of ours, for destinations that are no code of the user's.
  'functions/deliver': ['functions/contract', 'functions/domain', 'functions/adapters', 'functions/consume'],
  'functions/fan-out': [
    'functions/contract',
    'functions/domain',
    'functions/adapters',
    'functions/accept',
    'functions/consume',
  ],
  'functions/bury': ['functions/contract', 'functions/domain', 'functions/adapters', 'functions/consume'],
  'functions/recover': [
    'functions/contract',
    'functions/domain',
    'functions/adapters',
    'functions/accept',
    'functions/log',
  ],
  // What changes something for an operator: in the cloud a function of its own, on a laptop in the CLI and the console.
  'functions/operate': [
    'functions/contract',
    'functions/domain',
    'functions/providers',
    'functions/adapters',
    'functions/accept',
    'functions/receive',
    'functions/senders',
  ],
  // The same by itself, on a schedule: it alone can read the API keys of a stack.
  'functions/reconcile': [
    'functions/contract',
    'functions/domain',
    'functions/adapters',
    'functions/log',
    'functions/operate',
    'functions/senders',
  ],
  'functions/idempotent': ['functions/contract', 'functions/domain', 'functions/adapters'],
  'functions/worker': ['functions/consume'],
  lib: [
    'functions/domain',
    'functions/providers',
    'functions/consume',
    'functions/idempotent',
    'lib/constructs',
    'lib/stacks',
    'lib/client',
    'lib/testing',
  ],
  'lib/client': ['functions/domain', 'functions/adapters'],
  // What the text of the user's files says and their data does not.
  'lib/source-text': [],
  'lib/constructs': [
    'functions/contract',
    'functions/domain',
    'functions/providers',
    'functions/senders',
    'lib/source-text',
  ],
  'lib/stacks': ['functions/contract', 'functions/domain', 'lib/constructs'],
  'lib/cost': ['functions/domain'],
  'lib/sender': ['functions/domain', 'functions/providers'],
  'lib/catalogue': ['functions/senders', 'functions/domain', 'functions/providers', 'lib/sender'],
  'lib/memory-aws': ['functions/contract', 'functions/adapters'],
  'lib/operator': [
    'functions/contract',
    'functions/domain',
    'functions/providers',
    'functions/adapters',
    'functions/operate',
  ],
  // Below the CLI, the console and the laptop: what finds a deployment and speaks to it.
  'lib/connect': [
    'functions/senders',
    'functions/contract',
    'functions/domain',
    'functions/providers',
    'functions/adapters',
    'functions/operate',
    'lib/operator',
  ],
  // A new app of a user's own.
  'lib/init': ['functions/domain', 'functions/providers', 'lib/connect', 'lib/sender'],
  // A user's own CDK app, as its template describes it.
  'lib/app': ['functions/contract', 'lib/connect'],
  'lib/terminal': ['lib/connect'],
  'lib/console/page': ['functions/contract', 'functions/operate', 'lib/operator', 'lib/console'],
  'lib/console': ['functions/contract', 'functions/domain', 'functions/operate', 'lib/operator', 'lib/connect'],
  'lib/local/engines': ['functions/adapters', 'lib/connect', 'lib/memory-aws'],
  'lib/local': [
    'functions/contract',
    'functions/domain',
    'functions/adapters',
    'functions/shell',
    'functions/receive',
    'functions/publish',
    'functions/consume',
    'functions/deliver',
    'functions/fan-out',
    'functions/bury',
    'functions/recover',
    'functions/reconcile',
    'lib/sender',
    'lib/operator',
    'lib/connect',
    'lib/app',
    'lib/terminal',
    'lib/console',
    'lib/local/engines',
    'lib/source-text',
  ],
  // The functions in the tests of a user, on the memory AWS.
  'lib/testing': [
    'functions/contract',
    'functions/domain',
    'functions/providers',
    'functions/adapters',
    'functions/receive',
    'functions/publish',
    'functions/consume',
    'functions/bury',
    'functions/recover',
    'functions/operate',
    'lib/memory-aws',
    'lib/sender',
    'lib/local',
  ],
  // Events of a deployment, sent to a server on the laptop.
  'lib/listen': [
    'functions/domain',
    'functions/providers',
    'functions/adapters',
    'lib/sender',
    'lib/operator',
    'lib/connect',
  ],
  'lib/template': ['lib/connect', 'lib/app'],
  'lib/cli/print': [
    'functions/contract',
    'functions/domain',
    'functions/operate',
    'lib/catalogue',
    'lib/operator',
    'lib/connect',
    'lib/listen',
    'lib/terminal',
  ],
  'lib/cli/steps': [
    'functions/senders',
    'functions/contract',
    'functions/domain',
    'functions/operate',
    'lib/operator',
    'lib/connect',
    'lib/terminal',
    'lib/cli',
    'lib/cli/print',
  ],
  'lib/cli/checks': [
    'functions/senders',
    'functions/contract',
    'functions/domain',
    'functions/adapters',
    'lib/catalogue',
    'lib/operator',
    'lib/connect',
  ],
  'lib/cli/completions': ['lib/cli'],
  'lib/cli/verbs': [
    'functions/senders',
    'functions/contract',
    'functions/domain',
    'functions/providers',
    'functions/adapters',
    'functions/operate',
    'lib/client',
    'lib/cost',
    'lib/sender',
    'lib/catalogue',
    'lib/operator',
    'lib/connect',
    'lib/app',
    'lib/init',
    'lib/listen',
    'lib/template',
    'lib/terminal',
    'lib/console',
    'lib/local',
    'lib/cli',
    'lib/cli/print',
    'lib/cli/steps',
    'lib/cli/checks',
    'lib/cli/completions',
  ],
  'lib/cli': [
    'functions/domain',
    'functions/providers',
    'lib/operator',
    'lib/connect',
    'lib/terminal',
    'lib/cli/verbs',
  ],
  'lib/packaging': ['lib/console'],
  // Before anything else of ours can run: it picks the Node.
  'lib/launch': [],
  'lib/docs': ['functions/contract', 'functions/domain', 'lib/init'],
}

/** The verbs do no I/O of their own: only these files of a function know adapters and the gateway. */
const COMPOSITION = [
  'handler.ts',
  'lambda.ts',
  'receiver-stores.ts',
  'receiver-world.ts',
  'resolved-sources.ts',
  'consume.ts',
  'idempotent.ts',
  'answer-store.ts',
]

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx', '*.js'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter(file => file !== '' && existsSync(join(ROOT, file)))

const importsOf = (file: string): string[] =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/(?:from |import |import\()'([^']+)'/g)].map(([, specifier]) =>
    specifier?.startsWith('.')
      ? relative(ROOT, join(ROOT, dirname(file), specifier))
      : (specifier ?? '').replace(/^#(sources|destinations)$/, '$1.ts'),
  )

const FOLDERS = Object.keys(MAY_IMPORT).sort((left, right) => right.length - left.length)

/** `lib` is only the files that lie in it directly: a new folder needs its own line. */
const liesIn = (file: string, folder: string): boolean =>
  folder === 'lib' ? dirname(file) === folder : file.startsWith(`${folder}/`)

const layerOf = (file: string): string => FOLDERS.find(folder => liesIn(file, folder)) ?? file

const product = files.filter(file => /^(functions|lib)\//.test(file))

const isOurs = (target: string): boolean => /^(functions|lib|bin|test|sources\.ts|destinations\.ts)/.test(target)

describe('the direction of imports', () => {
  it('every file in functions/ and lib/ belongs to a layer of the table', () => {
    expect(product.filter(file => !FOLDERS.includes(layerOf(file)))).toEqual([])
  })

  it.each(product)('%s imports only what its layer may', file => {
    const layer = layerOf(file)
    const allowed = [layer, ...(MAY_IMPORT[layer] ?? [])]
    expect(importsOf(file).filter(target => isOurs(target) && !allowed.includes(layerOf(target)))).toEqual([])
  })

  it('no folder may import what none of its files imports', () => {
    const used = new Set(
      product.flatMap(file => importsOf(file).map(target => `${layerOf(file)} -> ${layerOf(target)}`)),
    )
    const layers = new Set(product.map(layerOf))
    const allowed = Object.entries(MAY_IMPORT)
      .filter(([layer]) => layers.has(layer))
      .flatMap(([layer, targets]) => targets.map(target => `${layer} -> ${target}`))
    expect(allowed.filter(edge => !used.has(edge))).toEqual([])
  })

  it('no file in functions/ or lib/ imports itself through others, types and late imports included', () => {
    expect(cyclesIn(product, importsOf)).toEqual([])
  })

  it('no verb in functions/ imports an adapter', () => {
    const verbs = files.filter(
      file =>
        /^functions\/(accept|receive|consume|bury|recover|publish|operate|reconcile|idempotent)\//.test(file) &&
        !COMPOSITION.some(name => file.endsWith(`/${name}`)),
    )
    expect(verbs.length).toBeGreaterThan(0)
    expect(verbs.filter(file => importsOf(file).some(target => target.startsWith('functions/adapters')))).toEqual([])
  })

  it('nothing in functions/ imports lib/', () => {
    const offenders = files.filter(
      file => file.startsWith('functions/') && importsOf(file).some(target => target.startsWith('lib/')),
    )
    expect(offenders).toEqual([])
  })

  it('the contract imports nothing', () => {
    const imports = files.filter(file => file.startsWith('functions/contract/')).flatMap(importsOf)
    expect(imports.filter(target => !target.startsWith('functions/contract'))).toEqual([])
  })
})

describe('the world comes in by argument', () => {
  const WORLD = /\bprocess\.env\b|\bDate\.now\(|\bnew \w+Client\(|\bMath\.random\(/
  const MAY_TOUCH =
    /^(bin|test|lib|examples|docs\/samples)\/|^functions\/adapters\/|\/handler\.ts$|^vitest\.config\.ts$/

  it('clock, randomness, environment and clients are read only in handlers, adapters and composition roots', () => {
    const offenders = files.filter(file => !MAY_TOUCH.test(file) && WORLD.test(readFileSync(join(ROOT, file), 'utf8')))
    expect(offenders).toEqual([])
  })
})

describe('the terminal', () => {
  const WRITES = /\bprocess\.std(out|err)\b|\bconsole\.\w+\(|\bstd(out|err)\b[^\n]*\} = process\b/
  /** A bar of digits; a program whose output is a pipe of ours; CDK's own entry and the launcher, which have no sender's text. */
  const ALLOWED = [
    'lib/cli/print/progress-bar.ts',
    'lib/local/engines/watchdog.ts',
    'lib/launch/launch.js',
    'bin/app.ts',
  ]

  it('nothing but lib/terminal writes to a terminal', () => {
    const offenders = files
      .filter(file => /^(lib|bin)\//.test(file) && !/^lib\/(terminal|console\/page)\//.test(file))
      .filter(file => WRITES.test(readFileSync(join(ROOT, file), 'utf8')))
    expect(offenders.filter(file => !ALLOWED.includes(file))).toEqual([])
  })
})

describe('names', () => {
  it('no file is called utils, helpers, common, shared, misc or types', () => {
    expect(files.filter(file => /(^|\/)(utils?|helpers?|common|shared|misc|types)(\.|\/)/.test(file))).toEqual([])
  })
})
