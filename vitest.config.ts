import { defineConfig } from 'vitest/config'

const project = (name: string, options: { timeout?: number; globalSetup?: string } = {}) => ({
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout: options.timeout ?? 10_000,
    hookTimeout: 60_000,
    ...(options.globalSetup && { globalSetup: options.globalSetup }),
  },
})

export default defineConfig({
  test: {
    projects: [
      project('architecture'),
      project('unit'),
      project('vectors'),
      project('conformance', { timeout: 30_000 }),
      project('flow', { timeout: 60_000 }),
      project('cli', { timeout: 60_000 }),
      project('crash', { timeout: 60_000 }),
      project('kill', { timeout: 600_000 }),
      project('simulation', { timeout: 600_000 }),
      project('fuzz', { timeout: 300_000 }),
      project('load', { timeout: 300_000 }),
      project('browser', { timeout: 60_000 }),
      project('infra', { timeout: 120_000 }),
      project('pack', { timeout: 240_000 }),
      project('integration', { timeout: 600_000, globalSetup: 'test/integration/setup.ts' }),
    ],
  },
})
