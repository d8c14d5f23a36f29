import { LONGER_THAN_A_MESSAGE } from '../focus.ts'
import { both, type Mutant, one, where } from './mutant.ts'

const FAIL_FOR_GOOD = 'functions/consume/fail-for-good.ts'
const RECOVER = 'functions/recover/recover.ts'

/** Faults that a review once found, put back. docs/guarantees.md has the list, with those that a named test finds. */
export const FAULT_MUTANTS: readonly Mutant[] = [
  where(
    { world: { rerenders: true }, mode: 'unprocessable', often: ['sendMessage', 'settle'] },
    both(
      'the bytes of a message are kept under the hash of its record',
      one(
        '',
        FAIL_FOR_GOOD,
        'keepFrom(world, message, by, bodyExpiresAt)',
        'keepFrom(world, message, by, bodyExpiresAt, record)',
      ),
      one('', FAIL_FOR_GOOD, '  expiresAt: Seconds,\n): Promise', '  expiresAt: Seconds,\n  record: any,\n): Promise'),
      one('', FAIL_FOR_GOOD, 'const sha256 = message.body.sha256 as Sha256', 'const sha256 = record.bodySha256'),
      one('', FAIL_FOR_GOOD, 'bodySha256: message.body.sha256 as Sha256,', 'bodySha256: record.bodySha256,'),
      // Nobody kept bytes under another hash since then: that check goes with it.
      one(
        '',
        'functions/domain/kept-body.ts',
        'if (sha256(bytes) !== digest) throw new BodyDamaged',
        'if (false) throw new BodyDamaged',
      ),
    ),
  ),
  one(
    'an outage is a try',
    'functions/consume/work.ts',
    'if (record.attempts > bounds.tries) return failUncalled(last)',
    "if (received.receiveCount > 5) return failOwned(last, 'Failed: five receives')",
  ),
  one(
    'a take without an answer is a try',
    'functions/consume/take.ts',
    'const giveBack = () => world.work.giveBack(implied, world.now())',
    'const giveBack = async () => {}',
  ),
  where(
    { world: { workersAway: LONGER_THAN_A_MESSAGE }, often: ['settle'], kinds: { settle: ['lost-request'] } },
    one(
      'an abandoned claim is never lost',
      'functions/recover/mark-lost.ts',
      "claimed: 'Lost: nobody finished it, and if it had a message, the queue keeps none so long',",
      'claimed: null as any,',
    ),
  ),
  where(
    { often: ['settle'] },
    one(
      'a settlement without an answer notes no body',
      'functions/accept/settle.ts',
      "const unsaid = answer.kind !== 'moved' && forwarded.bodyAt !== null",
      "const unsaid = answer.kind === 'superseded' && forwarded.bodyAt !== null",
    ),
  ),
  where(
    { world: { unreadable: true, destined: false }, often: ['sendMessage'] },
    one(
      'one body that cannot be read holds recovery up',
      RECOVER,
      "return waits ? 'unavailable' : park(world, look)",
      "return 'unavailable'",
    ),
  ),
  one(
    'an acknowledgement waits for the copy for replay',
    'functions/accept/patience.ts',
    'millis(1_000)',
    'millis(60_000)',
  ),
  where(
    { mode: 'commit', often: ['commit'] },
    one(
      'whoever meets a done event is told that their commit was written',
      'functions/adapters/dynamodb-work.ts',
      'if (item?.committed === token) return',
      "if (item?.status === 'done') return",
    ),
  ),
  where(
    { handshakes: true, often: ['getSecret', 'putPendingSecret', 'makeSecretCurrent'] },
    one(
      'a handshake stores its secret whatever was stored meanwhile',
      'functions/adapters/secrets-manager-secrets.ts',
      'calls.makeSecretCurrent(signingId, next, version)',
      'calls.makeSecretCurrent(signingId, next, (await current()).version)',
    ),
  ),
  where(
    { lean: true, world: { malformed: true }, often: ['sendMessageBatch'] },
    one(
      'a message of a batch counts as sent unless it is said to have failed',
      'functions/adapters/wire/read-batch.ts',
      'else if (!sent.has(String(index))) failed.set(index, NOT_MENTIONED)',
      '',
    ),
  ),
  where(
    { lean: true, world: { size: 'medium' }, often: ['putNew'] },
    one(
      'two writers of one object who met are both refused for good',
      'functions/adapters/lean/repeats.ts',
      "  'ConditionalRequestConflict',\n",
      '',
    ),
  ),
]
