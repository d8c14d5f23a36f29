import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { relaunch } from './lib/launch/launch.js'

// `npm test` has picked its Node already; this is for `npx vitest`, typed by hand.
await relaunch()

// The tests start hundreds of processes: what one of them has compiled, the others load.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

interface Options {
  readonly timeout?: number
  readonly globalSetup?: string
  /** @default true */
  readonly isolate?: boolean
  /** @default 0 */
  readonly retry?: number
  /** Projects of a higher one wait for those of a lower. @default 0 */
  readonly groupOrder?: number
}

const project = (name: string, options: Options = {}) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout: options.timeout ?? 10_000,
    hookTimeout: 60_000,
    isolate: options.isolate ?? true,
    retry: options.retry ?? 0,
    sequence: { groupOrder: options.groupOrder ?? 0 },
    ...(options.globalSetup && { globalSetup: options.globalSetup }),
  },
})

/** They start processes and engines on a machine that may be busy: one failure can be the machine, two are a fault. */
const PROCESSES = { retry: 1 }

export default defineConfig({
  test: {
    // By default there is one fewer; much of the time is waiting for processes, leases and queues.
    maxWorkers: availableParallelism(),
    projects: [
      project('architecture', { timeout: 60_000 }),
      project('unit', { isolate: false, timeout: 30_000 }),
      project('vectors', { isolate: false }),
      project('captured', { isolate: false, timeout: 60_000 }),
      project('conformance', { timeout: 30_000 }),
      project('flow', { ...PROCESSES, timeout: 60_000 }),
      project('cli', { ...PROCESSES, timeout: 60_000 }),
      project('crash', { ...PROCESSES, timeout: 60_000 }),
      project('kill', { timeout: 600_000 }),
      // Takes every core by itself.
      project('simulation', { timeout: 600_000, groupOrder: 1 }),
      project('fuzz', { timeout: 300_000 }),
      project('load', { timeout: 300_000 }),
      project('browser', { ...PROCESSES, timeout: 60_000 }),
      // The validator of CloudFormation templates takes seconds to start: once for all files.
      project('infra', { timeout: 120_000, isolate: false }),
      project('pack', { ...PROCESSES, timeout: 240_000 }),
      // `npm run test:upgrade` alone: it deploys two versions on an emulator.
      ...(process.env.UPGRADE_FROM === undefined ? [] : [project('upgrade', { timeout: 600_000 })]),
      project('integration', { ...PROCESSES, timeout: 600_000, globalSetup: 'test/integration/setup.ts' }),
    ],
  },
})
