import { dynamodbRecovery } from '../../../functions/adapters/dynamodb-recovery.ts'
import type { Item } from '../../../functions/adapters/wire/dynamo-calls.ts'
import type { ReceivedMessage } from '../../../functions/adapters/wire/queue-calls.ts'
import type { Message } from '../../../functions/contract/message.ts'
import { listingPosition } from '../../../functions/contract/tables.ts'
import { millis } from '../../../functions/domain/brands.ts'
import type { EventRecord } from '../../../functions/domain/record.ts'
import { type MemoryAws, memoryAws } from '../../../lib/memory-aws/memory-aws.ts'
import type { StoredMessage } from '../../../lib/memory-aws/message-store.ts'
import { NOON } from '../../support/events.ts'
import { describeCall } from '../describe-call.ts'
import type { Process } from '../faults.ts'
import { Ledger } from '../ledger.ts'
import { isRecord, NAMES, RESOURCES, recordOf, watchWrites } from '../watch-writes.ts'
import { type Call, madeBy } from './local.ts'
import { BODY, EVENT_ID } from './programs.ts'

/** What the invariants remember, of all that has happened. */
export interface Remembered {
  readonly forwarded: readonly string[]
  readonly commits: readonly (readonly [string, number])[]
  readonly effects: readonly (readonly [string, number])[]
  readonly owners: readonly string[]
  readonly senders: readonly string[]
  /** How often each call has put a message on the queue: what messages are numbered by. */
  readonly sends: readonly (readonly [string, number])[]
}

/** Everything that processes share, as a value. */
export interface Shared {
  /** What AWS holds, for `restore`, and a name for it. */
  readonly snapshot: unknown
  readonly key: string
  /** The part of it that is judged. */
  readonly records: readonly EventRecord[]
  readonly bodies: readonly Item[]
  readonly queue: readonly StoredMessage[]
  readonly deadLetters: readonly StoredMessage[]
  readonly remembered: Remembered
}

export interface Applied {
  readonly shared: Shared
  readonly value: unknown
  readonly violations: readonly string[]
  readonly checks: number
}

export interface Received {
  readonly shared: Shared
  readonly message: ReceivedMessage | undefined
}

/** Carries things out on a state, and returns the state after them. The state before stays as it was. */
export interface SharedStates {
  /** Nothing has happened yet. */
  first(): Promise<Shared>
  apply(before: Shared, call: Call, now: number, handling: boolean): Applied
  /** A message is handed out, if it can be. */
  receive(before: Shared, queueUrl: string, id: string, now: number): Received
}

export const sharedStates = (): SharedStates => {
  let now: number = NOON
  let ledger = new Ledger({ now: NOON }, false)
  let sends = new Map<string, number>()
  /** Of the call that is carried out. */
  let place = ''
  const watch = watchWrites({
    wrote: (before, after) => ledger.wrote(before, after),
    committed: key => ledger.committed(key),
  })
  const newId = (): string => {
    sends.set(place, (sends.get(place) ?? 0) + 1)
    return `${place}.${sends.get(place)}`
  }
  const aws = memoryAws({ ...RESOURCES, now: () => now, newId, onWrite: watch })

  const begin = (before: Shared, at: number): void => {
    now = at
    aws.restore(before.snapshot)
    ledger = ledgerOf(before, at)
    sends = new Map(before.remembered.sends)
  }
  const after = (): Shared => ({ ...held(aws), remembered: { ...rememberedBy(ledger), sends: [...sends].sort() } })

  return {
    async first() {
      const { moveCursor } = dynamodbRecovery(aws.aws, NAMES)
      // The first pass of recovery stands a minute behind, the later ones ran a moment ago: only the first has something to do.
      await moveCursor('abandoned', listingPosition(NOON - RECOVERY_LAG_MS - 60_000, ''))
      await moveCursor('late', listingPosition(NOON, ''))
      await moveCursor('lost', listingPosition(NOON, ''))
      return after()
    },

    apply(before, call, at, handling) {
      begin(before, at)
      const process = processOf(call.by, handling)
      place = `${call.by}.${call.index}`
      ledger.writing = { process, ...describeCall(call.method, call.given[0]) }
      const value = carryOut(aws, ledger, process, call)
      return { shared: after(), value, violations: ledger.violations, checks: ledger.checks }
    },

    receive(before, queueUrl, id, at) {
      begin(before, at)
      const [message] = aws.queue.receiveMessages(queueUrl, all => all.filter(each => each.id === id))
      return { shared: after(), message }
    },
  }
}

/** How long after its claim recovery's first pass looks at an event. */
const RECOVERY_LAG_MS = 135_000

const held = (aws: MemoryAws): Omit<Shared, 'remembered'> => ({
  snapshot: aws.snapshot(),
  key: aws.stateKey(),
  records: aws.items(NAMES.eventsTable).filter(isRecord).map(recordOf),
  bodies: aws.items(NAMES.bodiesTable),
  queue: aws.messages(NAMES.queueUrl),
  deadLetters: aws.messages(NAMES.deadLettersUrl),
})

const carryOut = (aws: MemoryAws, ledger: Ledger, process: Process, { method, given }: Call): unknown => {
  const first = given[0] as never
  switch (method) {
    case 'query':
      return (first as readonly never[]).map(aws.dynamo.query)
    case 'sendMessage': {
      const { MessageBody } = first as { readonly MessageBody: string }
      ledger.enqueued(JSON.parse(MessageBody) as Message, process)
      return aws.queue.sendMessage(first)
    }
    case 'deleteMessages':
      return aws.queue.deleteMessages(first, given[1] as string[])
    case 'effect':
      ledger.effects.set(first, (ledger.effects.get(first) ?? 0) + 1)
      return undefined
    default:
      return aws.dynamo[method as keyof MemoryAws['dynamo']](first)
  }
}

export const ledgerOf = ({ remembered }: Shared, now: number): Ledger => {
  const ledger = new Ledger({ now: millis(now) }, false)
  for (const key of remembered.forwarded) ledger.forwarded.add(key)
  for (const [key, count] of remembered.commits) ledger.commits.set(key, count)
  for (const [key, count] of remembered.effects) ledger.effects.set(key, count)
  for (const owner of remembered.owners) ledger.owners.add(owner)
  for (const sender of remembered.senders) ledger.senders.add(sender)
  ledger.signed.add(EVENT_ID, BODY)
  return ledger
}

const rememberedBy = (ledger: Ledger): Omit<Remembered, 'sends'> => ({
  forwarded: [...ledger.forwarded].sort(),
  commits: [...ledger.commits].sort(),
  effects: [...ledger.effects].sort(),
  owners: [...ledger.owners].sort(),
  senders: [...ledger.senders].sort(),
})

export const processOf = (name: string, handling: boolean): Process => ({
  kind: name,
  name,
  skew: 0,
  alive: true,
  guarded: new Set(),
  sending: new Map(),
  messages: [],
  unsettled: new Set(),
  tries: new Map(),
  conflicts: new Map(),
  handling: { has: () => handling } as unknown as Set<string>,
  fences: { has: (fence: string) => madeBy(name, fence) } as unknown as Set<string>,
})
