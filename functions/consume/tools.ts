import { createHash } from 'node:crypto'
import type { Message } from '../contract/message.ts'
import { seconds } from '../domain/brands.ts'
import type { EventRecord } from '../domain/record.ts'
import type { Version } from '../domain/version.ts'
import { type CommitAnswer, type Mark, MOST_WRITES, type Write } from '../domain/work.ts'
import type { Consuming } from '../domain/world.ts'

/** Besides the event, what a handler is given. */
export interface Tools {
  /** The handler's DynamoDB writes and `done` in one transaction: the effect happens once, or not at all. */
  commit(writes: readonly Write[]): Promise<CommitResult>
  /** Refuses a version older than one already seen for the key, so events out of order converge. At most 128 characters. */
  readonly newest: Newest
  /** Aborted a second before the function runs out of time. */
  readonly signal: AbortSignal
}

export type CommitResult = CommitAnswer | { readonly kind: 'too-many'; readonly limit: number }

export interface Newest {
  (key: string, version: Version): Promise<'newest' | 'stale'>
  /** The same as a write for `commit`, which is then `refused` when the version is stale. */
  write(key: string, version: Version): Write
}

export interface WatchedTools extends Tools {
  /** What the handler's last commit came to, or the one that was written; `undefined` when it made none. */
  committed(): CommitResult | undefined
  /** When every commit that the handler began has its answer, awaited by the handler or not. */
  settled(): Promise<void>
}

export const toolsFor = (
  world: Consuming,
  message: Message,
  record: EventRecord,
  signal: AbortSignal,
): WatchedTools => {
  let last: CommitResult | undefined
  let token = record.fence
  const begun: Promise<unknown>[] = []

  /** Of several, the one that was written says what became of the event. */
  const remembered = (answer: CommitResult): CommitResult => {
    if (last?.kind !== 'committed') last = answer
    return answer
  }

  // Each destination has seen its own versions.
  const mark = (key: string, version: Version): Mark => ({
    key: createHash('sha256')
      .update(JSON.stringify([message.source, key, ...(message.to ?? [])]))
      .digest('hex'),
    version,
    by: message.id,
    expiresAt: seconds(message.expiresAt),
  })

  const newest = async (key: string, version: Version): Promise<'newest' | 'stale'> => {
    const answer = await world.work.advance(mark(key, version), world.now())
    if (answer.kind === 'unavailable') throw new Error(`the newest version could not be noted: ${answer.cause}`)
    return answer.kind
  }

  return {
    signal,
    newest: Object.assign(newest, {
      write: (key: string, version: Version) => world.work.advanceWrite(mark(key, version), world.now()),
    }),
    commit: async writes => {
      if (writes.length > MOST_WRITES) return remembered({ kind: 'too-many', limit: MOST_WRITES })
      if (last?.kind === 'committed') return { kind: 'over', status: 'done' }
      // A token names one set of writes for ten minutes; the handler may commit others after a refusal.
      const mine = token
      token = world.newFence()
      const committing = world.work.commit(record, writes, mine, world.now())
      begun.push(committing)
      return remembered(await committing)
    },
    committed: () => last,
    settled: async () => void (await Promise.allSettled(begun)),
  }
}
