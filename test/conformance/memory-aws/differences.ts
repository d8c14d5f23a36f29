import type { ProgramKind } from '../../../lib/connect/instance.ts'
import type { Answer } from './carry-out.ts'
import type { Operation } from './random-operations.ts'

/** An engine that does not do what AWS documents. The memory AWS does; the test asserts that each of these is still met. */
export interface Difference {
  readonly engine: ProgramKind
  readonly what: string
  readonly isIt: (operation: Operation, memory: Answer, engine: Answer) => boolean
}

const isInvalid = ({ answer }: Answer): boolean => (answer as { error?: string }).error === 'ValidationException'

const isCancelledAsInvalid = ({ answer }: Answer): boolean =>
  ((answer as { reasons?: readonly { code: string }[] }).reasons ?? []).some(({ code }) => code === 'ValidationError')

const isCancelled = ({ answer }: Answer): boolean => (answer as { kind?: string }).kind === 'cancelled'

const isTransaction = ({ call }: Operation): boolean => call === 'transactWriteItems'

export const DIFFERENCES: readonly Difference[] = [
  {
    engine: 'dynamodb-local',
    what: 'throws an update that does not fit its item, where AWS cancels the transaction with the reason ValidationError',
    isIt: (operation, memory, engine) => isTransaction(operation) && isCancelledAsInvalid(memory) && isInvalid(engine),
  },
  {
    engine: 'dynamodb-local',
    what: 'says that two writes of a transaction are to one item only after their conditions have held',
    isIt: (operation, memory, engine) =>
      isTransaction(operation) && memory.why.includes('multiple operations on one item') && !isInvalid(engine),
  },
  {
    engine: 'dynoxide',
    what: 'does not check the whole form of an expression, nor the types of its values, before it reads the item',
    isIt: (_operation, memory, engine) => isInvalid(memory) && CHECKED_FIRST.test(memory.why) && !isInvalid(engine),
  },
  {
    engine: 'dynoxide',
    what: 'removes and deletes at a path whose parent is absent, which AWS refuses as an invalid document path',
    isIt: (_operation, memory, engine) =>
      (isInvalid(memory) && memory.why.includes('document path') && !isInvalid(engine)) ||
      (isCancelledAsInvalid(memory) && !isInvalid(engine)),
  },
  {
    engine: 'dynoxide',
    what: 'throws an index key that is empty or of another type, where AWS cancels the transaction with the reason ValidationError',
    isIt: (operation, memory, engine) => isTransaction(operation) && isCancelledAsInvalid(memory) && isInvalid(engine),
  },
  {
    engine: 'dynoxide',
    what: 'cancels a transaction whose writes are malformed, where AWS throws ValidationException',
    isIt: (operation, memory, engine) => isTransaction(operation) && isInvalid(memory) && isCancelled(engine),
  },
  {
    engine: 'dynoxide',
    what: 'looks at the token of a transaction before it looks at its expressions',
    isIt: (_operation, memory, engine) =>
      isInvalid(memory) && (engine.answer as { error?: string }).error === 'IdempotentParameterMismatchException',
  },
  {
    engine: 'dynoxide',
    what: 'names the item itself as the start of the next page of a partition that is one item',
    isIt: ({ call, input }, _memory, { answer }) =>
      call === 'query' && input.IndexName === undefined && (answer as { pages: number[] }).pages.length > 1,
  },
]

const CHECKED_FIRST =
  /Incorrect operand type|BETWEEN operator|distinct from the remaining|attribute type name|redundant|can only be used once|conflict with each other|unused in|is not defined|Type mismatch for key/

/** Words of AWS's list that an engine lets stand in an expression. */
export const UNKNOWN_WORDS: Readonly<Record<ProgramKind, readonly string[]>> = {
  dynoxide: [],
  'dynamodb-local': ['convert', 'size'],
}
