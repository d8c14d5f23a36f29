import { STATUSES, type Status } from '../contract/status.ts'
import type { Job } from './job.ts'
import type { Kind, Transition } from './transition.ts'

/*
 * Every way in which an item moves, each written once. The stores' expressions, the picture and the table in
 * docs/architecture.md and the mutants of the proof are made from these; a bundle holds those that its function makes.
 */

const alive = ['expiresAt', '>', 'nowSeconds'] as const
const ownFence = ['fence', '=', 'fence'] as const
const otherFence = ['fence', '<>', 'fence'] as const
const seenFence = ['fence', '=', 'seenFence'] as const
const leasePassed = ['leaseUntil', '<=', 'now'] as const
const seenGeneration = ['generation', '=', 'seenGeneration'] as const
const earlierGeneration = ['generation', '<', 'seenGeneration'] as const
const seenStatus = ['status', '=', 'seenStatus'] as const
const noBody = ['bodyAt', 'absent'] as const
/** What was erased stays so: nothing brings a body back, and nothing begins it again. */
const notErased = ['erasedAt', 'absent'] as const

const abandonedOrOurs = { any: [leasePassed, ownFence] } as const
/** Not ours: a take that is repeated, because its answer was lost, counts one try. */
const abandonedByAnother = { all: [leasePassed, otherFence] } as const
const endsNoLater = ['expiresAt', '<=', 'expiresAt'] as const
/** Somebody else's failure is completed or made to last, never overwritten by what somebody saw before it. */
const oursOrLess = { all: [notErased, { any: [ownFence, noBody, endsNoLater] }] } as const
const ownGeneration = { all: [ownFence, seenGeneration] } as const
const aliveGeneration = { all: [alive, seenGeneration] } as const
/** An event that was forgotten and came again is another life of it, in which a message of the first has no say. */
const sameLife = ['firstSeenAt', '<', 'lifeEnds'] as const
const aliveInThisLife = { all: [alive, seenGeneration, sameLife] } as const
const behindInThisLife = { all: [earlierGeneration, sameLife] } as const
const behindOrOurs = { any: [behindInThisLife, ownFence] } as const
const firstToSay = { all: [seenGeneration, noBody, notErased] } as const
const aliveUnerased = { all: [alive, seenGeneration, notErased] } as const

const yes = true
const no = false

const EVENT = { statuses: STATUSES, statusAt: 'status', expires: true } as const satisfies Kind<Status>

/** `claimed: ownFence` is our own write come back: the client repeated a call whose answer was lost. */
export const claim = {
  of: EVENT,
  from: { absent: yes, claimed: ownFence, queued: no, working: no, done: no, failed: no, ignored: no },
  to: 'claimed',
  sets: 'item',
} as const satisfies Transition<Status>

/** No route wants it: the claim is its end. Like `claim`, it may be repeated. */
export const claimIgnored = {
  of: EVENT,
  from: { absent: yes, claimed: no, queued: no, working: no, done: no, failed: no, ignored: ownFence },
  to: 'ignored',
  sets: 'item',
} as const satisfies Transition<Status>

const abandonedAsSeen = { any: [{ all: [seenFence, leasePassed, alive] }, ownFence] } as const

export const takeOver = {
  of: EVENT,
  from: { absent: no, claimed: abandonedAsSeen, queued: no, working: no, done: no, failed: no, ignored: no },
  to: 'claimed',
  sets: ['fence', 'leaseUntil', 'claimedAt', 'listing', 'updatedAt', 'to'],
} as const satisfies Transition<Status>

/** A takeover that does nothing but look again later: it stands at the end of the listing, and its lease is over. */
export const park = {
  of: EVENT,
  from: { absent: no, claimed: abandonedAsSeen, queued: no, working: no, done: no, failed: no, ignored: no },
  sets: ['fence', 'leaseUntil', 'claimedAt', 'listing', 'updatedAt', 'lastError'],
} as const satisfies Transition<Status>

export const reopen = {
  of: EVENT,
  from: { absent: no, claimed: ownFence, queued: no, working: no, done: no, failed: aliveUnerased, ignored: no },
  to: 'claimed',
  // biome-ignore format: one line is a table's
  sets: ['generation', 'fence', 'leaseUntil', 'claimedAt', 'listing', 'updatedAt', 'attempts', 'bodySha256', 'bodySize', 'bodyAt', 'expiresAt', 'to'],
  removes: ['lastError'],
} as const satisfies Transition<Status>

/** What was erased stays so; a copy of an earlier life of its event may be made anew all the same. */
const notErasedInThisLife = { any: [notErased, ['firstSeenAt', '<', 'firstSeenAt']] } as const
const overAsSeen = { all: [seenStatus, seenGeneration, alive, notErasedInThisLife] } as const
const copyAbandonedOrOurs = { any: [{ all: [seenFence, seenGeneration, leasePassed, alive] }, ownFence] } as const

/** The next generation of an event makes its copies again: those that are over, or were left by who made them. */
export const beginAnew = {
  of: EVENT,
  // biome-ignore format: one line is a table's
  from: { absent: no, claimed: copyAbandonedOrOurs, queued: no, working: no, done: overAsSeen, failed: overAsSeen, ignored: overAsSeen },
  to: 'claimed',
  // biome-ignore format: one line is a table's
  sets: ['generation', 'edition', 'fence', 'leaseUntil', 'firstSeenAt', 'claimedAt', 'listing', 'updatedAt', 'attempts', 'bodySha256', 'bodySize', 'bodyAt', 'expiresAt', 'madeBy', 'madeIn'],
  removes: ['lastError', 'committed', 'ignoredBecause', 'erasedAt'],
} as const satisfies Transition<Status>

/** A copy that stays as it is: forgotten before its event, it would be made a second time. */
export const outlast = {
  of: EVENT,
  from: { absent: no, claimed: no, queued: no, working: no, done: yes, failed: no, ignored: yes },
  when: { all: [seenGeneration, ['expiresAt', '<', 'expiresAt']] },
  sets: ['expiresAt'],
} as const satisfies Transition<Status>

export const settle = {
  of: EVENT,
  from: { absent: no, claimed: ownFence, queued: ownFence, working: no, done: no, failed: no, ignored: no },
  to: 'queued',
  sets: ['updatedAt', 'bodySha256', 'bodySize', 'bodyAt', 'expiresAt'],
  removes: ['lastError'],
} as const satisfies Transition<Status>

/** Needs no fence: it touches neither status, fence nor lease, and only says what nobody has said. */
export const noteBody = {
  of: EVENT,
  // biome-ignore format: one line is a table's
  from: { absent: no, claimed: firstToSay, queued: firstToSay, working: firstToSay, done: firstToSay, failed: firstToSay, ignored: firstToSay },
  sets: ['bodySha256', 'bodySize', 'bodyAt'],
} as const satisfies Transition<Status>

export const release = {
  of: EVENT,
  from: { absent: no, claimed: ownFence, queued: no, working: no, done: no, failed: no, ignored: no },
  sets: ['leaseUntil', 'updatedAt', 'lastError'],
} as const satisfies Transition<Status>

/** A generation that nobody finished, and nobody else is working on. */
export const take = {
  of: EVENT,
  from: { absent: no, claimed: yes, queued: yes, working: abandonedByAnother, done: no, failed: no, ignored: no },
  when: aliveGeneration,
  to: 'working',
  sets: ['fence', 'leaseUntil', 'updatedAt'],
  adds: ['attempts'],
} as const satisfies Transition<Status>

/** The lease goes back to the instant of the take, which can happen once: a repeat gives no second try back. */
export const giveBack = {
  of: EVENT,
  from: {
    absent: no,
    claimed: no,
    queued: no,
    working: ['leaseUntil', '>', 'leaseUntil'],
    done: no,
    failed: no,
    ignored: no,
  },
  when: ownGeneration,
  sets: ['leaseUntil', 'updatedAt'],
  adds: ['attempts'],
} as const satisfies Transition<Status>

/** The record that a message implies, if the real one is gone or behind. */
export const recreate = {
  of: EVENT,
  from: {
    absent: yes,
    claimed: earlierGeneration,
    queued: earlierGeneration,
    working: earlierGeneration,
    done: earlierGeneration,
    failed: earlierGeneration,
    ignored: earlierGeneration,
  },
  to: 'working',
  sets: 'item',
} as const satisfies Transition<Status>

/** The same for an event that fails at once. */
export const recreateFailed = {
  of: EVENT,
  from: {
    absent: yes,
    claimed: behindInThisLife,
    queued: behindInThisLife,
    working: behindInThisLife,
    done: behindInThisLife,
    failed: behindOrOurs,
    ignored: behindInThisLife,
  },
  to: 'failed',
  sets: 'item',
} as const satisfies Transition<Status>

export const finish = {
  of: EVENT,
  from: { absent: no, claimed: no, queued: no, working: yes, done: yes, failed: no, ignored: no },
  when: ownGeneration,
  to: 'done',
  sets: ['updatedAt'],
  removes: ['lastError'],
} as const satisfies Transition<Status>

/**
 * Not from `done` as well: a transaction that is repeated under another token must not write its effects a second time.
 * `committed` is the token of the one that was written: nobody else is told that theirs was.
 */
export const commit = {
  of: EVENT,
  from: { absent: no, claimed: no, queued: no, working: yes, done: no, failed: no, ignored: no },
  when: ownGeneration,
  to: 'done',
  sets: ['updatedAt', 'committed'],
  removes: ['lastError'],
} as const satisfies Transition<Status>

/** The handler has no use for it. Like `finish`, it may be repeated: its own answer may have been lost. */
export const ignore = {
  of: EVENT,
  from: { absent: no, claimed: no, queued: no, working: yes, done: no, failed: no, ignored: yes },
  when: ownGeneration,
  to: 'ignored',
  sets: ['updatedAt', 'ignoredBecause'],
  removes: ['lastError'],
} as const satisfies Transition<Status>

export const report = {
  of: EVENT,
  from: { absent: no, claimed: no, queued: no, working: yes, done: no, failed: no, ignored: no },
  when: ownGeneration,
  sets: ['leaseUntil', 'updatedAt', 'lastError'],
} as const satisfies Transition<Status>

/** One that failed with its body kept stays as it is, if whoever is late would end it sooner: they know of no body. */
export const fail = {
  of: EVENT,
  // biome-ignore format: one line is a table's
  from: { absent: no, claimed: abandonedOrOurs, queued: abandonedOrOurs, working: abandonedOrOurs, done: no, failed: oursOrLess, ignored: no },
  when: aliveInThisLife,
  to: 'failed',
  sets: ['fence', 'leaseUntil', 'updatedAt', 'lastError', 'bodySha256', 'bodySize', 'bodyAt', 'expiresAt'],
} as const satisfies Transition<Status>

const abandonedAndSeen = { all: [seenStatus, seenFence, leasePassed] } as const

/** Only what was seen to be over or abandoned: what is done gets a new idempotency key, and anything else keeps its own. */
export const replay = {
  of: EVENT,
  // biome-ignore format: one line is a table's
  from: { absent: no, claimed: abandonedAndSeen, queued: no, working: no, done: seenStatus, failed: seenStatus, ignored: seenStatus },
  when: aliveUnerased,
  to: 'claimed',
  // biome-ignore format: one line is a table's
  sets: ['generation', 'edition', 'fence', 'leaseUntil', 'claimedAt', 'listing', 'updatedAt', 'attempts', 'bodySha256', 'bodySize', 'bodyAt', 'expiresAt', 'to', 'madeBy', 'madeIn'],
  removes: ['lastError', 'committed', 'ignoredBecause'],
} as const satisfies Transition<Status>

/** Only what is over: a message of anything else holds the body, and whoever takes it would write it down again. The fence ends late writes. */
export const erase = {
  of: EVENT,
  // biome-ignore format: one line is a table's
  from: { absent: no, claimed: no, queued: no, working: no, done: seenStatus, failed: seenStatus, ignored: seenStatus },
  when: aliveUnerased,
  sets: ['fence', 'erasedAt'],
  removes: ['lastError', 'ignoredBecause'],
} as const satisfies Transition<Status>

/** An item without a status. */
const BARE = { statuses: ['present'], statusAt: '', expires: true } as const satisfies Kind

/** What was signed, as an identity of its own. */
export const guard = {
  of: BARE,
  from: { absent: yes, present: ['guards', '=', 'fingerprint'] },
  sets: 'item',
} as const satisfies Transition<'present'>

const guardAsSeen = {
  all: [
    ['guards', '=', 'seenGuards'],
    ['expiresAt', '=', 'seenExpiresAt'],
  ],
} as const

/** The event that it guards is gone. Whoever claims that one anew writes its guard anew, and it is not as it was seen then. */
export const inheritGuard = {
  of: BARE,
  from: { absent: yes, present: { any: [['guards', '=', 'fingerprint'], guardAsSeen] } },
  sets: 'item',
} as const satisfies Transition<'present'>

const ANSWER = { statuses: ['running', 'finished'], statusAt: 'status', expires: true } as const satisfies Kind
type AnswerStatus = (typeof ANSWER.statuses)[number]

const samePayload = ['payload', '=', 'payload'] as const
const abandonedWithPayload = { any: [ownFence, { all: [leasePassed, samePayload] }] } as const

/** Nothing of an abandoned claim is worth keeping, so a takeover is the same one write. */
export const claimKey = {
  of: ANSWER,
  from: { absent: yes, running: abandonedWithPayload, finished: no },
  to: 'running',
  sets: 'item',
} as const satisfies Transition<AnswerStatus>

export const completeKey = {
  of: ANSWER,
  from: { absent: no, running: ownFence, finished: ownFence },
  to: 'finished',
  sets: ['answer', 'expiresAt'],
} as const satisfies Transition<AnswerStatus>

export const releaseKey = {
  of: ANSWER,
  from: { absent: no, running: ownFence, finished: no },
  sets: ['leaseUntil'],
} as const satisfies Transition<AnswerStatus>

const olderVersion = ['sortsAs', '<', 'sortsAs'] as const
const sameVersion = ['sortsAs', '=', 'sortsAs'] as const
const sameEvent = ['broughtBy', '=', 'by'] as const

/** Version 0.1 stored numbers and text, which DynamoDB never compares with each other: each is compared with its own kind. */
const storedBefore = ['sortsAs', 'absent'] as const
const olderNumber = ['version', '<', 'versionNumber'] as const
const olderText = ['version', '<', 'versionText'] as const
const sameNumber = ['version', '=', 'versionNumber'] as const
const sameText = ['version', '=', 'versionText'] as const

/** `newest`: an older version of the same thing, or this very one from this very event. */
export const advance = {
  of: BARE,
  from: {
    absent: yes,
    present: {
      any: [
        olderVersion,
        { all: [sameVersion, sameEvent] },
        { all: [storedBefore, { any: [olderNumber, olderText] }] },
        { all: [storedBefore, sameEvent, { any: [sameNumber, sameText] }] },
      ],
    },
  },
  sets: 'item',
} as const satisfies Transition<'present'>

/** A mark outlives every event that it refused: those can be replayed, and are stale then too. */
export const extendMark = {
  of: BARE,
  from: { absent: no, present: ['expiresAt', '<', 'expiresAt'] },
  sets: ['expiresAt'],
} as const satisfies Transition<'present'>

/** An event that was forgotten and came again counts its generations anew: an audit of its earlier life gives way. */
export const noteAct = {
  of: BARE,
  from: { absent: yes, present: ['at', '<', 'since'] },
  sets: 'item',
} as const satisfies Transition<'present'>

/** What an audit says of how a generation ended may quote the body. */
export const forgetSaid = {
  of: BARE,
  from: { absent: no, present: ownFence },
  sets: ['before'],
} as const satisfies Transition<'present'>

const JOB_STATES = ['running', 'finished', 'cancelled'] as const satisfies readonly Job['state'][]
const JOB = { statuses: JOB_STATES, statusAt: 'job.state', expires: true } as const satisfies Kind<Job['state']>

export const createJob = {
  of: JOB,
  from: { absent: yes, running: no, finished: no, cancelled: no },
  to: 'running',
  sets: 'item',
} as const satisfies Transition<Job['state']>

export const saveJob = {
  of: JOB,
  from: { absent: no, running: yes, finished: no, cancelled: no },
  sets: 'item',
} as const satisfies Transition<Job['state']>

const LASTING = { statuses: ['present'], statusAt: '', expires: false } as const satisfies Kind

/** Only ever forward. */
export const moveCursor = {
  of: LASTING,
  from: { absent: yes, present: ['position', '<', 'position'] },
  sets: 'item',
} as const satisfies Transition<'present'>

/** What recovery saw last counts. */
export const noteQueues = {
  of: LASTING,
  from: { absent: yes, present: ['at', '<=', 'at'] },
  sets: 'item',
} as const satisfies Transition<'present'>

/** What was said last of a destination counts; the log keeps the rest. */
export const notePause = {
  of: LASTING,
  from: { absent: yes, present: ['at', '<=', 'at'] },
  sets: 'item',
} as const satisfies Transition<'present'>

/** One run of the scheduled reconciler at a time. */
export const leaseReconciler = {
  of: LASTING,
  from: { absent: yes, present: abandonedOrOurs },
  sets: ['fence', 'leaseUntil'],
} as const satisfies Transition<'present'>

/** A run whose lease has passed, and another has taken, changes nothing any more. */
export const saveReconciler = {
  of: LASTING,
  from: { absent: no, present: ownFence },
  sets: ['leaseUntil', 'state'],
} as const satisfies Transition<'present'>

/** A body that was overwritten, until its event is forgotten. After that the event may come anew. */
const notBlank = ['erased', 'absent'] as const

/** What is there stays as it is, and only ever lives longer: a repeat can neither change a kept body nor cut its life. */
export const keepBody = {
  of: BARE,
  from: { absent: yes, present: { all: [notBlank, ['expiresAt', '<', 'expiresAt']] } },
  sets: ['expiresAt'],
  setsOnce: ['bytes', 'compressed'],
  removes: ['erased'],
} as const satisfies Transition<'present'>

/** Nothing is left of its bytes, and nobody keeps the same bytes again as long as their event is remembered. */
export const blankBody = {
  of: LASTING,
  from: { absent: yes, present: yes },
  sets: ['erased', 'expiresAt'],
  removes: ['bytes', 'compressed'],
} as const satisfies Transition<'present'>

export const keepDelivery = {
  of: LASTING,
  from: { absent: yes, present: yes },
  sets: ['bytes', 'compressed', 'delivery', 'expiresAt'],
} as const satisfies Transition<'present'>
