import type { BatchSent, EntryFailure } from './queue-calls.ts'

/** What SQS answers to a batch: each entry by its place. */
export interface BatchReceipt {
  readonly Successful?: readonly { readonly Id?: string | undefined }[] | undefined
  readonly Failed?: readonly BatchFailure[] | undefined
}

interface BatchFailure {
  readonly Id?: string | undefined
  readonly Code?: string | undefined
  readonly Message?: string | undefined
  readonly SenderFault?: boolean | undefined
}

/** An entry is sent only if SQS says so: of one that it does not mention nobody knows. */
export const readBatch = (
  entries: number,
  { Successful = [], Failed = [] }: BatchReceipt,
  attempts: number | undefined,
): BatchSent => {
  const sent = new Set(Successful.map(({ Id }) => Id))
  const failures = new Map(Failed.map(failure => [failure.Id, failure]))
  const failed = new Map<number, EntryFailure>()
  for (let index = 0; index < entries; index++) {
    const failure = failures.get(String(index))
    if (failure) failed.set(index, toFailure(failure, attempts))
    else if (!sent.has(String(index))) failed.set(index, NOT_MENTIONED)
  }
  return { kind: 'sent', failed }
}

const toFailure = (
  { Code, Message = '', SenderFault = false }: BatchFailure,
  attempts: number | undefined,
): EntryFailure => ({ cause: `${Code}: ${Message}`, certain: SenderFault && attempts === 1 })

const NOT_MENTIONED: EntryFailure = { cause: 'the queue said nothing of this message', certain: false }
