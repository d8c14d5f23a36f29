import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** What runs against each mutant: everything that needs no engine, no process and no second of waiting. */
export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: [
      'test/unit/providers/!(providers-page).test.ts',
      'test/unit/consume/**/*.test.ts',
      'test/vectors/**/*.test.ts',
      'test/flow/{batch,consume,contract,hand-over,receive,recover}.test.ts',
    ],
    testTimeout: 120_000,
  },
})
