import type { QueueMessage } from '../../functions/adapters/wire/queue-calls.ts'
import type { Message } from '../../functions/contract/message.ts'
import type { Fingerprint } from '../../functions/domain/brands.ts'
import { hasCopies } from '../../functions/domain/copies.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { Check } from './check-times.ts'
import type { Process } from './faults.ts'
import { type RouteName, SEVERAL_URL, urlOf } from './sim-destinations.ts'
import { NAMES } from './watch-writes.ts'

/** The writes that say where an event goes. */
const ROUTING: ReadonlySet<string> = new Set(['claim', 'claimIgnored', 'reopen', 'replay'])

/** What says where a message goes. */
type Sending = Pick<QueueMessage, 'QueueUrl' | 'MessageGroupId'>

/** Where events go, and the copies of those that go to several places. */
export class Copies {
  /** Where each event wants to go, by its source and id. */
  readonly routes = new Map<string, RouteName>()
  /** Claimed as what no route wants. */
  readonly unwanted = new Set<string>()
  /** Of every copy: its event. */
  readonly #events = new Map<string, Fingerprint>()
  /** Of each source and key of its order: the group on the queue. */
  readonly #groups = new Map<string, string>()
  /** How often each copy was made by one generation of one life of its event. */
  readonly #made = new Map<string, number>()
  readonly #check: Check
  readonly #count: (what: 'copies' | 'ignored') => void

  constructor(check: Check, count: (what: 'copies' | 'ignored') => void) {
    this.#check = check
    this.#count = count
  }

  /** Whose body and whose payload it has. */
  eventOf(id: string): string {
    return this.#events.get(id) ?? id
  }

  wrote(before: EventRecord | undefined, after: EventRecord, name: string, process: Process): void {
    if (after.copyOf === null) this.#checkRoute(before, after, name, process)
    else this.#checkCopy(before, after, name)
  }

  #checkRoute(before: EventRecord | undefined, after: EventRecord, name: string, { leads }: Process): void {
    const { source, eventId, fingerprint, to } = after
    const said = (): string => `${name}: ${eventId} to ${to.join(' and ') || 'nobody'}`
    if (!ROUTING.has(name)) {
      this.#check('S15 where an event goes stays within a generation', !before || before.to.join() === to.join(), said)
      return
    }
    if (!before || name !== 'claim') this.unwanted[to.length === 0 ? 'add' : 'delete'](fingerprint)
    if (name === 'claimIgnored' && !before) this.#count('ignored')
    const route = this.routes.get(`${source} ${eventId}`)
    const led = route && leads ? leads[route] : ['worker']
    this.#check('S15 an event goes where the routes of the day lead', led.join() === to.join(), said)
  }

  #checkCopy(before: EventRecord | undefined, after: EventRecord, name: string): void {
    const { fingerprint, copyOf, firstSeenAt, madeBy } = after
    this.#events.set(fingerprint, copyOf as Fingerprint)
    const isRepeat = before?.fence === after.fence
    if ((name !== 'claim' && name !== 'beginAnew') || isRepeat) return
    this.#count('copies')
    const making = `${fingerprint}/${firstSeenAt}/${madeBy}`
    const times = (this.#made.get(making) ?? 0) + 1
    this.#made.set(making, times)
    this.#check(
      'S16 a generation of an event makes one copy for each destination',
      times === 1,
      () => `${name}: the copy for ${after.to} was made ${times} times`,
    )
  }

  #checkGroup(key: string, group: string): void {
    const known = this.#groups.get(key) ?? group
    this.#groups.set(key, known)
    this.#check('S12 what its source orders goes to a group', known === group, () => `${key} is in two groups`)
  }

  /** What is forgotten may be made again. */
  forget({ fingerprint }: EventRecord): void {
    for (const making of this.#made.keys()) if (making.startsWith(fingerprint)) this.#made.delete(making)
  }

  /** A message is on its way to a queue. */
  sending(
    { QueueUrl: url, MessageGroupId: group }: Sending,
    message: Message,
    record: EventRecord | undefined,
    { sources }: Process,
  ): void {
    const { eventId, generation, ordering, source, copyOf } = message
    const isOrdered = copyOf === undefined && Boolean(sources?.get(source)?.ordering)
    this.#check('S12 what its source orders goes to a group', isOrdered === (ordering !== null), () => eventId)
    if (ordering) this.#checkGroup(`${source} ${ordering.key}`, String(group))
    if (!record || record.generation !== generation) return
    const { to } = record
    this.#check('S15 what no route wants is never sent', to.length > 0, () => eventId)
    const own = ordering ? NAMES.orderedQueueUrl : urlOf(String(to[0]))
    const expected = hasCopies(record) ? SEVERAL_URL : own
    this.#check('S15 a message goes to the queue of its destination', url === expected, () => `${eventId} to ${url}`)
  }
}
