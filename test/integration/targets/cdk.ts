import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { Api } from '../../../lib/constructs/front.ts'

const ROOT = join(import.meta.dirname, '../../..')
const CDK = join(ROOT, 'node_modules/.bin/cdk')

export interface CdkOptions {
  /** Of the stacks' names, so that what a run made can be told from everything else. */
  readonly prefix: string
  readonly apis: readonly Api[]
  readonly runtime?: string
  /** @default true */
  readonly destinations?: boolean
  /** @default false */
  readonly reconciler?: boolean
  /** Besides those of the shell: endpoints and credentials of an emulator. */
  readonly env?: NodeJS.ProcessEnv
  /** Of the version whose app is deployed. @default - this one */
  readonly root?: string
  /** Changes the templates in the directory of the assembly, for an emulator that does not know all of CloudFormation. */
  readonly adapt?: (assembly: string) => void
}

/** What a stack says of itself once it is there. */
export type Outputs = Readonly<Record<string, string>>

/** Plain cdk, as a user runs it, on the suite's own app. */
export const cdkOf = ({
  prefix,
  apis,
  runtime,
  destinations = true,
  reconciler = false,
  env = {},
  root = ROOT,
  adapt,
}: CdkOptions) => {
  const directory = mkdtempSync(join(tmpdir(), 'hooklatch-cdk-'))
  const context = Object.entries({
    prefix,
    apis: apis.join(','),
    ...(runtime && { runtime }),
    ...(destinations && { destinations: 'yes' }),
    ...(reconciler && { reconciler: 'yes' }),
  })
  const assembly = join(directory, 'cdk.out')
  const app = [
    ...['--app', `node ${join(root, 'test/integration/app.ts')}`, '--output', assembly],
    ...context.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  const cdk = async (...args: string[]): Promise<void> => {
    const start = performance.now()
    await run([...args, ...app], optionsWith(env, root))
    process.stdout.write(`cdk ${args[0]}: ${Math.round((performance.now() - start) / 1000)} s\n`)
  }
  const destruction = ['destroy', ...apis.map(api => `${prefix}-${api}`), '--force']
  // Ctrl-C ends vitest without its teardown. `cdk destroy` waits for an update that is still under way.
  const atExit = (): void => {
    process.stdout.write('Destroying what this run made; this takes minutes.\n')
    spawnSync(CDK, [...destruction, ...app], optionsWith(env, root))
  }

  const forget = (): void => {
    process.off('exit', atExit)
    rmSync(directory, { recursive: true, force: true })
  }

  return {
    bootstrap: () => cdk('bootstrap'),
    deploy: async (): Promise<Readonly<Record<string, Outputs>>> => {
      const file = join(directory, 'outputs.json')
      if (adapt) {
        await cdk('synth', '--quiet')
        adapt(assembly)
        app.splice(0, app.length, '--app', assembly)
      }
      process.once('exit', atExit)
      await cdk('deploy', '--all', '--require-approval', 'never', '--outputs-file', file, '--concurrency', '2')
      return known(JSON.parse(readFileSync(file, 'utf8')))
    },
    destroy: async (): Promise<void> => {
      await cdk(...destruction)
      forget()
    },
    /** For stacks that end with the emulator they are on. */
    forget,
  }
}

/** An emulator that does not know a resource says that it made it, and that its name is `unknown`. */
export const known = (stacks: Readonly<Record<string, Outputs>>): Readonly<Record<string, Outputs>> => {
  const unknown = Object.entries(stacks).flatMap(([stack, outputs]) =>
    Object.entries(outputs)
      .filter(([, value]) => value === '' || /\bunknown\b/.test(value))
      .map(([name, value]) => `${stack}.${name} is "${value}"`),
  )
  if (unknown.length > 0) throw new Error(`The deployment has outputs that name nothing: ${unknown.join(', ')}.`)
  return stacks
}

const optionsWith = (env: NodeJS.ProcessEnv, cwd: string) => ({
  cwd,
  // The Node of the tests first: it is the one that runs the app.
  env: { ...process.env, ...env, CI: 'true', PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` },
})

const run = (args: readonly string[], options: ReturnType<typeof optionsWith>): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(CDK, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    const said: string[] = []
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => said.push(text))
    child.once('error', reject)
    child.once('close', code =>
      code === 0 ? resolve() : reject(new Error(`cdk ${args[0]} ended with exit code ${code}:\n${said.join('')}`)),
    )
  })
