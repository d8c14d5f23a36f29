import type { NamedTest } from './mutant.ts'

/** The law of the stores that a change of the table breaks, if no schedule meets it often enough to find it. */
export const lawOf = (name: string): { readonly test?: NamedTest } => {
  const title = LAWS.get(name)
  return title === undefined ? {} : { test: { file: fileOf(name), title } }
}

const fileOf = (name: string): string =>
  OF_VERSION_0_1.has(name) ? 'test/conformance/upgrade.test.ts' : 'test/conformance/memory-stores.test.ts'

/** A mark of version 0.1 has a number or a text. */
const OF_VERSION_0_1 = new Set([
  'advance does not ask for sortsAs absent',
  'advance does not ask for version < versionNumber',
  'advance does not ask for version < versionText',
  'advance does not ask for version = versionNumber',
  'advance does not ask for version = versionText',
])

const FOUND: Readonly<Record<string, readonly string[]>> = {
  'the newest version of a key only grows': [
    'advance does not start from absent',
    'advance does not start from present',
    'advance does not ask for sortsAs < sortsAs',
  ],
  'a commit names the write whose condition was not met, and writes nothing': [
    'advance does not ask for sortsAs = sortsAs',
  ],
  'the newest version of a key is not stale to the event that brought it, and is to another of the same version': [
    'advance does not ask for broughtBy = by',
  ],
  'after version 0.1 stored %j as the newest, %j is newest and %j is stale': [
    'advance does not ask for sortsAs absent',
    'advance does not ask for version < versionNumber',
    'advance does not ask for version < versionText',
  ],
  'of version 0.1 says that %j was the newest: it is not stale to the event that brought it': [
    'advance does not ask for version = versionNumber',
    'advance does not ask for version = versionText',
  ],
  'every body of an event is erased, small and large, of every day and retention, and no other': [
    'blankBody does not start from present',
  ],
  'a key is won once, and is running for everybody else until the lease has passed': [
    'claimKey does not start from absent',
    'claimKey does not ask for leaseUntil <= now',
  ],
  'a claim of a key after the lease takes it over, and says so': ['claimKey does not start from running'],
  'a completed key is not undone by its own claim that arrives late': ['claimKey starts from finished too'],
  'a key is won again by the same fence if its first answer was lost': ['claimKey does not ask for fence = fence'],
  'a released key lets the next request with the same payload run at once, and no other': [
    'claimKey does not ask for payload = payload',
    'releaseKey does not start from running',
  ],
  'a key that nobody claimed cannot be completed': ['completeKey starts from absent too'],
  'a completed key gives its answer to every later request, with the time until which it is kept': [
    'completeKey does not start from running',
  ],
  'an owner that completes its key again gets the same answer': ['completeKey does not start from finished'],
  'an owner that outlived its lease cannot complete the key, and its successor and the answer stay as they are': [
    'completeKey does not ask for fence = fence',
  ],
  'an owner that was taken over, or has finished, cannot release the key': [
    'releaseKey starts from absent too',
    'releaseKey starts from finished too',
    'releaseKey does not ask for fence = fence',
  ],
  'a job is created once, and saved while it runs': [
    'createJob does not start from absent',
    'createJob starts from running too',
    'saveJob does not start from running',
  ],
  'a job that is %s stays so, and is not created again': [
    'createJob starts from finished too',
    'createJob starts from cancelled too',
    'saveJob starts from finished too',
    'saveJob starts from cancelled too',
  ],
  'a job that nobody created is unknown, and is not created by being saved': ['saveJob starts from absent too'],
  'an event that is %s is not erased': [
    'erase starts from claimed too',
    'erase starts from queued too',
    'erase starts from working too',
  ],
  'an erasure takes the errors of an event that is %s, and leaves its identity, its status and an audit': [
    'erase does not start from done',
    'erase does not start from failed',
    'erase does not start from ignored',
  ],
  'an event that is over again since it was seen is not erased, and neither is one that is forgotten': [
    'erase does not ask for expiresAt > nowSeconds',
    'erase does not ask for generation = seenGeneration',
  ],
  'a copy that its maker left is begun anew once its lease has passed, and twenty at once begin it once': [
    'beginAnew does not start from claimed',
  ],
  'a copy is not begun anew by who saw an earlier generation or another status of it': [
    'beginAnew does not ask for status = seenStatus',
  ],
  'a copy that is %s is remembered longer, and never shorter': [
    'outlast does not start from done',
    'outlast does not start from ignored',
    'outlast does not ask for expiresAt < expiresAt',
  ],
  'a copy that is %s is not remembered longer for the sake of its event': [
    'outlast starts from claimed too',
    'outlast starts from queued too',
    'outlast starts from working too',
    'outlast starts from failed too',
  ],
  'a copy that has gone on, or that there is not, is not remembered longer': [
    'outlast starts from absent too',
    'outlast does not ask for generation = seenGeneration',
  ],
  'a copy that was erased is not begun anew in the life of its event, and is another in the next': [
    'beginAnew does not ask for firstSeenAt < firstSeenAt',
  ],
  'a late failure, and a late note of a body, bring nothing back': [
    'fail does not ask for erasedAt absent',
    'noteBody does not ask for erasedAt absent',
  ],
  'a repeat of its sender does not reopen what was erased': ['reopen does not ask for erasedAt absent'],
  'an event that was replayed since it was seen is not erased, and one that was erased is not replayed': [
    'replay does not ask for erasedAt absent',
  ],
  'an erasure whose answer was lost is done once': ['erase does not ask for erasedAt absent'],
  'the newest version of a key lives as long as an older one that it refused': [
    'extendMark starts from absent too',
    'extendMark does not start from present',
  ],
  'the newest version of a key lives no shorter because it refused one that ends sooner': [
    'extendMark does not ask for expiresAt < expiresAt',
  ],
  'what an audit says of an earlier generation is forgotten, and the audit stays': [
    'forgetSaid starts from absent too',
    'forgetSaid does not start from present',
  ],
  'what is said of a generation is forgotten only in the audit that was seen': [
    'forgetSaid does not ask for fence = fence',
  ],
  'a guard lets the same event find its own record': ['guard does not start from absent'],
  'is extended with its event when that is reopened': ['guard does not start from present'],
  'a guard makes the same bytes under another id a delivery of the first event': [
    'guard does not ask for guards = fingerprint',
  ],
  'a guard whose event is gone before it belongs to the next event that brings the bytes, and to no other': [
    'inheritGuard does not start from present',
  ],
  'has at most one heir among ten ids with the same bytes at the same instant, whenever each ends': [
    'inheritGuard does not ask for guards = seenGuards',
  ],
  'is not inherited by another if its event comes again after it was looked for': [
    'inheritGuard does not ask for expiresAt = seenExpiresAt',
  ],
  'a small body that was erased is not kept a second time': ['keepBody does not ask for erased absent'],
  'a body comes back byte for byte': ['keepBody does not start from absent'],
  'a body can be kept for longer later on': ['keepBody does not start from present'],
  'a body that is kept again stays as it was, and never ends sooner': [
    'keepBody does not ask for expiresAt < expiresAt',
  ],
  'one run at a time: another begins when the lease of the first has passed, and goes on with what it left': [
    'leaseReconciler does not start from absent',
    'leaseReconciler does not start from present',
    'leaseReconciler does not ask for leaseUntil <= now',
    'leaseReconciler does not ask for fence = fence',
    'saveReconciler does not start from present',
    'saveReconciler does not ask for fence = fence',
  ],
  'a run that never began saves nothing': ['saveReconciler starts from absent too'],
  'a cursor of recovery is unknown at first, and then only moves forward': [
    'moveCursor does not start from absent',
    'moveCursor does not start from present',
    'moveCursor does not ask for position < position',
  ],
  'an audit noted before an act stays as it was noted first': [
    'noteAct does not start from absent',
    'noteAct does not ask for at < since',
  ],
  'an audit of an earlier life of its event gives way': ['noteAct does not start from present'],
  'what was said last of a destination counts, for that destination alone': [
    'notePause does not start from absent',
    'notePause does not start from present',
    'notePause does not ask for at <= at',
  ],
  'what recovery noted of queues last counts, and is not listed as an event': [
    'noteQueues does not start from absent',
    'noteQueues does not start from present',
    'noteQueues does not ask for at <= at',
  ],
}

const LAWS: ReadonlyMap<string, string> = new Map(
  Object.entries(FOUND).flatMap(([title, names]) => names.map(name => [name, title] as const)),
)
