import { join } from 'node:path'
import { build } from 'esbuild'
import { CLOCK_BANNER } from './clock.ts'

const ROOT = join(import.meta.dirname, '../..')

const ENTRIES = {
  receive: 'functions/receive/handler.ts',
  worker: 'test/kill/worker.ts',
  recover: 'functions/recover/handler.ts',
  bury: 'functions/bury/handler.ts',
} as const

export type FunctionName = keyof typeof ENTRIES

export const FUNCTIONS = Object.keys(ENTRIES) as FunctionName[]

export const bundleOf = (dir: string, name: FunctionName): string => join(dir, `${name}.cjs`)

/** The handlers as they are deployed, each in one file with a runtime around it. */
export const bundle = async (dir: string): Promise<void> => {
  await Promise.all(
    FUNCTIONS.map(name =>
      build({
        stdin: {
          contents: `import { handler } from './${ENTRIES[name]}'\nimport { serve } from './test/kill/runtime.ts'\nvoid serve(handler)`,
          resolveDir: ROOT,
        },
        outfile: bundleOf(dir, name),
        bundle: true,
        platform: 'node',
        format: 'cjs',
        target: 'node24',
        minify: true,
        mainFields: ['module', 'main'],
        alias: { '#sources': join(ROOT, 'test/kill/sources.ts') },
        banner: { js: CLOCK_BANNER },
        logLevel: 'error',
      }),
    ),
  )
}
