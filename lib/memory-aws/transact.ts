import type { Cancellation, Item, Transacted, Transaction } from '../../functions/adapters/wire/dynamo-calls.ts'
import { copyOut } from './attribute-value.ts'
import { canonical } from './canonical.ts'
import { fault, invalid } from './fault.ts'
import { itemBytes } from './item-size.ts'
import { type AnyWrite, type PreparedWrite, prepareWrite, type WriteKind } from './prepare-write.ts'
import type { Stateful } from './synchronous.ts'
import type { Table } from './table.ts'

const MOST_WRITES = 100
const MAX_TRANSACTION_BYTES = 4 * 1024 * 1024
const TOKEN_LIFE_MS = 10 * 60_000

/** What a token was used for, and when. */
interface Used {
  readonly writes: string
  readonly at: number
}

export interface Transactions extends Stateful {
  run(transaction: Transaction): Transacted
}

/** All or none; a token that was used for the same writes changes nothing. */
export const transactions = (tableOf: (name: unknown) => Table, now: () => number): Transactions => {
  let tokens = new Map<string, Used>()

  const forget = (): void => {
    for (const [token, { at }] of tokens) {
      // In the order of their use: the first that lives is followed by others that do.
      if (now() - at < TOKEN_LIFE_MS) return
      tokens.delete(token)
    }
  }

  return {
    run({ ClientRequestToken: token, TransactItems }) {
      checkForm(token, TransactItems.length)
      const checked = TransactItems.map(each => prepareAny(tableOf, each))
      forget()
      const writes = canonical(TransactItems)
      const used = tokens.get(token)
      if (used && used.writes !== writes) throw MISMATCH()
      if (used) return { kind: 'written' }
      const answer = carryOut(checked.map(prepare => orInvalid(prepare)))
      if (answer.kind === 'written') tokens.set(token, { writes, at: now() })
      return answer
    },
    snapshot: () => new Map(tokens),
    restore(snapshot) {
      tokens = new Map(snapshot as typeof tokens)
    },
    stateText() {
      forget()
      return canonical(tokens)
    },
  }
}

const MISMATCH = (): Error =>
  fault('IdempotentParameterMismatchException', 'The token was used before, for another set of writes')

const checkForm = (token: string, writes: number): void => {
  if (token.length < 1 || token.length > 36) throw invalid('The ClientRequestToken has 1 to 36 characters')
  if (writes < 1 || writes > MOST_WRITES) throw invalid(`A transaction has 1 to ${MOST_WRITES} writes`)
}

const prepareAny = (tableOf: (name: unknown) => Table, write: Transaction['TransactItems'][number]) => {
  const [first, ...others] = Object.entries(write).filter(([, input]) => input !== undefined)
  if (!first || others.length > 0) throw invalid('TransactItems can only contain one of Check, Put, Update or Delete')
  const [kind, input] = first
  return prepareWrite(kind as WriteKind, tableOf(input.TableName), input as AnyWrite)
}

type Attempt = PreparedWrite | Cancellation

/** What an item or a key does not allow is the write's own fault: it cancels the transaction with a reason of its own. */
const orInvalid = <Value>(attempt: () => Value): Value | Cancellation => {
  try {
    return attempt()
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ValidationException')) throw error
    return { code: 'ValidationError', item: undefined }
  }
}

const checkDistinct = (attempts: readonly Attempt[]): void => {
  const keys = attempts.flatMap(attempt => ('key' in attempt ? [`${attempt.table.name} ${attempt.key}`] : []))
  if (new Set(keys).size < keys.length) {
    throw invalid('Transaction request cannot include multiple operations on one item')
  }
}

const carryOut = (attempts: readonly Attempt[]): Transacted => {
  checkDistinct(attempts)
  const outcomes = attempts.map(attempt => ('key' in attempt ? orInvalid(() => tryOut(attempt)) : attempt))
  const reasons = outcomes.map(outcome => ('write' in outcome ? NO_REASON : outcome))
  const codes = reasons.map(({ code }) => code)
  if (codes.some(code => code !== 'None')) return { kind: 'cancelled', reasons, error: CANCELLED(codes) }
  const writes = outcomes.filter(outcome => 'write' in outcome)
  checkBytes(writes)
  for (const { write, before, after } of writes) if (after !== before) write.table.set(write.key, after)
  return { kind: 'written' }
}

interface Ready {
  readonly write: PreparedWrite
  readonly before: Item | undefined
  readonly after: Item | undefined
}

const NO_REASON: Cancellation = { code: 'None', item: undefined }

const CANCELLED = (codes: readonly string[]): Error =>
  fault(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(', ')}]`,
  )

const tryOut = (write: PreparedWrite): Ready | Cancellation => {
  const before = write.table.get(write.key)
  if (write.allows(before)) return { write, before, after: write.after(before) }
  return { code: 'ConditionalCheckFailed', item: write.tells && before ? copyOut(before) : undefined }
}

const checkBytes = (writes: readonly Ready[]): void => {
  const bytes = writes.reduce((sum, { after }) => sum + (after ? itemBytes(after) : 0), 0)
  if (bytes > MAX_TRANSACTION_BYTES) throw invalid('The items of a transaction may have 4 MB together')
}
