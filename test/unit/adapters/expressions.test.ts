import { describe, expect, it } from 'vitest'
import { keyCondition, put, update } from '../../../functions/adapters/expressions.ts'
import type { Item } from '../../../functions/adapters/wire/dynamo-calls.ts'
import { giveBack, settle, take } from '../../../functions/domain/protocol.ts'
import type { Transition } from '../../../functions/domain/transition.ts'
import { PROTOCOL, type TransitionName } from '../../../functions/domain/whole-protocol.ts'
import { isReserved } from '../../../lib/memory-aws/expressions/reserved-words.ts'

/** What DynamoDB is sent, letter for letter. No change: the whole item is put. No condition: it may always. */
const SENT: Readonly<Record<TransitionName, { readonly condition?: string; readonly change?: string }>> = {
  claim: {
    condition:
      'attribute_not_exists(fingerprint) OR expiresAt <= :nowSeconds OR (#status = :claimed AND fence = :fence)',
  },
  claimIgnored: {
    condition:
      'attribute_not_exists(fingerprint) OR expiresAt <= :nowSeconds OR (#status = :ignored AND fence = :fence)',
  },
  guard: {
    condition: 'attribute_not_exists(fingerprint) OR expiresAt <= :nowSeconds OR guards = :fingerprint',
  },
  inheritGuard: {
    condition:
      'attribute_not_exists(fingerprint) OR expiresAt <= :nowSeconds OR (guards = :fingerprint OR (guards = :seenGuards AND expiresAt = :seenExpiresAt))',
  },
  takeOver: {
    condition:
      '#status = :claimed AND ((fence = :seenFence AND leaseUntil <= :now AND expiresAt > :nowSeconds) OR fence = :fence)',
    change:
      'SET #status = :claimed, fence = :fence, leaseUntil = :leaseUntil, claimedAt = :claimedAt, listing = :listing, updatedAt = :updatedAt, #to = :to',
  },
  park: {
    condition:
      '#status = :claimed AND ((fence = :seenFence AND leaseUntil <= :now AND expiresAt > :nowSeconds) OR fence = :fence)',
    change:
      'SET fence = :fence, leaseUntil = :leaseUntil, claimedAt = :claimedAt, listing = :listing, updatedAt = :updatedAt, lastError = :lastError',
  },
  reopen: {
    condition:
      '(#status = :claimed AND fence = :fence) OR (#status = :failed AND (expiresAt > :nowSeconds AND generation = :seenGeneration AND attribute_not_exists(erasedAt)))',
    change:
      'SET #status = :claimed, generation = :generation, fence = :fence, leaseUntil = :leaseUntil, claimedAt = :claimedAt, listing = :listing, updatedAt = :updatedAt, attempts = :attempts, bodySha256 = :bodySha256, bodySize = :bodySize, bodyAt = :bodyAt, expiresAt = :expiresAt, #to = :to REMOVE lastError',
  },
  beginAnew: {
    condition:
      '(#status = :claimed AND ((fence = :seenFence AND generation = :seenGeneration AND leaseUntil <= :now AND expiresAt > :nowSeconds) OR fence = :fence)) OR ((#status = :done OR #status = :failed OR #status = :ignored) AND (#status = :seenStatus AND generation = :seenGeneration AND expiresAt > :nowSeconds AND (attribute_not_exists(erasedAt) OR firstSeenAt < :firstSeenAt)))',
    change:
      'SET #status = :claimed, generation = :generation, edition = :edition, fence = :fence, leaseUntil = :leaseUntil, firstSeenAt = :firstSeenAt, claimedAt = :claimedAt, listing = :listing, updatedAt = :updatedAt, attempts = :attempts, bodySha256 = :bodySha256, bodySize = :bodySize, bodyAt = :bodyAt, expiresAt = :expiresAt, madeBy = :madeBy, madeIn = :madeIn REMOVE lastError, committed, ignoredBecause, erasedAt',
  },
  outlast: {
    condition: '(generation = :seenGeneration AND expiresAt < :expiresAt) AND (#status = :done OR #status = :ignored)',
    change: 'SET expiresAt = :expiresAt',
  },
  settle: {
    condition: '(#status = :claimed OR #status = :queued) AND fence = :fence',
    change:
      'SET #status = :queued, updatedAt = :updatedAt, bodySha256 = :bodySha256, bodySize = :bodySize, bodyAt = :bodyAt, expiresAt = :expiresAt REMOVE lastError',
  },
  noteBody: {
    condition: 'generation = :seenGeneration AND attribute_not_exists(bodyAt) AND attribute_not_exists(erasedAt)',
    change: 'SET bodySha256 = :bodySha256, bodySize = :bodySize, bodyAt = :bodyAt',
  },
  release: {
    condition: '#status = :claimed AND fence = :fence',
    change: 'SET leaseUntil = :leaseUntil, updatedAt = :updatedAt, lastError = :lastError',
  },
  take: {
    condition:
      '(expiresAt > :nowSeconds AND generation = :seenGeneration) AND ((#status = :claimed OR #status = :queued) OR (#status = :working AND (leaseUntil <= :now AND fence <> :fence)))',
    change:
      'SET #status = :working, fence = :fence, leaseUntil = :leaseUntil, updatedAt = :updatedAt ADD attempts :attempts',
  },
  giveBack: {
    condition:
      '(fence = :fence AND generation = :seenGeneration) AND (#status = :working AND leaseUntil > :leaseUntil)',
    change: 'SET leaseUntil = :leaseUntil, updatedAt = :updatedAt ADD attempts :attempts',
  },
  recreate: {
    condition: 'attribute_not_exists(fingerprint) OR expiresAt <= :nowSeconds OR generation < :seenGeneration',
  },
  recreateFailed: {
    condition:
      'attribute_not_exists(fingerprint) OR expiresAt <= :nowSeconds OR (((#status = :claimed OR #status = :queued OR #status = :working OR #status = :done OR #status = :ignored) AND (generation < :seenGeneration AND firstSeenAt < :lifeEnds)) OR (#status = :failed AND ((generation < :seenGeneration AND firstSeenAt < :lifeEnds) OR fence = :fence)))',
  },
  finish: {
    condition: '(fence = :fence AND generation = :seenGeneration) AND (#status = :working OR #status = :done)',
    change: 'SET #status = :done, updatedAt = :updatedAt REMOVE lastError',
  },
  commit: {
    condition: '(fence = :fence AND generation = :seenGeneration) AND #status = :working',
    change: 'SET #status = :done, updatedAt = :updatedAt, committed = :committed REMOVE lastError',
  },
  ignore: {
    condition: '(fence = :fence AND generation = :seenGeneration) AND (#status = :working OR #status = :ignored)',
    change: 'SET #status = :ignored, updatedAt = :updatedAt, ignoredBecause = :ignoredBecause REMOVE lastError',
  },
  report: {
    condition: '(fence = :fence AND generation = :seenGeneration) AND #status = :working',
    change: 'SET leaseUntil = :leaseUntil, updatedAt = :updatedAt, lastError = :lastError',
  },
  fail: {
    condition:
      '(expiresAt > :nowSeconds AND generation = :seenGeneration AND firstSeenAt < :lifeEnds) AND (((#status = :claimed OR #status = :queued OR #status = :working) AND (leaseUntil <= :now OR fence = :fence)) OR (#status = :failed AND (attribute_not_exists(erasedAt) AND (fence = :fence OR attribute_not_exists(bodyAt) OR expiresAt <= :expiresAt))))',
    change:
      'SET #status = :failed, fence = :fence, leaseUntil = :leaseUntil, updatedAt = :updatedAt, lastError = :lastError, bodySha256 = :bodySha256, bodySize = :bodySize, bodyAt = :bodyAt, expiresAt = :expiresAt',
  },
  replay: {
    condition:
      '(expiresAt > :nowSeconds AND generation = :seenGeneration AND attribute_not_exists(erasedAt)) AND ((#status = :claimed AND (#status = :seenStatus AND fence = :seenFence AND leaseUntil <= :now)) OR ((#status = :done OR #status = :failed OR #status = :ignored) AND #status = :seenStatus))',
    change:
      'SET #status = :claimed, generation = :generation, edition = :edition, fence = :fence, leaseUntil = :leaseUntil, claimedAt = :claimedAt, listing = :listing, updatedAt = :updatedAt, attempts = :attempts, bodySha256 = :bodySha256, bodySize = :bodySize, bodyAt = :bodyAt, expiresAt = :expiresAt, #to = :to, madeBy = :madeBy, madeIn = :madeIn REMOVE lastError, committed, ignoredBecause',
  },
  erase: {
    condition:
      '(expiresAt > :nowSeconds AND generation = :seenGeneration AND attribute_not_exists(erasedAt)) AND ((#status = :done OR #status = :failed OR #status = :ignored) AND #status = :seenStatus)',
    change: 'SET fence = :fence, erasedAt = :erasedAt REMOVE lastError, ignoredBecause',
  },
  forgetSaid: { condition: 'fence = :fence', change: 'SET #before = :before' },
  blankBody: { change: 'SET erased = :erased, expiresAt = :expiresAt REMOVE #bytes, compressed' },
  claimKey: {
    condition:
      'attribute_not_exists(fingerprint) OR expiresAt <= :nowSeconds OR (#status = :running AND (fence = :fence OR (leaseUntil <= :now AND payload = :payload)))',
  },
  completeKey: {
    condition: 'fence = :fence',
    change: 'SET #status = :finished, answer = :answer, expiresAt = :expiresAt',
  },
  releaseKey: { condition: '#status = :running AND fence = :fence', change: 'SET leaseUntil = :leaseUntil' },
  advance: {
    condition:
      'attribute_not_exists(fingerprint) OR expiresAt <= :nowSeconds OR (sortsAs < :sortsAs OR (sortsAs = :sortsAs AND broughtBy = :by) OR (attribute_not_exists(sortsAs) AND (#version < :versionNumber OR #version < :versionText)) OR (attribute_not_exists(sortsAs) AND broughtBy = :by AND (#version = :versionNumber OR #version = :versionText)))',
  },
  extendMark: { condition: 'expiresAt < :expiresAt', change: 'SET expiresAt = :expiresAt' },
  noteAct: { condition: 'attribute_not_exists(fingerprint) OR expiresAt <= :nowSeconds OR #at < :since' },
  createJob: { condition: 'attribute_not_exists(fingerprint) OR expiresAt <= :nowSeconds' },
  saveJob: { condition: 'job.#state = :running' },
  moveCursor: { condition: 'attribute_not_exists(fingerprint) OR #position < :position' },
  noteQueues: { condition: 'attribute_not_exists(fingerprint) OR #at <= :at' },
  notePause: { condition: 'attribute_not_exists(fingerprint) OR #at <= :at' },
  leaseReconciler: {
    condition: 'attribute_not_exists(fingerprint) OR (leaseUntil <= :now OR fence = :fence)',
    change: 'SET fence = :fence, leaseUntil = :leaseUntil',
  },
  saveReconciler: { condition: 'fence = :fence', change: 'SET leaseUntil = :leaseUntil, #state = :state' },
  keepBody: {
    condition:
      'attribute_not_exists(fingerprint) OR expiresAt <= :nowSeconds OR (attribute_not_exists(erased) AND expiresAt < :expiresAt)',
    change:
      'SET expiresAt = :expiresAt, #bytes = if_not_exists(#bytes, :bytes), compressed = if_not_exists(compressed, :compressed) REMOVE erased',
  },
  keepDelivery: {
    change: 'SET #bytes = :bytes, compressed = :compressed, delivery = :delivery, expiresAt = :expiresAt',
  },
}

/** A value for every name there is, whoever needs it, and one that nobody needs. */
const VALUES: Item = new Proxy({}, { get: (_, name) => `the ${String(name)}` })

const KEY = { fingerprint: 'f' }

const rendered = (transition: Transition) =>
  transition.sets === 'item' ? put('events', KEY, transition, VALUES) : update('events', KEY, transition, VALUES)

const namesIn = (text: string, sign: ':' | '#') => new Set(text.match(new RegExp(`${sign}\\w+`, 'g')))

const EVERY = Object.entries(SENT).map(([name, sent]) => ({ name: name as TransitionName, sent }))

/** Of a copy, because what was made of a transition is kept: each test has it made. */
const made = (name: TransitionName) => {
  const call = rendered({ ...PROTOCOL[name] })
  const change = 'UpdateExpression' in call ? call.UpdateExpression : undefined
  return { call, change, text: `${call.ConditionExpression ?? ''} ${change ?? ''}` }
}

describe('the expressions of the protocol', () => {
  it.each(EVERY)(
    'the transition $name is sent to DynamoDB with exactly this condition and change',
    ({ name, sent }) => {
      const { call, change } = made(name)
      expect({ condition: call.ConditionExpression, change }).toEqual({
        condition: sent.condition,
        change: sent.change,
      })
    },
  )

  it.each(EVERY)('the transition $name sends the values that its expressions name, and no other', ({ name }) => {
    const { call, text } = made(name)
    expect(new Set(Object.keys(call.ExpressionAttributeValues ?? {}))).toEqual(namesIn(text, ':'))
  })

  it.each(EVERY)('the transition $name explains the names that its expressions use, and no other', ({ name }) => {
    const { call, text } = made(name)
    const names = Object.entries(call.ExpressionAttributeNames ?? {})
    expect(new Set(names.map(([spelled]) => spelled))).toEqual(namesIn(text, '#'))
    for (const [spelled, attribute] of names) expect(spelled).toBe(`#${attribute}`)
  })

  it.each(EVERY)('the transition $name spells out no word that DynamoDB keeps for itself', ({ name }) => {
    const attributes = made(name).text.match(/(?<![:#\w])[a-z]\w*/g) ?? []
    expect(attributes.filter(isReserved)).toEqual([])
  })

  it('a status that an expression compares with or sets is sent as its own name', () => {
    const { ExpressionAttributeValues } = update('events', KEY, settle, { ...SETTLED, fence: 'f' })
    expect(ExpressionAttributeValues).toMatchObject({ ':claimed': 'claimed', ':queued': 'queued', ':fence': 'f' })
  })
})

const SETTLED = { fence: 'f', updatedAt: 1, bodySha256: 'a', bodySize: 2, bodyAt: 'dynamodb', expiresAt: 3 }

describe('what an update changes', () => {
  it('an attribute whose value is null is removed, and no value is sent for it', () => {
    const { UpdateExpression, ExpressionAttributeValues } = update(
      'events',
      KEY,
      { ...settle },
      { ...SETTLED, bodyAt: null },
    )
    expect(UpdateExpression).toBe(
      'SET #status = :queued, updatedAt = :updatedAt, bodySha256 = :bodySha256, bodySize = :bodySize, expiresAt = :expiresAt REMOVE lastError, bodyAt',
    )
    expect(ExpressionAttributeValues).not.toHaveProperty(':bodyAt')
  })

  it('an attribute whose value is undefined stays as it is', () => {
    const said = { ...SETTLED, bodyAt: undefined }
    const { UpdateExpression, ExpressionAttributeValues } = update('events', KEY, { ...settle }, said)
    expect(UpdateExpression).toBe(
      'SET #status = :queued, updatedAt = :updatedAt, bodySha256 = :bodySha256, bodySize = :bodySize, expiresAt = :expiresAt REMOVE lastError',
    )
    expect(ExpressionAttributeValues).not.toHaveProperty(':bodyAt')
  })

  it('a counter changes by as much as its store says', () => {
    const said = { fence: 'f', leaseUntil: 1, updatedAt: 2, seenGeneration: 0, now: 3, nowSeconds: 4 }
    const taken = update('events', KEY, { ...take }, { ...said, attempts: 1 })
    expect(taken.ExpressionAttributeValues).toMatchObject({ ':attempts': 1 })
    const given = update('events', KEY, { ...giveBack }, { ...said, attempts: -1 })
    expect(given.ExpressionAttributeValues).toMatchObject({ ':attempts': -1 })
  })

  it('a value of zero, false or an empty text is written like any other', () => {
    const said = { ...SETTLED, bodySize: 0, bodyAt: '' }
    const { UpdateExpression, ExpressionAttributeValues } = update('events', KEY, { ...settle }, said)
    expect(UpdateExpression).toBe(SENT.settle.change)
    expect(ExpressionAttributeValues).toMatchObject({ ':bodySize': 0, ':bodyAt': '' })
  })
})

describe('a call as a whole', () => {
  it('a put names its table and item, and asks for the item that stood in its way', () => {
    expect(put('events', { ...KEY, position: 'p' }, PROTOCOL.moveCursor, { position: 'p' })).toEqual({
      TableName: 'events',
      Item: { fingerprint: 'f', position: 'p' },
      ConditionExpression: 'attribute_not_exists(fingerprint) OR #position < :position',
      ExpressionAttributeNames: { '#position': 'position' },
      ExpressionAttributeValues: { ':position': 'p' },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    })
  })

  it('an update that may always be made has no condition at all', () => {
    const said = { bytes: 'b', compressed: false, delivery: '{}', expiresAt: 1 }
    expect(update('bodies', { ...KEY, sha256: 's' }, PROTOCOL.keepDelivery, said)).toEqual({
      TableName: 'bodies',
      Key: { fingerprint: 'f', sha256: 's' },
      UpdateExpression: SENT.keepDelivery.change,
      ExpressionAttributeNames: { '#bytes': 'bytes' },
      ExpressionAttributeValues: { ':bytes': 'b', ':compressed': false, ':delivery': '{}', ':expiresAt': 1 },
    })
  })

  it.each([
    ['before', { before: 'b' }, 'claimedAt < :before', { ':before': 'b' }],
    ['from', { from: 'a' }, 'claimedAt >= :from', { ':from': 'a' }],
    ['between', { from: 'a', until: 'b' }, 'claimedAt BETWEEN :from AND :until', { ':from': 'a', ':until': 'b' }],
  ])(
    'a query of the part of a partition %s its bounds names the partition and the bounds',
    (_name, range, text, bounds) => {
      expect(keyCondition(['listing', '2026-11-15#9'], ['claimedAt', range])).toEqual({
        KeyConditionExpression: `listing = :partition AND ${text}`,
        ExpressionAttributeValues: { ':partition': '2026-11-15#9', ...bounds },
      })
    },
  )
})
