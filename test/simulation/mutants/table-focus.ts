import { type Focus, NOBODY_WORKS } from '../focus.ts'

/** The world in which a bug of the table does harm: its move is made often, and meets what it should not. */
export const focusOf = (name: string): Focus => {
  const [transition = ''] = name.split(' ')
  const own = OWN[name]
  if (own) return own
  const focus = OF_TRANSITIONS[transition] ?? { often: [transition] }
  const meetsExpired = name.endsWith('does not ask for expiresAt > nowSeconds') || FROM_NOTHING.has(name)
  if (!meetsExpired) return focus
  return { ...focus, world: { ...focus.world, ttlLag: Number.MAX_SAFE_INTEGER }, expires: transition }
}

/** Expired and not deleted, a record is met by whoever may begin with none. */
const FROM_NOTHING: ReadonlySet<string> = new Set(
  ['beginAnew', 'park', 'replay', 'takeOver'].map(transition => `${transition} starts from absent too`),
)

const DESTINED = { destined: true, ordered: false, unreadable: false, size: 'small' } as const
const FEW_RECEIVES = { receives: 1, tries: 5, destined: false } as const
const UNREADABLE = { unreadable: true, destined: false } as const

const OF_TRANSITIONS: Readonly<Record<string, Focus>> = {
  beginAnew: { world: DESTINED, operators: true, often: ['beginAnew'] },
  claimIgnored: { world: DESTINED, often: ['claimIgnored'] },
  commit: { mode: 'commit', world: { tries: 1 }, often: ['commit'] },
  fail: { mode: 'unprocessable', operators: true, often: ['fail'] },
  park: { world: UNREADABLE, often: ['park', 'sendMessage'] },
  recreate: { world: { deletesEarly: true }, operators: true, often: ['recreate'] },
  recreateFailed: { world: { ...FEW_RECEIVES, deletesEarly: true }, operators: true, often: ['recreateFailed'] },
  release: { world: { workersAway: NOBODY_WORKS }, often: ['sendMessage', 'settle', 'release'] },
  reopen: { mode: 'flaky', world: { tries: 1 }, operators: true, often: ['reopen'] },
  replay: { operators: true, often: ['replay'] },
  report: { mode: 'poison', world: { tries: 1 }, often: ['report'] },
}

/** A copy was begun anew and sent when the first try of that write arrives, too. */
const LATE_COPY: Focus = {
  world: { ...DESTINED, pauses: true },
  operators: true,
  often: ['beginAnew', 'effect'],
  kinds: { beginAnew: ['sdk-retry-late'], effect: ['slow'] },
}

/** Its sender's next try is faster than recovery. */
const LATE_PARK: Focus = {
  world: UNREADABLE,
  resends: 6,
  resendsFrom: 180_000,
  often: ['park', 'sendMessage'],
  kinds: { park: ['late', 'slow'] },
}

/** A message of a later generation waits, and its record was deleted and claimed anew. */
const AHEAD: Focus = { operators: true, resends: 8, erases: 'take', often: ['take'] }
const AHEAD_AND_DEAD: Focus = { ...AHEAD, world: FEW_RECEIVES }

/** Refused by the queue, and heard so late that another has come and gone. */
const LATE_RELEASE: Focus = {
  resends: 6,
  often: ['sendMessage', 'release'],
  kinds: { sendMessage: ['throttled'], release: ['late'] },
}

/** An abandoned claim is replayed while its message is taken after all. */
const LATE_REPLAY: Focus = {
  operators: true,
  world: { workersAway: { from: NOBODY_WORKS.from, until: NOBODY_WORKS.from + 120_000 } },
  often: ['settle', 'replay'],
  kinds: { replay: ['late'], settle: ['lost-request'] },
}

const REOPENED_EXPIRED: Focus = {
  mode: 'unprocessable',
  world: { ttlLag: Number.MAX_SAFE_INTEGER },
  expires: 'reopen',
  often: ['reopen'],
}

/** Where a single bug needs more than its transition. */
const OWN: Readonly<Record<string, Focus>> = {
  'beginAnew starts from queued too': LATE_COPY,
  'beginAnew starts from working too': { ...LATE_COPY, mode: 'effect' },
  'claimIgnored starts from failed too': { world: DESTINED, mode: 'unprocessable', resends: 8, redeploys: true },
  'fail starts from absent too': { mode: 'unprocessable', operators: true, often: ['fail'] },
  'fail does not start from claimed': { world: FEW_RECEIVES, often: ['settle', 'take'] },
  'fail starts from done too': { mode: 'effect', world: FEW_RECEIVES, often: ['deleteMessages', 'finish'] },
  'fail starts from ignored too': { mode: 'ignore', world: FEW_RECEIVES, often: ['deleteMessages', 'ignore'] },
  'fail does not ask for firstSeenAt < lifeEnds': { world: { weeks: true } },
  'noteBody does not start from queued': {
    world: { workersAway: NOBODY_WORKS },
    resends: 6,
    often: ['settle', 'keepBody'],
    kinds: { settle: ['slow'], keepBody: ['lost-request'] },
  },
  'park starts from queued too': { ...LATE_PARK, world: { ...UNREADABLE, workersAway: NOBODY_WORKS } },
  'park starts from working too': { ...LATE_PARK, mode: 'poison' },
  'park starts from done too': { ...LATE_PARK, mode: 'effect' },
  'park starts from failed too': { ...LATE_PARK, mode: 'unprocessable' },
  'park starts from ignored too': { ...LATE_PARK, mode: 'ignore' },
  'recreate does not start from claimed': {
    ...AHEAD,
    often: ['take', 'sendMessage'],
    kinds: { sendMessage: ['lost-request', 'death-before'] },
  },
  'recreate does not start from queued': { ...AHEAD, often: ['take', 'settle'] },
  'recreate does not start from working': { ...AHEAD, often: ['take', 'finish'] },
  'recreate does not start from ignored': { ...AHEAD, mode: 'ignore' },
  'recreateFailed does not start from claimed': { ...AHEAD_AND_DEAD, often: ['take', 'settle'] },
  'recreateFailed does not start from queued': AHEAD_AND_DEAD,
  'recreateFailed does not start from working': { ...AHEAD_AND_DEAD, often: ['take', 'finish'] },
  'recreateFailed does not start from ignored': { ...AHEAD_AND_DEAD, mode: 'ignore' },
  'recreateFailed does not ask for firstSeenAt < lifeEnds': { world: { weeks: true }, operators: true },
  'release starts from working too': { ...LATE_RELEASE, mode: 'poison' },
  'release starts from done too': { ...LATE_RELEASE, mode: 'effect' },
  'release starts from failed too': { ...LATE_RELEASE, mode: 'unprocessable' },
  'release starts from ignored too': { ...LATE_RELEASE, mode: 'ignore' },
  'reopen starts from ignored too': {
    mode: 'ignore',
    world: FEW_RECEIVES,
    resends: 8,
    often: ['take', 'reopen'],
    kinds: { reopen: ['late', 'sdk-retry-late'] },
  },
  'reopen starts from absent too': REOPENED_EXPIRED,
  'reopen does not ask for expiresAt > nowSeconds': REOPENED_EXPIRED,
  'replay starts from queued too': {
    ...LATE_REPLAY,
    world: { workersAway: NOBODY_WORKS },
    resends: 6,
    often: ['settle', 'sendMessage', 'replay'],
  },
  'replay starts from working too': { ...LATE_REPLAY, mode: 'poison' },
  'replay does not ask for status = seenStatus': LATE_REPLAY,
  'report starts from done too': {
    mode: 'commit',
    often: ['commit', 'report'],
    kinds: { report: ['late'], commit: ['lost-request', 'lost-answer'] },
  },
  'takeOver starts from ignored too': {
    mode: 'ignore',
    resends: 6,
    often: ['takeOver', 'sendMessage'],
    kinds: { takeOver: ['late'] },
  },
}
