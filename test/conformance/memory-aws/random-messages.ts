import fc from 'fast-check'

/** A call of a queue, as data. Messages are known by their bodies, which are all different: ids and receipts are the engine's. */
export type QueueOperation =
  | { readonly kind: 'send'; readonly messages: readonly Draft[] }
  | { readonly kind: 'receive'; readonly from: 'queue' | 'deadLetters' }
  | { readonly kind: 'delete' | 'hide' | 'show'; readonly which: number; readonly stale: boolean }
  | { readonly kind: 'state' }

export interface Draft {
  readonly text: string
  readonly group: string | undefined
  readonly deduplication: number | undefined
  readonly attributes: Readonly<Record<string, string>>
}

const draft: fc.Arbitrary<Draft> = fc.record({
  text: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('', 'text', 'é', '漢') },
    fc.constantFrom('\u0000', '\ufffe'),
  ),
  group: fc.constantFrom('one', 'two'),
  deduplication: fc.oneof({ weight: 4, arbitrary: fc.nat(1_000_000) }, fc.constantFrom(1, 2, undefined)),
  attributes: fc.constantFrom<Record<string, string>[]>({}, { source: 'stripe' }, { source: 'é', more: 'x' }),
})

const one = fc.record({
  kind: fc.constantFrom<('delete' | 'hide' | 'show')[]>('delete', 'hide', 'show', 'show'),
  which: fc.nat(20),
  stale: fc.boolean(),
})

export const anyQueueOperations: fc.Arbitrary<QueueOperation[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: draft.map(message => ({ kind: 'send', messages: [message] }) as const) },
    fc
      .array(
        draft.filter(({ text }) => text !== ''),
        { minLength: 2, maxLength: 3 },
      )
      .map(messages => ({ kind: 'send', messages }) as const),
    {
      weight: 5,
      arbitrary: fc
        .constantFrom<('queue' | 'deadLetters')[]>('queue', 'queue', 'queue', 'deadLetters')
        .map(from => ({ kind: 'receive', from }) as const),
    },
    { weight: 7, arbitrary: one },
    fc.constant({ kind: 'state' } as const),
  ),
  { minLength: 8, maxLength: 16, size: 'max' },
)
