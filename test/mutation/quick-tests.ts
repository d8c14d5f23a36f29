/** What runs against each mutant: everything quick that needs no engine, no process and no hooks. */
export const QUICK_TESTS = [
  'test/unit/{accept,consume,domain,receive}/**/*.test.ts',
  'test/unit/providers/*.test.ts',
  'test/unit/operator/{replay,kept-deliveries}.test.ts',
  'test/unit/idempotency-key.test.ts',
  'test/vectors/*.test.ts',
  'test/flow/{batch,consume,contract,hand-over,idempotent,publish,receive,recover,rehearse}.test.ts',
]

/** Thousands of cases each, which find little that the vectors do not and cost more than all the others. */
export const SLOW_TESTS = ['test/unit/providers/{providers-page,every-provider,bypass}.test.ts']
