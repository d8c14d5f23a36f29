import { type Mutant, one, where } from './mutant.ts'

const MAKE_COPY = 'functions/fan-out/make-copy.ts'

/** Bugs in where events go, and in what is taken from a sender's list. */
export const DESTINATION_MUTANTS: readonly Mutant[] = [
  one(
    'a copy that was sent is made once more',
    MAKE_COPY,
    'existing.firstSeenAt === copy.firstSeenAt && existing.madeBy === copy.madeBy',
    'false as boolean',
  ),
  one(
    'an event is done though a copy could not be made',
    'functions/fan-out/fan-out.ts',
    'if (faults[0]) throw faults[0]',
    '',
  ),
  one(
    'a replay leaves the copies as they are',
    MAKE_COPY,
    'if (isSameMaking(existing, copy)) {',
    "if (existing.status !== 'claimed') return undefined\n  if (isSameMaking(existing, copy)) {",
  ),
  one(
    'what no route wants is sent',
    'functions/accept/claim.ts',
    'return event.to.length === 0\n',
    'return (event.to.length as number) === -1\n',
  ),
  one(
    'what has one destination goes to the queue of several',
    'functions/adapters/destination-queues.ts',
    'to.length === 1 ?',
    'to.length === 0 ?',
  ),
  one(
    'an event is seen as done though a copy of it has failed',
    'functions/domain/copies-of.ts',
    "if (is('failed')) return 'failed'",
    '',
  ),
  one(
    'a pause does not end by itself',
    'functions/recover/keep-pauses.ts',
    'await mappings.enable(destination, !stays)',
    'stays && (await mappings.enable(destination, false))',
  ),
  one(
    'what is taken from a list is on no record',
    'functions/operate/take-sent.ts',
    "if (noted.kind === 'unavailable') return noted",
    'Object.assign(noted, { audit: noted.audit ?? null })',
  ),
  one(
    'what could not be taken from a list is told taken',
    'functions/operate/take-sent.ts',
    'return notNow(`',
    "return true ? 'taken' : notNow(`",
  ),
  one(
    'what a list has is never taken',
    'functions/operate/take-sent.ts',
    "event.state === 'missing' && !touched.has(event.id)",
    'false as boolean',
  ),
  where(
    { paged: true, world: { reconciles: true } },
    one('a list has one page', 'functions/operate/compare-sent.ts', '? null : page.next\n', '? null : null\n'),
  ),
  where(
    { world: { destined: true, pauses: true } },
    one('a pause outlives its messages', 'functions/domain/pauses.ts', '7 * 86_400_000', '30 * 86_400_000'),
  ),
]
