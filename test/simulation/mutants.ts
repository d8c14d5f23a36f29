/** A bug somebody could write, as a change to the text of a real module. Only the simulation ever loads one. */
export interface Mutant {
  readonly name: string
  readonly patches: readonly { readonly file: string; readonly find: string; readonly put: string }[]
}

const one = (name: string, file: string, find: string, put: string): Mutant => ({
  name,
  patches: [{ file, find, put }],
})
const both = (name: string, ...mutants: readonly Mutant[]): Mutant => ({
  name,
  patches: mutants.flatMap(({ patches }) => patches),
})

const EVENTS = 'functions/adapters/memory-events.ts'
const WORK = 'functions/adapters/memory-work.ts'
const CLAIM = 'functions/receive/claim.ts'
const FORWARD = 'functions/receive/forward.ts'
const CONSUME = 'functions/consume/work.ts'
const BATCH = 'functions/consume/batch.ts'
const RECOVER = 'functions/recover/recover.ts'
const ABANDONED = 'functions/recover/finish-abandoned.ts'
const REPLAY = 'lib/operator/replay.ts'
const REPLAYED = 'functions/domain/replayed.ts'
const REPLAYS = 'functions/adapters/memory-replay.ts'
const PUBLISH = 'functions/publish/publish.ts'
const PUBLISH_BATCH = 'functions/publish/publish-batch.ts'
const NAMED = 'functions/publish/identify.ts'

const takeoverIgnoresLease = one(
  '',
  EVENTS,
  'current.fence === seen.fence && isAbandoned(current, by.now)',
  'current.fence === seen.fence',
)

/** Each is caught by the simulator; test/simulation/mutants.test.ts says in how many schedules. */
export const MUTANTS: readonly Mutant[] = [
  one(
    'the claim has no condition',
    EVENTS,
    'if (existing && !isOwnClaim(existing, record.fence)) return',
    'if (false) return',
  ),
  one(
    'a fence matches whatever the status',
    EVENTS,
    "record?.status === 'claimed' && record.fence === fence",
    'record?.fence === fence',
  ),
  both(
    'a live claim is taken over',
    takeoverIgnoresLease,
    one('', CLAIM, 'isAbandoned(existing, world.now()) ?', 'true ?'),
  ),
  one(
    'a takeover starts at generation 0',
    EVENTS,
    'attempts: seen.attempts + 1,',
    'attempts: seen.attempts + 1, generation: 0,',
  ),
  one('a dead owner is never replaced', CLAIM, 'isAbandoned(existing, world.now()) ?', 'false ?'),
  one('a write shows no fence', EVENTS, '!current || current.fence !== owned.fence || !from', '!current || !from'),
  one(
    'settling is allowed to whoever asks',
    EVENTS,
    "move(owned, ['claimed', 'queued'], {",
    "move({ ...owned, fence: records.get(owned.fingerprint)?.fence ?? owned.fence }, ['claimed', 'queued', 'working'], {",
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
    'takeOver(world, event, existing) : inFlight(event)',
    'takeOver(world, event, existing) : duplicate(event, existing)',
  ),
  one(
    'a refused delivery ends its owner\u2019s lease',
    CLAIM,
    'takeOver(world, event, existing) : inFlight(event)',
    "takeOver(world, event, existing) : (await world.events.release(existing, world.now(), 'x'), inFlight(event))",
  ),
  one('every owner has the same fence', CLAIM, 'fence: world.newFence(), now', "fence: 'f'.repeat(32) as any, now"),
  one('the lease is in seconds', CLAIM, 'plus(now, world.leaseMillis)', '(now + world.leaseMillis / 1000) as any'),
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
    'functions/providers/sources.ts',
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
  one('no body is stored first', 'functions/receive/keep.ts', 'if (!event.source.storeFirst)', 'if (true)'),
  one(
    'the body is written anew',
    'functions/domain/message.ts',
    'const packed = pack(bytes, ',
    'const packed = pack(Buffer.from(JSON.stringify(JSON.parse(Buffer.from(bytes).toString()))), ',
  ),
  one('an owner sends after its lease', FORWARD, 'if (now >= claimed.record.leaseUntil) return', 'if (false) return'),
  one(
    'a failed event keeps its generation when reopened',
    EVENTS,
    'generation: seen.generation + 1,',
    'generation: seen.generation,',
  ),
  one(
    'a failed event is acknowledged, and stays failed',
    CLAIM,
    "return ownedOr({ ...same, bodyAt: kept.at }, answer, 'reopened')",
    'return duplicate(event, { ...seen, status: answer.kind } as any)',
  ),

  both(
    'recovery asks nobody',
    takeoverIgnoresLease,
    one('', ABANDONED, "if (!isAbandoned(seen, now)) return 'fine'", "if (seen.status !== 'claimed') return 'fine'"),
  ),
  one(
    'recovery forwards without taking over',
    ABANDONED,
    'const taken = await world.events.takeOver(seen, by)',
    "const taken: any = { kind: 'owned', record: { ...seen, ...by } }",
  ),
  one('recovery does nothing', RECOVER, 'for (const pass of PASSES)', 'for (const pass of [] as typeof PASSES)'),
  one(
    'recovery looks once',
    RECOVER,
    'for (const pass of PASSES)',
    "for (const pass of PASSES.filter(each => each.name !== 'late'))",
  ),
  both(
    'recovery passes over what did not answer',
    one('', RECOVER, "if (looks.includes('unavailable')) return cursor", ''),
    one(
      '',
      RECOVER,
      'for (const pass of PASSES)',
      "for (const pass of PASSES.filter(each => each.name === 'abandoned'))",
    ),
  ),
  both(
    'a takeover does not move its place in the listing',
    one(
      '',
      EVENTS,
      'put({ ...current, fence, leaseUntil, claimedAt: now, updatedAt: now, ...next })',
      'put({ ...current, fence, leaseUntil, updatedAt: now, ...next })',
    ),
    one(
      '',
      RECOVER,
      'for (const pass of PASSES)',
      "for (const pass of PASSES.filter(each => each.name === 'abandoned'))",
    ),
  ),
  both(
    'waiting messages are taken for lost',
    one('', RECOVER, 'lag: QUEUE.retentionSeconds * 1000 + HOUR', 'lag: MINUTE'),
    one(
      '',
      'functions/recover/mark-lost.ts',
      'seen.claimedAt <= now - QUEUE.retentionSeconds * 1000',
      'seen.claimedAt <= now',
    ),
  ),

  one('a message is deleted though done was refused', BATCH, 'busy: false,', 'busy: true,'),
  one('a message is deleted though its handler failed', BATCH, "'attempt-failed': false,", "'attempt-failed': true,"),
  one('a message is deleted though nobody answered', BATCH, 'unavailable: false,', 'unavailable: true,'),
  one(
    'done is marked before the effect',
    CONSUME,
    'const handled = await handle(',
    'await world.work.finish(taken.record, world.now()); const handled = await handle(',
  ),
  one(
    'a commit without an answer is taken for done',
    'functions/consume/finish.ts',
    "case 'unavailable':\n      return committed",
    "case 'unavailable':\n      return world.work.finish(record, world.now())",
  ),
  one(
    'an event another is working on is taken',
    WORK,
    '(record.leaseUntil <= now || record.fence === implied.fence)',
    'true',
  ),
  one(
    'a done event is taken again',
    WORK,
    "record.status === 'claimed' ||\n        record.status === 'queued' ||",
    "record.status === 'claimed' || record.status === 'done' ||\n        record.status === 'queued' ||",
  ),
  one(
    'a superseded consumer finishes',
    WORK,
    'record !== undefined && record.fence === owned.fence && record.generation === owned.generation',
    'record !== undefined && record.generation === owned.generation',
  ),
  one(
    'a handler that hangs loses its lease',
    CONSUME,
    "'Deadline: the handler was still running', taken.record.leaseUntil)",
    "'Deadline: the handler was still running', world.now())",
  ),
  one(
    'a handler begins after its lease',
    CONSUME,
    'if (time.signal.aborted || world.now() >= taken.record.leaseUntil)',
    'if (false)',
  ),
  one(
    'the idempotency key changes with the generation',
    'functions/consume/handler-event.ts',
    'idempotencyKey: idempotencyKey(message),',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a module
    'idempotencyKey: `${message.id.slice(0, 56)}-${message.generation}`,',
  ),
  one(
    'a dead letter fails an event under a live lease',
    WORK,
    "record.status !== 'done' && (record.leaseUntil <= now || record.fence === fence)",
    "record.status !== 'done'",
  ),
  both(
    'a done event can fail',
    one('', 'functions/bury/bury.ts', 'if (isDone) return', 'if (false) return'),
    one(
      '',
      WORK,
      "record.status !== 'done' && (record.leaseUntil <= now || record.fence === fence)",
      'record.leaseUntil <= now || record.fence === fence',
    ),
  ),
  one(
    'a dead letter is deleted without its body',
    'functions/consume/fail-for-good.ts',
    'return await world.bodies.keep(body, by.now, bodyExpiresAt)',
    "return { kind: 'kept', at: null }",
  ),
  one(
    'a dead letter is deleted though nothing was noted',
    'functions/bury/bury.ts',
    "answer.kind === 'moved' ? { work: 'failed', lastError } : notOurs(answer)",
    "({ work: 'failed', lastError })",
  ),
  one(
    'a permanent failure is deleted though nothing was noted',
    CONSUME,
    "return answer.kind === 'moved' ? { work: 'failed', lastError } : notOurs(answer)",
    "return { work: 'failed', lastError }",
  ),

  one(
    'an event in flight is replayed',
    REPLAY,
    "if (status !== 'done' && status !== 'failed') return",
    'if (false) return',
  ),
  both(
    'a replay begins whatever became of the event meanwhile',
    one('', REPLAYS, 'current?.status === seen.status &&', 'current !== undefined &&'),
    one('', REPLAYS, 'current.generation === seen.generation &&', 'current.generation >= seen.generation &&'),
  ),
  one(
    'a replay begins whatever the generation is by then',
    REPLAYS,
    'current.generation === seen.generation &&',
    'current.generation >= seen.generation &&',
  ),
  one(
    'what was replayed meanwhile is replayed for those who were shown less',
    REPLAY,
    'asked.generation !== generation',
    'false',
  ),
  one('a double submit is two replays', REPLAY, 'DOUBLE_SUBMIT_MS = 3_000', 'DOUBLE_SUBMIT_MS = 0'),
  one(
    'a redrive takes what is done',
    REPLAY,
    "if (asked.onlyFailed && status !== 'failed') return",
    'if (false) return',
  ),
  one(
    'a replay that is repeated under its fence is refused',
    REPLAYS,
    'if (audits.get(keyOf(next))?.fence === by.fence) return',
    'if (false) return',
  ),
  one('a replay has a new key though the event failed', REPLAYED, "seen.status === 'done' ?", 'true ?'),
  one('a replay has the old key though the event was done', REPLAYED, "seen.status === 'done' ?", 'false ?'),
  one('the message of a replay has the first key', 'functions/domain/message.ts', 'edition: of.edition', 'edition: 0'),
  one('nobody notes who replays', REPLAYS, 'audits.set(keyOf(next), auditOf(seen, next, by, act))', ''),
  both(
    'who replays is noted after the act',
    one('', REPLAYS, 'audits.set(keyOf(next), auditOf(seen, next, by, act))', ''),
    one(
      '',
      REPLAY,
      "if (answer.kind === 'begun') return send",
      "if (answer.kind === 'begun') await world.replays.note({ ...answer.record, act: 'replay', was: seen.status as any, actor, reason, job, at: now }, seen.firstSeenAt)\n    if (answer.kind === 'begun') return send",
    ),
  ),
  one(
    'who replays is noted, and then it is tried',
    REPLAY,
    'const answer = await world.replays.begin(',
    "await world.replays.note({ ...seen, fence: world.newFence(), generation: seen.generation + 1, act: 'replay', was: seen.status as any, actor, reason, job, at: now }, seen.firstSeenAt)\n    const answer = await world.replays.begin(",
  ),
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
    'functions/recover/restore.ts',
    'body: kept.bytes,',
    'body: Buffer.from(JSON.stringify(JSON.parse(Buffer.from(kept.bytes).toString()))),',
  ),

  one('a key is the same whoever calls', NAMED, 'parts: [caller.id, OPERATION, key],', 'parts: [OPERATION, key],'),
  one(
    'the body names what is published',
    NAMED,
    'parts: [caller.id, OPERATION, key],',
    'parts: [caller.id, OPERATION, sha256(delivery.body)],',
  ),
  one(
    'the body is part of a key',
    NAMED,
    'parts: [caller.id, OPERATION, key],',
    'parts: [caller.id, OPERATION, key, sha256(delivery.body)],',
  ),
  one('an event does not say who published it', NAMED, '[CALLER_HEADER]: caller.id', "[CALLER_HEADER]: ''"),
  one(
    'a batch has keys of its own',
    PUBLISH_BATCH,
    'identify(world, producer, key, {',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a module
    'identify(world, producer, `batch-${key}`, {',
  ),
  one(
    'another payload is taken for a duplicate',
    PUBLISH,
    "outcome.bodyChanged ? refuse('key-reused') : outcome",
    'outcome',
  ),
  one(
    'another payload takes over',
    CLAIM,
    'if (event.source.publish && hasOtherBody(event, existing)) return',
    'if (false) return',
  ),
  one(
    'another payload takes over what was abandoned',
    CLAIM,
    'if (event.source.publish && hasOtherBody(event, existing)) return',
    'if (event.source.publish && hasOtherBody(event, existing) && !isAbandoned(existing, world.now())) return',
  ),
  one(
    'a key that failed is reopened by its caller',
    'functions/providers/sources.ts',
    "config.resend !== 'ignore' && config.provider !== INTERNAL",
    "config.resend !== 'ignore'",
  ),
  one(
    'what is published is acknowledged before it is forwarded',
    PUBLISH,
    'const forwarded = await forward(world, claimed)',
    'const forwarded: any = { ...claimed, expiresAt: claimed.record.expiresAt, bodyNotKept: false }',
  ),
  one(
    'a batch is acknowledged whatever became of its messages',
    PUBLISH_BATCH,
    '[of, judged(outcome)]',
    "[of, { outcome: 'accepted', id: of.fingerprint, expiresAt: of.record.expiresAt } as any]",
  ),
]
