import { both, type Mutant, one, PROTOCOL, where } from './mutant.ts'

const REPLAY = 'functions/operate/replay.ts'
const REPLAYED = 'functions/domain/replayed.ts'
const REPLAYS = 'functions/adapters/dynamodb-replays.ts'

/** Lines of the protocol, and of the transaction that begins a replay. */
const REPLAY_FROM =
  'from: { absent: no, claimed: abandonedAndSeen, queued: no, working: no, done: seenStatus, failed: seenStatus, ignored: seenStatus },\n  when: aliveUnerased,'
const AUDIT = '{ Put: { TableName: table, Item: auditItem(auditOf(seen, next, by, act)) } },'

/** Operators who replay. */
export const REPLAY_MUTANTS: readonly Mutant[] = [
  both(
    'an event in flight is replayed',
    one('', REPLAY, 'if (!canReplay(seen, world.now())) return', 'if (false) return'),
    one(
      '',
      PROTOCOL,
      'from: { absent: no, claimed: abandonedAndSeen, queued: no, working: no, done: seenStatus, failed: seenStatus, ignored: seenStatus }',
      'from: { absent: no, claimed: seenStatus, queued: seenStatus, working: seenStatus, done: seenStatus, failed: seenStatus, ignored: seenStatus }',
    ),
  ),
  one(
    'a replay begins whatever became of the event meanwhile',
    PROTOCOL,
    REPLAY_FROM,
    'from: { absent: no, claimed: yes, queued: yes, working: yes, done: yes, failed: yes, ignored: yes },\n  when: alive,',
  ),
  where(
    { operators: true, often: ['replay'] },
    one(
      'a replay begins whatever the generation is by then',
      PROTOCOL,
      REPLAY_FROM,
      REPLAY_FROM.replace('aliveUnerased', 'alive'),
    ),
  ),
  where(
    { operators: true, often: ['replay'] },
    one(
      'what was replayed meanwhile is replayed for those who were shown less',
      REPLAY,
      'await wasJustReplayed(world, seen) : asked.generation !== generation',
      'await wasJustReplayed(world, seen) : false',
    ),
  ),
  where(
    { operators: true },
    one('a double submit is two replays', REPLAY, 'DOUBLE_SUBMIT_MS = 3_000', 'DOUBLE_SUBMIT_MS = 0'),
  ),
  one(
    'a redrive takes what is done',
    REPLAY,
    "if (asked.onlyFailed && status !== 'failed') return",
    'if (false) return',
  ),
  // Its token alone makes a repeat one act, and so does its audit: only without both is it told that another was faster.
  where(
    { operators: true, often: ['replay'] },
    both(
      'a replay that is repeated under its fence is refused',
      one('', REPLAYS, 'if (await begunBefore(next).catch(() => false)) return', 'if (false) return'),
      one('', REPLAYS, 'ClientRequestToken: by.fence', 'ClientRequestToken: crypto.randomUUID()'),
    ),
  ),
  one('a replay has a new key though the event failed', REPLAYED, "seen.status === 'done' ?", 'true ?'),
  one('a replay has the old key though the event was done', REPLAYED, "seen.status === 'done' ?", 'false ?'),
  one('the message of a replay has the first key', 'functions/domain/message.ts', 'edition: of.edition', 'edition: 0'),
  one('nobody notes who replays', REPLAYS, AUDIT, ''),
  both(
    'who replays is noted after the act',
    one('', REPLAYS, AUDIT, ''),
    one(
      '',
      REPLAY,
      "if (answer.kind === 'begun') return send",
      "if (answer.kind === 'begun') await world.replays.note({ ...answer.record, act: 'replay', was: seen.status as any, actor, reason, job, at: by.now }, seen.firstSeenAt)\n    if (answer.kind === 'begun') return send",
    ),
  ),
  one(
    'who replays is noted, and then it is tried',
    REPLAY,
    'const answer = await world.replays.begin(',
    "await world.replays.note({ ...seen, fence: world.newFence(), generation: seen.generation + 1, act: 'replay', was: seen.status as any, actor, reason, job, at: by.now }, seen.firstSeenAt)\n    const answer = await world.replays.begin(",
  ),
  where(
    { operators: true, world: { destined: true, ordered: false, unreadable: false } },
    one(
      'a replay for one destination begins the others, too',
      REPLAY,
      'copies.filter(copy => to === undefined || copy.to[0] === to)',
      'copies.filter(() => true)',
    ),
  ),
  one('who reads an audit may be shown none', REPLAYS, 'keys, { consistent: true })', 'keys, { consistent: false })'),
  one('a replay keeps the old fence', REPLAYED, 'fence: by.fence,', 'fence: seen.fence,'),
  one('a replay forgets where its body is', REPLAYED, 'bodyAt: body.bodyAt,', 'bodyAt: null,'),
  one(
    'a replay is remembered no longer than before',
    REPLAYED,
    'expiresAt: body.expiresAt,',
    'expiresAt: seen.expiresAt,',
  ),
  one(
    'a stored body is written anew',
    'functions/accept/restore.ts',
    'body: kept.bytes,',
    'body: Buffer.from(JSON.stringify(JSON.parse(Buffer.from(kept.bytes).toString()))),',
  ),
]
