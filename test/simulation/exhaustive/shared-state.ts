import { memoryBodies } from '../../../functions/adapters/memory-bodies.ts'
import { memoryEvents } from '../../../functions/adapters/memory-events.ts'
import { memoryRecovery } from '../../../functions/adapters/memory-recovery.ts'
import { memoryWork } from '../../../functions/adapters/memory-work.ts'
import type { Message } from '../../../functions/contract/message.ts'
import { listingPosition } from '../../../functions/contract/tables.ts'
import { type Fingerprint, millis } from '../../../functions/domain/brands.ts'
import { messageText } from '../../../functions/domain/message.ts'
import type { BodyStore, KeptBody } from '../../../functions/domain/ports.ts'
import type { EventRecord } from '../../../functions/domain/record.ts'
import type { PassName } from '../../../functions/domain/recovery.ts'
import { NOON } from '../../support/events.ts'
import type { Process } from '../faults.ts'
import { Ledger } from '../ledger.ts'
import { type Call, madeBy } from './local.ts'
import { BODY, EVENT_ID, type Taken } from './programs.ts'

/** Everything that processes share, as a value: the stores, the queue, and what the invariants remember. */
export interface Shared {
  readonly records: readonly EventRecord[]
  readonly kept: readonly { readonly body: KeptBody; readonly expiresAt: number }[]
  readonly cursors: readonly (readonly [PassName, string])[]
  readonly queue: readonly Taken[]
  /** How often each call has put a message on the queue: what messages are numbered by. */
  readonly sends: readonly (readonly [string, number])[]
  readonly forwarded: readonly string[]
  readonly commits: readonly (readonly [string, number])[]
  readonly effects: readonly (readonly [string, number])[]
  readonly owners: readonly string[]
  readonly senders: readonly string[]
}

/** The later passes of recovery ran a moment ago: in the search, only the first has something to do. */
export const EMPTY: Shared = {
  records: [],
  kept: [],
  cursors: [
    ['late', listingPosition(NOON, '')],
    ['lost', listingPosition(NOON, '')],
  ],
  queue: [],
  sends: [],
  forwarded: [],
  commits: [],
  effects: [],
  owners: [],
  senders: [],
}

export interface Applied {
  readonly shared: Shared
  readonly value: unknown
  readonly violations: readonly string[]
  readonly checks: number
}

/** Writes by an owner: their first argument is what they own. */
const FENCED: ReadonlySet<string> = new Set(['settle', 'release', 'finish', 'report', 'commit'])

/** Carries a call out on a state, and returns the state after it. The state before stays as it was. */
export const applyCall = async (before: Shared, call: Call, now: number, handling: boolean): Promise<Applied> => {
  const ledger = ledgerOf(before, now)
  const process = processOf(call.by, handling)
  const stores = storesOf(before, ledger, process)
  const fence = FENCED.has(call.name) ? (call.parameters[0] as EventRecord).fence : undefined
  ledger.writing = { process, name: call.name, fence }
  const value = await stores.carryOut(call)
  const shared = { ...stores.after(), ...remembered(ledger) }
  return {
    shared,
    value,
    violations: ledger.violations,
    checks: ledger.checks,
  }
}

export const ledgerOf = (shared: Shared, now: number): Ledger => {
  const ledger = new Ledger({ now: millis(now) }, false)
  for (const key of shared.forwarded) ledger.forwarded.add(key)
  for (const [key, count] of shared.commits) ledger.commits.set(key, count)
  for (const [key, count] of shared.effects) ledger.effects.set(key, count)
  for (const owner of shared.owners) ledger.owners.add(owner)
  for (const sender of shared.senders) ledger.senders.add(sender)
  ledger.bodies.set(EVENT_ID, BODY)
  return ledger
}

const remembered = (ledger: Ledger) => ({
  forwarded: [...ledger.forwarded].sort(),
  commits: [...ledger.commits].sort(),
  effects: [...ledger.effects].sort(),
  owners: [...ledger.owners].sort(),
  senders: [...ledger.senders].sort(),
})

export const processOf = (name: string, handling: boolean): Process => ({
  name,
  skew: 0,
  alive: true,
  handling,
  fences: { has: (fence: string) => madeBy(name, fence) } as unknown as Set<string>,
})

const storesOf = (before: Shared, ledger: Ledger, process: Process) => {
  const records = new Map(before.records.map(record => [record.fingerprint, record]))
  const set = records.set.bind(records)
  records.set = (fingerprint: Fingerprint, after: EventRecord) => {
    ledger.wrote(records.get(fingerprint), after)
    return set(fingerprint, after)
  }
  const events = memoryEvents(records)
  const work = memoryWork(records)
  const bodies = rememberingBodies(before.kept)
  const recovery = memoryRecovery(records)
  const cursors = new Map(before.cursors)
  for (const [pass, cursor] of before.cursors) void recovery.moveCursor(pass, cursor)
  let queue = before.queue
  const sends = new Map(before.sends)

  const own: Record<string, (call: Call) => unknown> = {
    send: ({ by, index, parameters }) => {
      const text = messageText(parameters[0] as Message)
      ledger.enqueued(JSON.parse(text) as Message, process)
      const place = `${by}.${index}`
      const nth = (sends.get(place) ?? 0) + 1
      sends.set(place, nth)
      queue = [...queue, { id: `${place}.${nth}`, text, receives: 0 }]
      return { kind: 'sent' }
    },
    delete: ({ parameters }) => {
      queue = queue.filter(({ id }) => id !== parameters[0])
    },
    effect: ({ parameters }) => {
      const key = String(parameters[0])
      ledger.effects.set(key, (ledger.effects.get(key) ?? 0) + 1)
      return true
    },
    moveCursor: ({ parameters: [pass, to] }) => {
      if (String(to) > (cursors.get(pass as PassName) ?? '')) cursors.set(pass as PassName, String(to))
    },
    commit: ({ parameters: [owned, writes, token, now] }) => {
      const answer = work.commit(owned as never, writes as never, token as never, now as never)
      const { fingerprint, generation } = owned as EventRecord
      if (work.effects.length > 0) ledger.committed(`${fingerprint}/${generation}`)
      return answer
    },
  }
  const ports = { ...events, ...work, ...bodies.store, ...recovery } as unknown as Record<
    string,
    (...given: readonly unknown[]) => unknown
  >
  return {
    carryOut: async (call: Call): Promise<unknown> =>
      own[call.name] ? own[call.name]?.(call) : ports[call.name]?.(...call.parameters),
    after: () => ({
      records: [...records.values()],
      kept: bodies.kept(),
      cursors: [...cursors].sort(),
      queue: [...queue].sort((left, right) => (left.id < right.id ? -1 : 1)),
      sends: [...sends].sort(),
    }),
  }
}

const rememberingBodies = (before: Shared['kept']) => {
  const store = memoryBodies()
  const kept = new Map<string, Shared['kept'][number]>()
  const note = (body: KeptBody, expiresAt: number): void => {
    const key = `${body.fingerprint}/${body.sha256}`
    const first = kept.get(key)
    if (!first || first.expiresAt < expiresAt) kept.set(key, { body: first?.body ?? body, expiresAt })
  }
  for (const { body, expiresAt } of before) {
    note(body, expiresAt)
    void store.keep(body, millis(0), expiresAt as never)
  }
  const keep: BodyStore['keep'] = (body, now, expiresAt) => {
    note(body, expiresAt)
    return store.keep(body, now, expiresAt)
  }
  return { store: { ...store, keep }, kept: () => [...kept.values()] }
}
