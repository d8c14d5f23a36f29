/** Code that is changed, and what runs against each change: everything quick that reaches it and needs no engine and no process. */
export interface Part {
  readonly mutate: readonly string[]
  readonly except?: readonly string[]
  readonly tests: readonly string[]
  readonly slow?: readonly string[]
  /** What a suite prepares costs little: it is made for each test, by the code that is changed. */
  readonly opensAnew?: true
}

export type PartName = 'core' | 'client' | 'stores'

export const PARTS: Readonly<Record<PartName, Part>> = {
  core: {
    mutate: [
      'functions/{domain,receive,consume}/*.ts',
      'functions/providers/{check-*,coded/twilio,match-signature,read-signatures,decode-signature,select,selector,locate,render-content,parse-template,read-body,read-form,slice-items,signed-url,choose-variant,read-key,verdict}.ts',
    ],
    except: ['functions/*/{handler,aws-world}.ts'],
    tests: [
      'test/unit/{accept,consume,domain,receive}/**/*.test.ts',
      'test/unit/providers/*.test.ts',
      'test/unit/operator/{replay,kept-deliveries}.test.ts',
      'test/unit/idempotency-key.test.ts',
      'test/vectors/*.test.ts',
      'test/flow/{batch,changed-bodies,consume,contract,copies,edges,forged-messages,hand-over,idempotent,later-messages,publish,receive,recover,rehearse}.test.ts',
    ],
    // Thousands of cases each, which find little that the vectors do not and cost more than all the others.
    slow: ['test/unit/providers/{providers-page,every-provider,bypass}.test.ts'],
  },
  client: {
    mutate: ['functions/adapters/lean/*.ts'],
    tests: ['test/unit/{lean,clients}/*.test.ts'],
  },
  stores: {
    mutate: [
      'functions/adapters/{dynamodb-*,event-items,expressions,index-page,moved,newest-of-day,erasures,handed-over-bodies}.ts',
      'functions/adapters/{s3-and-dynamodb-bodies,secrets-manager-*,sqs-*,destination-queues}.ts',
    ],
    tests: [
      'test/unit/adapters/{dynamodb-*,expressions,s3-*,secrets-*,sqs-*,stores-*}.test.ts',
      'test/conformance/memory-stores.test.ts',
      'test/flow/{changed-bodies,copies,edges,hand-over,recover,removed-destinations}.test.ts',
      'test/unit/operator/{kept-deliveries,replay}.test.ts',
    ],
    opensAnew: true,
  },
}

/** The part that a file or a glob belongs to. */
export const partOf = (mutate: string): PartName => {
  if (mutate.startsWith('functions/adapters/lean/')) return 'client'
  return mutate.startsWith('functions/adapters/') ? 'stores' : 'core'
}

/** How the runner, which stryker starts in a process of its own, hears of its part. */
export const PART_VARIABLE = 'HOOKLATCH_MUTATED_PART'
