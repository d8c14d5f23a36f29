import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asInAnApp } from '../support/as-in-an-app.ts'
import { installApp } from './installed.ts'

const SAMPLES = join(import.meta.dirname, '../../docs/samples')

let example: Awaited<ReturnType<typeof installApp>>
beforeAll(async () => {
  example = await installApp()
}, 300_000)
afterAll(() => example?.remove())

const ACME =
  "acme: { provider: 'custom', config: { scheme: { kind: 'token', header: 'x-acme-token' }, id: 'json:id' } }"

describe('the tarball', () => {
  it('the tarball has JavaScript and types for every entry, and no TypeScript that Node would refuse', () => {
    const entries = Object.values(example.manifest.exports as Record<string, { types: string; default: string }>)
    for (const entry of entries.filter(each => typeof each === 'object')) {
      for (const file of Object.values(entry)) expect(existsSync(join(example.unpacked, file)), file).toBe(true)
    }
    const all = globSync('**/*.{ts,js}', { cwd: example.unpacked })
    expect(all.length).toBeGreaterThan(300)
    expect(all.filter(file => file.endsWith('.ts') && !file.endsWith('.d.ts'))).toEqual([])
  })

  it('the tarball has no tests, no tools and no Node of the repository', () => {
    expect(globSync('{test,docs,examples}/**', { cwd: example.unpacked })).toEqual([])
    expect(example.manifest).not.toHaveProperty('scripts')
    expect(example.manifest).not.toHaveProperty('devDependencies')
    expect(Object.keys(example.manifest.optionalDependencies ?? {})).toEqual(['@dynoxide/linux-x64'])
    expect(Object.keys(example.manifest.peerDependencies ?? {})).toEqual([
      'aws-cdk-lib',
      'constructs',
      'stripe',
      '@octokit/webhooks-types',
      '@slack/types',
    ])
  })

  it('the tarball has a bill of materials with every package that an app gets, its hash, and no tool of the repository', () => {
    const bill = JSON.parse(readFileSync(join(example.unpacked, 'dist/sbom.cdx.json'), 'utf8'))
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'hooklatch' } } })
    const named = new Map(bill.components.map((each: { name: string }) => [each.name, each]))
    const { dependencies, optionalDependencies } = example.manifest
    expect([...named.keys()]).toEqual(expect.arrayContaining(Object.keys({ ...dependencies, ...optionalDependencies })))
    for (const tool of ['vitest', 'typescript', 'aws-cdk', '@stryker-mutator/core']) expect(named.has(tool)).toBe(false)
    for (const name of Object.keys(dependencies ?? {})) expect(named.get(name), name).toHaveProperty('hashes')
    // Also a tool of this repository, and what the SDK of an app is made of.
    expect(named.has('@smithy/signature-v4')).toBe(true)
  })
})

describe('an app that installs it', () => {
  const tsc = () => example.node('node_modules/typescript/bin/tsc')
  const command = () => example.command

  it('an app that installs the package type-checks, and the compiler finds a wrong prop', async () => {
    await tsc()
    const wrong = join(example.app, 'wrong.ts')
    writeFileSync(
      wrong,
      [
        "import { WebhookReceiver } from 'hooklatch'",
        "import type { Handler } from 'hooklatch/consume'",
        "import type { Sources } from 'hooklatch/providers'",
        "export const sources: Sources = { stripe: { provider: 'stripe', guard: 'everything' } }",
        'export const work: Handler = async event => event.nothing',
        "export const receiver = new WebhookReceiver(undefined as never, 'R', { sources, api: 'grpc' })",
      ].join('\n'),
    )
    const { stdout } = await tsc().catch(error => error)
    writeFileSync(wrong, 'export {}')
    for (const line of [4, 5, 6]) expect(stdout).toContain(`wrong.ts(${line},`)
  })

  it('every sample of the docs compiles in an app, with nothing installed beside what it imports', async () => {
    const samples = join(example.app, 'samples')
    mkdirSync(samples)
    for (const file of globSync('*.ts', { cwd: SAMPLES })) {
      writeFileSync(join(samples, file), asInAnApp(readFileSync(join(SAMPLES, file), 'utf8')))
    }
    for (const name of ['vitest', 'zod', '@types/aws-lambda']) example.add(name)
    try {
      await tsc()
    } catch (error) {
      expect((error as { stdout: string }).stdout).toBe('')
    } finally {
      rmSync(samples, { recursive: true })
    }
  })

  it('a handler knows the names of the sources of its app, and the types of a sender whose package is installed', async () => {
    const typed = join(example.app, 'typed.ts')
    const strict = () => example.node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.strict.json')
    writeFileSync(
      join(example.app, 'tsconfig.strict.json'),
      JSON.stringify({ extends: './tsconfig.json', files: ['typed.ts'], compilerOptions: { skipLibCheck: false } }),
    )
    writeFileSync(
      typed,
      [
        "import { consume, type EventOf, type Handler } from 'hooklatch/consume'",
        "import type sources from './sources.ts'",
        "declare module 'hooklatch/consume' {",
        '  interface Register { sources: typeof sources }',
        '}',
        "export const handler = consume<'stripe'>(async event => {",
        "  if (event.type === 'invoice.paid') (await event.json()).data.object.amount_paid.toFixed()",
        '})',
        "export const names: EventOf<keyof typeof sources>['source'][] = ['stripe', 'github']",
        "export const wrong: Handler = event => void (event.source === 'strype')",
        "export const missing: Handler<'strype'> = () => {}",
      ].join('\n'),
    )
    const errors = async (): Promise<string[]> => {
      const { stdout = '' } = await strict().catch(error => error)
      return [...stdout.matchAll(/^(\S+)\((\d+),/gm)].map(([, file, line]) => `${file} ${line}`)
    }
    const without = await errors()
    example.add('stripe')
    const installed = await errors()
    writeFileSync(typed, 'export {}')
    expect(without.filter(error => !/aws|node_modules\/(?!hooklatch)/.test(error))).toEqual([
      'typed.ts 7',
      'typed.ts 10',
      'typed.ts 11',
    ])
    expect(installed.filter(error => error.startsWith('typed.ts'))).toEqual(['typed.ts 10', 'typed.ts 11'])
  })

  it('an app that installs the package synthesises its stack with its own sources and worker', async () => {
    const sources = join(example.app, 'sources.ts')
    writeFileSync(sources, readFileSync(sources, 'utf8').replace('} satisfies', `  ${ACME},\n} satisfies`))
    await example.node('node_modules/aws-cdk/bin/cdk', 'synth', '--quiet')
    const { Resources } = JSON.parse(readFileSync(join(example.app, 'cdk.out/Webhooks.template.json'), 'utf8'))
    const types = Object.values(Resources as Record<string, { Type: string }>).map(({ Type }) => Type)
    expect(types.filter(type => type === 'AWS::DynamoDB::Table')).toHaveLength(3)
    const bundles = globSync('cdk.out/asset.*/index.{js,mjs}', { cwd: example.app }).map(file =>
      readFileSync(join(example.app, file), 'utf8'),
    )
    // Receive, recover and operate know the source; recover does not know how it proves itself.
    expect(bundles.filter(text => /\bacme\b/.test(text))).toHaveLength(3)
    expect(bundles.filter(text => text.includes('x-acme-token'))).toHaveLength(2)
    expect(bundles.filter(text => text.includes('INVOICES_TABLE'))).toHaveLength(1)
    for (const bundle of bundles) expect(bundle.length).toBeLessThan(1_000_000)
  }, 240_000)

  it('a worker that imports the whole package has no CDK in its bundle', async () => {
    const contents = "import { consume } from 'hooklatch'; export const handler = consume(async () => {})"
    const { metafile } = await build({
      stdin: { contents, resolveDir: example.app },
      bundle: true,
      platform: 'node',
      format: 'esm',
      write: false,
      metafile: true,
    })
    const inputs = Object.values(metafile.outputs).flatMap(output => Object.keys(output.inputs))
    expect(inputs.length).toBeGreaterThan(50)
    expect(
      inputs.filter(file =>
        /aws-cdk-lib|constructs|functions\/(receive|providers)|lib\/(testing|memory-aws)/.test(file),
      ),
    ).toEqual([])
  })

  it('an app that installs the package tests its worker with hooklatch/testing', async () => {
    writeFileSync(
      join(example.app, 'kit.test.ts'),
      [
        "import assert from 'node:assert/strict'",
        "import { test } from 'node:test'",
        "import { testReceiver } from 'hooklatch/testing'",
        "import sources from './sources.ts'",
        "process.env.INVOICES_TABLE = 'invoices'",
        "const { work } = await import('./worker.ts')",
        "test('a paid invoice is stored', async () => {",
        "  const receiver = await testReceiver({ sources, work, tables: { invoices: { partitionKey: 'id' } } })",
        "  const { status } = await receiver.send('stripe', { type: 'invoice.paid' })",
        "  assert.equal(status, 'done')",
        "  assert.deepEqual(receiver.items('invoices'), [{ id: 'in_1042', paid: 2000 }])",
        '})',
      ].join('\n'),
    )
    await tsc()
    const { stdout } = await example.node('--test', 'kit.test.ts')
    expect(stdout).toMatch(/pass 1\n/)
  })

  it('the installed package has the page of the console bundled, so nothing has to be built', () => {
    const page = JSON.parse(readFileSync(join(example.unpacked, 'dist/lib/console/page.json'), 'utf8'))
    expect(Object.keys(page).toSorted()).toEqual(['css', 'html', 'icon', 'js'])
    for (const part of Object.values(page)) expect(String(part).length).toBeGreaterThan(100)
  })

  it('the installed package has the command line', async () => {
    const { stdout } = await example.node(command(), 'providers', 'stripe')
    expect(stdout).toContain('stripe')
  })

  it('on a Node that is too old, the installed command line says which one it needs', async () => {
    const { code, stderr } = await example.oldNode(command(), 'providers', 'stripe').catch(error => error)
    expect(code).toBe(1)
    expect(stderr).toBe(
      'Hooklatch needs Node 22.15 or newer, and yours is 20.20.2. No packaged Node is installed here. ' +
        'Install Node 22.15 or newer, put it first in your PATH, and try again.\n',
    )
  })
})
