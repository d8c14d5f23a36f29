import { join } from 'node:path'
import { build } from 'esbuild'
import { bundleSettings, ROOT } from '../../lib/constructs/bundle-settings.ts'
import { CLOCK_BANNER } from './clock.ts'

const ENTRIES = {
  receive: 'functions/receive/handler.ts',
  worker: 'test/kill/worker.ts',
  recover: 'functions/recover/handler.ts',
  bury: 'functions/bury/handler.ts',
} as const

export type FunctionName = keyof typeof ENTRIES

export const FUNCTIONS = Object.keys(ENTRIES) as FunctionName[]

export const bundleOf = (dir: string, name: FunctionName): string => join(dir, `${name}.mjs`)

/** The handlers as they are deployed, each in one file with a runtime around it. */
export const bundle = async (dir: string): Promise<void> => {
  const { banner, ...settings } = bundleSettings({ '#sources': 'test/kill/sources.ts' }, true)
  await Promise.all(
    FUNCTIONS.map(name =>
      build({
        ...settings,
        stdin: {
          contents: `import { handler } from './${ENTRIES[name]}'\nimport { serve } from './test/kill/runtime.ts'\nvoid serve(handler)`,
          resolveDir: ROOT,
        },
        outfile: bundleOf(dir, name),
        bundle: true,
        platform: 'node',
        target: 'node24',
        banner: { js: `${CLOCK_BANNER}${banner?.js ?? ''}` },
        logLevel: 'error',
      }),
    ),
  )
}
