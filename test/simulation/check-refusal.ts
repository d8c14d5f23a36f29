import { isOver } from '../../functions/contract/status.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { Check } from './check-times.ts'
import type { Described } from './describe-call.ts'

/** What the write says of an attribute, in its values or its item. */
type Given = (name: string) => unknown

interface Right {
  readonly rule: string
  readonly has: (record: EventRecord, given: Given) => boolean
}

/** Who writes what it may write is not refused: otherwise nothing that goes wrong would show but slowness. */
export const checkRefusal = (check: Check, { name, moves }: Described, record: EventRecord | undefined): void => {
  const given: Given = each => moves?.ExpressionAttributeValues?.[`:${each}`] ?? moves?.Item?.[each]
  const seconds = given('nowSeconds')
  // Nobody has a right to what was erased.
  if (!record || record.erasedAt !== undefined || (typeof seconds === 'number' && record.expiresAt <= seconds)) return
  for (const { rule, has } of RIGHTS[name] ?? []) check(rule, !has(record, given), () => `${name} of ${record.status}`)
}

const isOwn = ({ fence }: EventRecord, given: Given): boolean => fence === given('fence')
const isSameGeneration = ({ generation }: EventRecord, given: Given): boolean => generation === given('seenGeneration')
const isPassed = ({ leaseUntil }: EventRecord, given: Given): boolean => leaseUntil <= Number(given('updatedAt'))
/** A write that compares with no fence may mean any. */
const isAsSeen = ({ fence }: EventRecord, given: Given): boolean => fence === (given('seenFence') ?? fence)
const isSameLife = ({ firstSeenAt }: EventRecord, given: Given): boolean => firstSeenAt < Number(given('lifeEnds'))

const repeat: Right = {
  rule: 'a write that its client repeats is not refused',
  has: (record, given) => record.status === 'claimed' && isOwn(record, given),
}
const settlement: Right = {
  rule: 'a write that its client repeats is not refused',
  has: (record, given) => (record.status === 'claimed' || record.status === 'queued') && isOwn(record, given),
}
const attempt: Right = {
  rule: 'an attempt can say how it ended',
  has: (record, given) => record.status === 'working' && isOwn(record, given) && isSameGeneration(record, given),
}

const isAhead = ({ generation }: EventRecord, given: Given): boolean => generation < Number(given('generation'))
const anew = 'a message that is ahead of its record makes it anew'

const unwanted: Right = {
  rule: 'a write that its client repeats is not refused',
  has: (record, given) => record.status === 'ignored' && isOwn(record, given),
}

const RIGHTS: Readonly<Record<string, readonly Right[]>> = {
  take: [
    {
      rule: 'what nobody works on can be taken',
      has: (record, given) =>
        isSameGeneration(record, given) &&
        (record.status === 'claimed' ||
          record.status === 'queued' ||
          (record.status === 'working' && isPassed(record, given) && !isOwn(record, given))),
    },
  ],
  recreate: [{ rule: anew, has: isAhead }],
  recreateFailed: [{ rule: anew, has: (record, given) => isAhead(record, given) && isSameLife(record, given) }],
  claim: [repeat],
  claimIgnored: [unwanted],
  beginAnew: [
    repeat,
    {
      rule: 'a copy that is over, or was left, is begun anew',
      has: (record, given) =>
        record.generation === Number(given('generation')) - 1 &&
        (isOver(record.status)
          ? record.status === (given('seenStatus') ?? record.status)
          : record.status === 'claimed' && isAsSeen(record, given) && isPassed(record, given)),
    },
  ],
  takeOver: [repeat],
  reopen: [repeat],
  settle: [settlement],
  finish: [attempt],
  ignore: [attempt],
  report: [attempt],
  commit: [attempt],
  park: [
    repeat,
    {
      rule: 'what cannot be read is parked',
      has: (record, given) => record.status === 'claimed' && isAsSeen(record, given) && isPassed(record, given),
    },
  ],
  giveBack: [
    {
      rule: 'a try without a call of the handler is given back',
      has: (record, given) => attempt.has(record, given) && record.leaseUntil > Number(given('leaseUntil')),
    },
  ],
  noteBody: [
    {
      rule: 'where a body is kept is noted if nobody has noted it',
      has: (record, given) => record.bodyAt === null && isSameGeneration(record, given),
    },
  ],
  replay: [
    {
      rule: 'what is over, or an abandoned claim, can be replayed',
      has: (record, given) =>
        record.status === (given('seenStatus') ?? record.status) &&
        record.generation === Number(given('generation')) - 1 &&
        (isOver(record.status) || (isAsSeen(record, given) && isPassed(record, given))),
    },
  ],
  fail: [
    {
      rule: 'who owns an event can fail it',
      has: (record, given) =>
        !isOver(record.status) &&
        (isOwn(record, given) || isPassed(record, given)) &&
        isSameGeneration(record, given) &&
        isSameLife(record, given),
    },
    {
      rule: 'a failure without its body, or one that ends sooner, is made better',
      has: (record, given) =>
        record.status === 'failed' &&
        (record.bodyAt === null || record.expiresAt <= Number(given('expiresAt'))) &&
        isSameGeneration(record, given) &&
        isSameLife(record, given),
    },
  ],
}
