import { both, type Mutant, one, PROTOCOL, where } from './mutant.ts'

const CONSUME = 'functions/consume/work.ts'
const OUTCOME = 'functions/consume/outcome.ts'

/** Lines of the protocol, each of one transition. */
const TAKE_FROM =
  'from: { absent: no, claimed: yes, queued: yes, working: abandonedByAnother, done: no, failed: no, ignored: no }'
const FAIL_FROM =
  'from: { absent: no, claimed: abandonedOrOurs, queued: abandonedOrOurs, working: abandonedOrOurs, done: no, failed: oursOrLess, ignored: no }'

/** From the queue to the end of an event. */
export const CONSUME_MUTANTS: readonly Mutant[] = [
  one('a message is deleted though done was refused', OUTCOME, 'busy: false,', 'busy: true,'),
  one('a message is deleted though its handler failed', OUTCOME, "'attempt-failed': false,", "'attempt-failed': true,"),
  one('a message is deleted though nobody answered', OUTCOME, 'unavailable: false,', 'unavailable: true,'),
  one(
    'done is marked before the effect',
    CONSUME,
    'const handled = await handle(',
    'await world.work.finish(record, world.now()); const handled = await handle(',
  ),
  one(
    'a commit without an answer is taken for done',
    'functions/consume/finish.ts',
    "case 'unavailable':\n      return committed",
    "case 'unavailable':\n      return world.work.finish(record, world.now())",
  ),
  one(
    'an event another is working on is taken',
    PROTOCOL,
    TAKE_FROM,
    'from: { absent: no, claimed: yes, queued: yes, working: yes, done: no, failed: no, ignored: no }',
  ),
  one(
    'a done event is taken again',
    PROTOCOL,
    TAKE_FROM,
    'from: { absent: no, claimed: yes, queued: yes, working: abandonedByAnother, done: yes, failed: no, ignored: no }',
  ),
  one(
    'a superseded consumer finishes',
    PROTOCOL,
    'const ownGeneration = { all: [ownFence, seenGeneration] } as const',
    'const ownGeneration = seenGeneration',
  ),
  one(
    'a handler that hangs loses its lease',
    CONSUME,
    'await world.work.report(record, world.now(), lastError, record.leaseUntil)',
    'await world.work.report(record, world.now(), lastError, world.now())',
  ),
  // A take that takes too long is given up before; that check goes with it.
  both(
    'a handler begins after its lease',
    one('', CONSUME, 'if (world.now() >= record.leaseUntil)', 'if (false)'),
    one('', 'functions/consume/take.ts', 'await Promise.race([taking, outOfTime(signal)])', 'await taking'),
  ),
  one(
    'the idempotency key changes with the generation',
    'functions/consume/handler-event.ts',
    'idempotencyKey: idempotencyKey(message),',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a module
    'idempotencyKey: `${message.id.slice(0, 56)}-${message.generation}`,',
  ),
  where(
    { world: { receives: 1, tries: 5 }, often: ['sendMessage', 'take'] },
    one(
      'a dead letter fails an event under a live lease',
      PROTOCOL,
      FAIL_FROM,
      'from: { absent: no, claimed: yes, queued: yes, working: yes, done: no, failed: oursOrLess, ignored: no }',
    ),
  ),
  both(
    'a done event can fail',
    one(
      '',
      'functions/consume/fail-for-good.ts',
      "if (status === 'done' || status === 'ignored') return",
      'if (false) return',
    ),
    one('', PROTOCOL, FAIL_FROM, FAIL_FROM.replace('done: no', 'done: abandonedOrOurs')),
  ),
  one(
    'a dead letter is deleted without its body',
    'functions/consume/fail-for-good.ts',
    'return await world.bodies.keep(',
    "if (bytes) return { kind: 'kept', at: null }\n    return await world.bodies.keep(",
  ),
  one(
    'a dead letter is deleted though nothing was noted',
    'functions/bury/bury.ts',
    'return failedOr(failed, lastError)',
    "return { work: 'failed', lastError }",
  ),
  one(
    'a permanent failure is deleted though nothing was noted',
    CONSUME,
    'return failedOr(await failForGood(world, message, record, by, lastError), lastError)',
    "await failForGood(world, message, record, by, lastError); return { work: 'failed', lastError }",
  ),
  one(
    'a try that did not come back is followed at once',
    'functions/consume/hold-back.ts',
    'if (now() < until)',
    'if (now() < known.leaseUntil)',
  ),
  one(
    'an event whose try did not come back is handled beside others',
    'functions/consume/hold-back.ts',
    'await turn()\n',
    '\n',
  ),
  one(
    'the lease of a worker ends with its function',
    'functions/consume/take.ts',
    'CLOCK_SKEW = millis(5_000)',
    'CLOCK_SKEW = millis(0)',
  ),
  one(
    'the lease of a worker ends after a few seconds',
    'functions/consume/take.ts',
    'plus(plus(now, remaining), CLOCK_SKEW)',
    'plus(now, CLOCK_SKEW)',
  ),
  one(
    'an event has one try less than it was given',
    CONSUME,
    'if (record.attempts >= tries) return',
    'if (record.attempts + 1 >= tries) return',
  ),
  one(
    'the last try is none',
    CONSUME,
    'if (record.attempts > bounds.tries) return',
    'if (record.attempts >= bounds.tries) return',
  ),
  one(
    'tries are not counted',
    'functions/adapters/dynamodb-work.ts',
    'updatedAt: now, attempts: 1, seenGeneration',
    'updatedAt: now, attempts: 0, seenGeneration',
  ),
  one(
    'an event has as many tries as if its user had said nothing',
    'functions/consume/tries.ts',
    'said ?? (group === null',
    '(undefined as number | undefined) ?? (group === null',
  ),
  one('a commit that nobody waits for is not waited for', 'functions/consume/handle.ts', 'await settled()\n', '\n'),
  where(
    { forges: true },
    one(
      'a message that is forged is handled',
      'functions/consume/authenticate.ts',
      "case 'forged':\n      return forged('its MAC is wrong')",
      "case 'forged':\n      return read",
    ),
  ),
  one(
    'who reads a record may be shown an older one',
    'functions/adapters/dynamodb-events.ts',
    'Key: { fingerprint }, ConsistentRead: true }',
    'Key: { fingerprint }, ConsistentRead: false }',
  ),
  one('a turn comes while one other is at work', 'functions/consume/turns.ts', 'if (left > 0)', 'if (left > 1)'),
  both(
    'a message of a later release is deleted while its event waits',
    one('', CONSUME, 'if (ours) return', 'if (false) return'),
    one('', CONSUME, 'return mayBeRead && ', 'return false && '),
  ),
  where(
    { rolledBack: true, world: { receives: 1 } },
    one(
      'a dead letter of a later release is deleted while its event waits',
      'functions/bury/bury.ts',
      'return read.ours ? buryEvent(world, read.ours, tries) : failUnread(world, received, read)',
      'return failUnread(world, received, read)',
    ),
  ),
]
