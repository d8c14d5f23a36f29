import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { expect, it } from 'vitest'
import type { Sources } from '../../functions/domain/source.ts'
import { ReceiverStack } from '../../lib/stacks/receiver-stack.ts'
import { scratchDirectory } from '../support/scratch-directory.ts'

const MODULE = `
const validate = () => ({ issues: [{ message: 'not an amount in cents', path: ['amount'] }] })
const schema = { '~standard': { version: 1, vendor: 'test', validate } }
export default { stripe: { provider: 'stripe', schema } }
`

/** CDK bundles every function of the stack, which takes half a minute on a busy machine. */
const PATIENCE_MS = 300_000

it(
  'the schema of a source is in the bundle of the worker, and not in that of the receiver',
  async () => {
    const directory = scratchDirectory()
    const sourcesModule = join(directory, 'sources.mjs')
    writeFileSync(sourcesModule, MODULE)
    const { default: sources } = (await import(sourcesModule)) as { default: Sources }
    // Bundled for real, unlike in the other tests of the stack.
    const outdir = join(directory, 'cdk.out')
    const app = new App({ outdir, context: { 'aws:cdk:enable-asset-metadata': true } })
    new ReceiverStack(app, 'Test', { sources, sourcesModule })
    const { Resources } = app.synth().getStackByName('Test').template as { Resources: Record<string, Resource> }
    const bundleOf = (name: string, file: string): string => {
      const [, found] = Object.entries(Resources).find(
        ([id, { Type }]) => Type === 'AWS::Lambda::Function' && id.startsWith(`Receiver${name}Function`),
      ) ?? [undefined, undefined]
      return readFileSync(join(outdir, found?.Metadata?.['aws:asset:path'] ?? 'none', file), 'utf8')
    }
    expect(bundleOf('Worker', 'index.js')).toContain('not an amount in cents')
    expect(bundleOf('Receive', 'index.mjs')).not.toContain('not an amount in cents')
  },
  PATIENCE_MS,
)

interface Resource {
  readonly Type: string
  readonly Metadata?: Readonly<Record<string, string>>
}
