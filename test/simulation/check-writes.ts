import type { Message } from '../../functions/contract/message.ts'
import { seconds, toSeconds } from '../../functions/domain/brands.ts'
import { type EventRecord, isExpired } from '../../functions/domain/record.ts'
import type { Check } from './check-times.ts'
import type { Process } from './faults.ts'

/** The writes that count an expired record as absent. */
const NOT_OF_EXPIRED: ReadonlySet<string> = new Set([
  'take',
  'takeOver',
  'reopen',
  'replay',
  'beginAnew',
  'fail',
  'park',
])

/** The writes after which there is a record where there was none. */
const MAKING: ReadonlySet<string> = new Set(['claim', 'claimIgnored', 'recreate', 'recreateFailed'])

/** The writes of those who hold a message, and go by what it says. */
const SPEAKING: ReadonlySet<string> = new Set(['take', 'fail', 'recreateFailed'])

/** A write may be carried out so much later than its writer looked at the clock. */
const LATE_SECONDS = 90

interface Write {
  readonly name: string
  readonly process: Process
  /** By the clock of its writer. */
  readonly seconds: EventRecord['expiresAt']
}

/** What a transition may do only to a record that is as it should be. */
export const checkWrites = (check: Check, met: EventRecord | undefined, after: EventRecord, write: Write): void => {
  const { name } = write
  const said = (): string => `${name}: ${met?.status} -> ${after.status}`
  check('only a claim, or the message of an event, makes its record', met !== undefined || MAKING.has(name), said)
  if (SPEAKING.has(name)) checkSay(check, met, after, write)
  if (!met) return
  const hasExpired = isExpired(met, seconds(write.seconds - LATE_SECONDS))
  // Its writer has asked by the clock that it writes down.
  const asked = toSeconds(after.updatedAt)
  if (NOT_OF_EXPIRED.has(name)) check('S11 an expired record counts as absent', !isExpired(met, asked), said)
  for (const { rule, holds } of RULES[name] ?? []) check(rule, hasExpired || holds(met, after), said)
}

interface Rule {
  readonly rule: string
  readonly holds: (met: EventRecord, after: EventRecord) => boolean
}

const isRepeat = (met: EventRecord, after: EventRecord): boolean => met.fence === after.fence

const underWay: Rule = {
  rule: 'only an attempt under way reports, or is given back',
  holds: ({ status }) => status === 'working',
}
const ahead: Rule = {
  rule: 'a message makes a record anew only if it is ahead of it',
  holds: (met, after) => met.generation < after.generation || isRepeat(met, after),
}

const RULES: Readonly<Record<string, readonly Rule[]>> = {
  report: [underWay],
  giveBack: [
    underWay,
    { rule: 'a try is given back once', holds: (met, { leaseUntil }) => leaseUntil < met.leaseUntil },
  ],
  take: [{ rule: 'a take that is repeated counts one try', holds: (met, after) => !isRepeat(met, after) }],
  noteBody: [{ rule: 'where a body is, once it is noted, stays', holds: ({ bodyAt }) => bodyAt === null }],
  park: [{ rule: 'only a claim is parked', holds: ({ status }) => status === 'claimed' }],
  reopen: [
    {
      rule: 'a sender reopens only what has failed',
      holds: (met, after) => met.status === 'failed' || isRepeat(met, after),
    },
    { rule: 'a failed event keeps its body', holds: (_, { bodyAt }) => bodyAt !== null },
  ],
  recreate: [ahead],
  recreateFailed: [ahead],
}

/** Who holds a message of an event, and takes or fails it, speaks of the generation and the life that the message is of. */
const checkSay = (check: Check, met: EventRecord | undefined, after: EventRecord, { name, process }: Write): void => {
  const own = process.messages.filter(({ id }) => id === after.fingerprint)
  const isOf = ({ generation, expiresAt }: Message): boolean =>
    generation === after.generation && (met === undefined || met.firstSeenAt < expiresAt * 1000)
  check(
    'a message has a say in its own generation and life alone',
    own.length === 0 || own.some(isOf),
    () => `${name} of generation ${after.generation}`,
  )
}
