import { handedOverOf } from '../../functions/adapters/handed-over-bodies.ts'
import { isOver } from '../../functions/contract/status.ts'
import { BODY_RETENTION_DAYS, bodyPrefix } from '../../functions/contract/tables.ts'
import type { Fingerprint } from '../../functions/domain/brands.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { MemoryAws } from '../../lib/memory-aws/memory-aws.ts'
import type { Check } from './check-times.ts'
import { NAMES } from './watch-writes.ts'

/** What erasing takes away, or writes. All else of a record is its identity, and stays. */
const TAKEN: ReadonlySet<string> = new Set(['lastError', 'ignoredBecause', 'fence', 'erasedAt'])

/** What an erasure promises of a record, from the mark on. */
export class Erasures {
  /** The bodies that there were when an event was marked: they have to go. Until its record is forgotten. */
  readonly marked = new Map<Fingerprint, ReadonlySet<string>>()
  /** Of which somebody was told that they are erased; in a calm, nobody is late who could bring something back. */
  readonly told = new Map<Fingerprint, 'amid trouble' | 'in a calm'>()
  /** Where nobody erases, nobody looks. */
  bodiesOf: (owner: Fingerprint) => ReadonlySet<string> = () => new Set()
  readonly #check: Check

  constructor(check: Check) {
    this.#check = check
  }

  /** Its event may come anew. */
  forget(fingerprint: Fingerprint): void {
    this.marked.delete(fingerprint)
    this.told.delete(fingerprint)
  }

  wrote(before: EventRecord | undefined, after: EventRecord, name: string): void {
    if (name === 'erase') this.#erased(before, after)
    // A copy of an event that was forgotten, and came again, is of its new life.
    else if (before?.erasedAt !== undefined && before.firstSeenAt === after.firstSeenAt)
      this.#check('S19 what was erased stays as it is', false, () => `${name} of ${after.eventId}`)
  }

  #erased(before: EventRecord | undefined, after: EventRecord): void {
    const { fingerprint, eventId, lastError, ignoredBecause, erasedAt } = after
    this.#check(
      'S19 only what is over is erased, and once',
      before !== undefined && isOver(before.status) && before.erasedAt === undefined,
      () => `${eventId} was ${before?.status}`,
    )
    this.#check(
      'S19 what was erased keeps its identity and loses its errors',
      identityOf(before) === identityOf(after) &&
        lastError === null &&
        ignoredBecause === null &&
        erasedAt !== undefined,
      () => `${identityOf(before)} became ${identityOf(after)}`,
    )
    this.marked.set(fingerprint, this.bodiesOf(fingerprint))
  }
}

const identityOf = (record: EventRecord | undefined): string =>
  JSON.stringify(Object.entries(record ?? {}).filter(([name]) => !TAKEN.has(name)))

/** The names of all the bodies of an event that hold something, wherever they are. */
export const bodiesIn = ({ items, objects }: Pick<MemoryAws, 'items' | 'objects'>, owner: Fingerprint) => {
  const { bodiesTable, bodiesBucket } = NAMES
  const small = items(bodiesTable).filter(({ fingerprint, bytes }) => fingerprint === owner && bytes !== undefined)
  const prefixes = [handedOverOf(owner), ...BODY_RETENTION_DAYS.map(days => `${bodyPrefix(days)}${owner}/`)]
  const large = prefixes
    .flatMap(prefix => objects.list(bodiesBucket, prefix))
    .flatMap(({ key, size }) => (size > 1 ? key : []))
  return new Set([...small.map(({ sha256 }) => String(sha256)), ...large])
}
