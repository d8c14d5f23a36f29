import { type Mutant, one } from './mutant.ts'

const CLAIM = 'functions/accept/claim.ts'
const PUBLISH = 'functions/publish/publish.ts'
const PUBLISH_BATCH = 'functions/publish/publish-batch.ts'
const NAMED = 'functions/publish/identify.ts'

/** Producers and their keys. */
export const PUBLISH_MUTANTS: readonly Mutant[] = [
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
    'functions/publish/publication.ts',
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
    'functions/providers/resolve-sources.ts',
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
