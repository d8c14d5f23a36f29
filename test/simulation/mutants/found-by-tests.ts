import { type Mutant, type NamedTest, one } from './mutant.ts'

const found = (test: NamedTest, mutant: Mutant): Mutant => ({ ...mutant, test })

const IDEMPOTENT = 'test/flow/idempotent.test.ts'

/**
 * Faults 9, 11 and 12 of the review, put back: connections, middy, synth and marks are no part of the simulated world. Two writers
 * of one object are, but what the second is told is only an outage there, and its sender comes again.
 */
export const FOUND_BY_TESTS: readonly Mutant[] = [
  found(
    {
      file: 'test/unit/clients/objects.test.ts',
      title: 'an object that is there already is no outage, and stays',
    },
    one(
      'an object that is there already is an outage',
      'functions/adapters/lean/objects.ts',
      "if (hasStatus(error, 412)) return 'exists'",
      '',
    ),
  ),
  found(
    {
      file: 'test/unit/lean/exchange.test.ts',
      title:
        'a kept connection that falls silent takes the other idle ones with it, and the second attempt is on a new one',
    },
    one(
      'a timeout on a kept connection is no sign that it is stale',
      'functions/adapters/lean/exchange.ts',
      "new ConnectionFault('TimeoutError', late, sent.reusedSocket && !answered)",
      "new ConnectionFault('TimeoutError', late, false)",
    ),
  ),
  found(
    {
      file: IDEMPOTENT,
      title: 'the key of a handler that still runs is kept when middy gives up with %s',
    },
    one(
      'an early answer of middy is stored though the handler may run',
      'functions/idempotent/idempotent.ts',
      "return isEarlyTimeout(error) || early ? 'may-run' : 'ended'",
      "return 'ended'",
    ),
  ),
  found(
    {
      file: IDEMPOTENT,
      title: 'the middy middleware gives the key back when another middleware answers before the handler is asked',
    },
    one(
      'an early answer of another middleware is stored',
      'functions/idempotent/idempotent.ts',
      "if (when !== 'before' || !begun) return concluded(request, answer)",
      'return concluded(request, answer)',
    ),
  ),
  found(
    {
      file: 'test/infra/props.test.ts',
      title: 'the prop $prop is refused as $found, with $expected expected',
    },
    one(
      'a worker may have too little time to report',
      'lib/constructs/receiver-props.ts',
      'milliseconds >= WORKER_TIMEOUT_LEAST_SECONDS * 1000',
      'milliseconds >= 0',
    ),
  ),
  found(
    {
      file: 'test/unit/adapters/dynamodb-get-all.test.ts',
      title: 'keys that the table did not get to are asked for again after pauses that grow',
    },
    one(
      'keys that the table did not get to are asked for again at once',
      'functions/adapters/dynamodb-get-all.ts',
      'await pause(millis(random() * Math.min(FIRST_PAUSE_MS * 2 ** fruitless, LONGEST_PAUSE_MS)))',
      '',
    ),
  ),
  found(
    {
      file: 'test/unit/domain/version.test.ts',
      title: 'a version in digits is the same as the number, with or without zeros before it',
    },
    one(
      'a version has another type if it has many digits',
      'functions/domain/version.ts',
      'return DIGITS.test(version) ? ofDecimal(version)',
      'return false ? ofDecimal(version)',
    ),
  ),
  found(
    {
      file: 'test/flow/edges.test.ts',
      title: 'a guard lives as long as its record, also if recovery had to finish the claim',
    },
    one(
      'a guard ends before its record',
      'functions/adapters/dynamodb-events.ts',
      'if (claimedAt > firstSeenAt) {',
      'if (false) {',
    ),
  ),
  found(
    {
      file: 'test/flow/recover.test.ts',
      title: 'an event whose claim was written an hour late is finished: it waits where recovery still comes by',
    },
    one(
      'a claim that was written late stays where recovery has gone by',
      'functions/accept/forward.ts',
      "if (because.reason !== 'lease-passed') return because",
      'return because',
    ),
  ),
  found(
    {
      file: 'test/flow/recover.test.ts',
      title: 'a $size body of a dead letter that is buried $buried stays in its record',
    },
    one(
      'recovery puts its own word over that of a failure with a body',
      'functions/recover/mark-lost.ts',
      'Math.max(expiresAt - 1, ',
      'Math.max(expiresAt, ',
    ),
  ),
]
