import { NOBODY_WORKS } from '../focus.ts'
import { both, type Mutant, one, PROTOCOL, takeoverIgnoresLease, where } from './mutant.ts'

const CLAIM = 'functions/accept/claim.ts'
const FORWARD = 'functions/accept/forward.ts'
const RESTORE = 'functions/accept/restore.ts'
const OWNERSHIP = 'functions/accept/ownership.ts'
const EVENTS = 'functions/adapters/dynamodb-events.ts'

/** Lines of the protocol, each of one transition. */
const CLAIM_FROM =
  'from: { absent: yes, claimed: ownFence, queued: no, working: no, done: no, failed: no, ignored: no }'
const SETTLE_FROM =
  'from: { absent: no, claimed: ownFence, queued: ownFence, working: no, done: no, failed: no, ignored: no }'

/** From the delivery to the queue. */
export const ACCEPT_MUTANTS: readonly Mutant[] = [
  one(
    'the claim has no condition',
    PROTOCOL,
    CLAIM_FROM,
    'from: { absent: yes, claimed: alive, queued: alive, working: alive, done: alive, failed: alive, ignored: alive }',
  ),
  one(
    'a fence matches whatever the status',
    PROTOCOL,
    CLAIM_FROM,
    'from: { absent: yes, claimed: ownFence, queued: ownFence, working: ownFence, done: ownFence, failed: ownFence, ignored: ownFence }',
  ),
  both(
    'a live claim is taken over',
    takeoverIgnoresLease,
    one('', CLAIM, 'isAbandoned(existing, world.now()) ?', 'true ?'),
  ),
  both(
    'a takeover starts at generation 0',
    one('', PROTOCOL, "'updatedAt', 'to'],", "'updatedAt', 'to', 'generation'],"),
    one('', EVENTS, 'seenFence: seen.fence, to:', 'seenFence: seen.fence, generation: 0, to:'),
  ),
  one('a dead owner is never replaced', CLAIM, 'isAbandoned(existing, world.now()) ?', 'false ?'),
  where(
    { world: { workersAway: NOBODY_WORKS }, often: ['settle'] },
    one(
      'a write shows no fence',
      PROTOCOL,
      SETTLE_FROM,
      'from: { absent: no, claimed: yes, queued: yes, working: no, done: no, failed: no, ignored: no }',
    ),
  ),
  where(
    { world: { workersAway: NOBODY_WORKS }, often: ['sendMessage', 'settle', 'release'] },
    one(
      'ending a lease shows no fence',
      PROTOCOL,
      'from: { absent: no, claimed: ownFence, queued: no, working: no, done: no, failed: no, ignored: no }',
      'from: { absent: no, claimed: yes, queued: no, working: no, done: no, failed: no, ignored: no }',
    ),
  ),
  one(
    'settling is allowed to whoever asks',
    PROTOCOL,
    SETTLE_FROM,
    'from: { absent: no, claimed: yes, queued: yes, working: yes, done: no, failed: no, ignored: no }',
  ),
  one(
    'an unknown send is released',
    FORWARD,
    "if (sent.kind === 'unavailable') return outage",
    "if (sent.kind === 'unavailable') return giveUp(world, claimed, outage('queue', sent.cause)); if (sent.kind !== 'sent') return outage",
  ),
  one(
    'an unknown send is acknowledged',
    FORWARD,
    "if (sent.kind === 'unavailable') return outage",
    'if (false) return outage',
  ),
  one(
    'a refused send is acknowledged',
    FORWARD,
    "if (sent.kind === 'refused') return giveUp",
    'if (false) return giveUp',
  ),
  one(
    'an event is acknowledged before it is forwarded',
    'functions/receive/receive.ts',
    'const forwarded = await forward(world, claimed)',
    'const forwarded: any = { ...claimed, expiresAt: claimed.record.expiresAt, bodyNotKept: false }',
  ),
  one(
    'an in-flight delivery is told duplicate',
    CLAIM,
    'meetAbandoned(world, event, existing) : inFlight(event)',
    'meetAbandoned(world, event, existing) : duplicate(event, existing)',
  ),
  one(
    'a refused delivery ends its owner\u2019s lease',
    CLAIM,
    'meetAbandoned(world, event, existing) : inFlight(event)',
    "meetAbandoned(world, event, existing) : (await world.events.release(existing, world.now(), 'x'), inFlight(event))",
  ),
  one('every owner has the same fence', OWNERSHIP, 'fence: world.newFence(), now', "fence: 'f'.repeat(32) as any, now"),
  one('the lease is in seconds', OWNERSHIP, 'plus(now, world.leaseMillis)', '(now + world.leaseMillis / 1000) as any'),
  one(
    'the expiry is in milliseconds',
    CLAIM,
    'expiresAt: plus(toSeconds(now), event.source.memory),',
    'expiresAt: (now + event.source.memory * 1000) as any,',
  ),
  one(
    'the expiry has a fraction',
    'functions/domain/brands.ts',
    'seconds(Math.floor(value / 1000))',
    '((value / 1000) as any)',
  ),
  one(
    'a record forgets sooner than its message',
    'functions/providers/resolve-sources.ts',
    'MESSAGE_LIFE_SECONDS +',
    '0 * MESSAGE_LIFE_SECONDS +',
  ),
  one(
    'a missing id is an empty one',
    'functions/receive/identify.ts',
    'return missing(ids, view)',
    "return { eventId: 'none', parts: [...parts, ''] }",
  ),
  one(
    'nothing is verified',
    'functions/receive/verify.ts',
    "if (verdict.kind === 'distrusted') return",
    'if (false) return',
  ),
  one('no body is stored first', 'functions/accept/keep.ts', 'if (!event.source.storeFirst ||', 'if (true ||'),
  one(
    'the body is written anew',
    'functions/domain/message.ts',
    'const packed = packedOnce(bytes)',
    'const packed = packedOnce(Buffer.from(JSON.stringify(JSON.parse(Buffer.from(bytes).toString()))))',
  ),
  one('an owner sends after its lease', FORWARD, 'if (now >= claimed.record.leaseUntil) return', 'if (false) return'),
  one(
    'a failed event keeps its generation when reopened',
    EVENTS,
    'seenGeneration: seen.generation,\n        generation: seen.generation + 1,',
    'seenGeneration: seen.generation,\n        generation: seen.generation,',
  ),
  where(
    { mode: 'unprocessable', resends: 3 },
    one(
      'an event that is reopened forgets where its body is',
      CLAIM,
      'bodyAt: kept.at,\n  }\n  const answer = await world.claims.reopen',
      'bodyAt: null,\n  }\n  const answer = await world.claims.reopen',
    ),
  ),
  one(
    'who has met another claim again and again is told duplicate',
    CLAIM,
    "case 'contended':\n      return inFlight(event)",
    "case 'contended':\n      return { outcome: 'duplicate', id: event.fingerprint, eventId: event.eventId, bodyChanged: false, expiresAt: 0 } as any",
  ),
  where(
    { world: { ordered: true, destined: false }, operators: true },
    one(
      'an event that is restored is in no order',
      RESTORE,
      'ordering: source.ordering && kept.ordering,',
      'ordering: null,',
    ),
  ),
  where(
    { world: { ordered: true, destined: false } },
    one(
      'an event is in order with nothing but itself',
      'functions/adapters/sqs-queue.ts',
      '.update(JSON.stringify([source, ordering.key]))',
      '.update(JSON.stringify([source, ordering.key, id]))',
    ),
  ),
  one(
    'what is forged leaves its body',
    'functions/receive/receive.ts',
    'const verified = await verify(world, admitted)\n',
    "await world.bodies.keep({ fingerprint: 'f'.repeat(64), sha256: (await import('../domain/identity.ts')).sha256(delivery.body), bytes: delivery.body, eventId: 'x', headers: {}, ordering: null } as any, world.now(), (Math.floor(world.now() / 1000) + 100_000) as any)\n  const verified = await verify(world, admitted)\n",
  ),
  one(
    'a failed event is acknowledged, and stays failed',
    CLAIM,
    'event.source.reopens && event.to.length > 0 && ',
    'false && ',
  ),
]
