import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { handedOverBodies } from '../../../functions/adapters/handed-over-bodies.ts'
import { secretsManagerKey } from '../../../functions/adapters/secrets-manager-key.ts'
import { secretsManagerSecrets } from '../../../functions/adapters/secrets-manager-secrets.ts'
import { sqsHandOver } from '../../../functions/adapters/sqs-hand-over.ts'
import type { AwsCalls } from '../../../functions/adapters/wire/aws-calls.ts'
import type { QueueMessage } from '../../../functions/adapters/wire/queue-calls.ts'
import type { Message } from '../../../functions/contract/message.ts'
import { SEVERAL } from '../../../functions/contract/queues.ts'
import { type Fingerprint, millis, type Sha256, seconds } from '../../../functions/domain/brands.ts'
import { sha256 } from '../../../functions/domain/identity.ts'
import { anyFingerprint, NOON } from '../../support/events.ts'
import { RIG_KEY } from '../../support/sealed.ts'
import { allStores } from '../../support/stores.ts'
import { watchedAws } from '../../support/watched-aws.ts'

type QueueCalls = AwsCalls['queue']

const message = (fields: Partial<Message> = {}): Message => ({
  ...{ version: 1, id: 'f'.repeat(64), source: 'stripe', provider: 'stripe', eventId: 'evt_1', type: null },
  ...{ generation: 0, edition: 0, receivedAt: '2026-11-15T12:00:00.000Z', correlationId: 'request-1' },
  ...{ expiresAt: 1_800_000_000, retain: 604_800, bodySigned: true, headers: {}, ordering: null },
  body: { sha256: '0'.repeat(64), size: 2, encoding: 'base64', data: 'e30=' },
  ...fields,
})

const SENT = { kind: 'sent' } as const
const NOWHERE = { kind: 'refused', cause: 'its destination does not exist any more', nowhere: true }

/** The stores over queues that answer as a test says, and what those were asked. */
const queuesThat = (calls: Partial<QueueCalls> = {}) => {
  const { aws, names } = watchedAws()
  const asked: { readonly url: string; readonly entries: readonly Omit<QueueMessage, 'QueueUrl'>[] }[] = []
  const queue: QueueCalls = {
    ...aws.queue,
    ...calls,
    sendMessage: async (entry, body) => {
      asked.push({ url: entry.QueueUrl, entries: [entry] })
      return (calls.sendMessage ?? aws.queue.sendMessage)(entry, body)
    },
    sendMessageBatch: async (url, entries) => {
      asked.push({ url, entries })
      return (calls.sendMessageBatch ?? aws.queue.sendMessageBatch)(url, entries)
    },
  }
  return { ...allStores({ ...aws, queue }, names), calls: queue, asked, names }
}

describe('where a message goes', () => {
  it('a message for a destination goes to its queue, one for several to the queue of several, and others to the worker', async () => {
    const { queue, asked, names } = queuesThat()
    for (const to of [['billing'], ['crm'], ['billing', 'crm'], undefined]) {
      expect(await queue.send(message(to && { to }), {}, RIG_KEY)).toEqual(SENT)
    }
    const { billing, crm, [SEVERAL]: several } = names.destinations
    expect(asked.map(({ url }) => url)).toEqual([billing, crm, several, names.queueUrl])
  })

  it('a message for a destination that was removed is refused without a call, alone and in a batch', async () => {
    const { queue, asked, names } = queuesThat()
    expect(await queue.send(message({ to: ['gone'] }), {}, RIG_KEY)).toEqual(NOWHERE)
    expect(asked).toEqual([])
    const entries = [['gone'], ['billing'], undefined].map(to => ({ message: message(to && { to }), trace: {} }))
    expect(await queue.sendBatch(entries, RIG_KEY)).toEqual([NOWHERE, SENT, SENT])
    expect(asked.map(({ url, entries: { length } }) => [url, length])).toEqual([
      [names.destinations.billing, 1],
      [names.queueUrl, 1],
    ])
  })

  it.each([
    [['worker'], true],
    [['billing'], true],
    [['billing', 'crm'], true],
    [['gone'], false],
  ])('whether events for %j can be sent is told as %j', async (to, leads) => {
    expect(await queuesThat().queue.leadsTo(to)).toBe(leads)
  })

  it('events for several destinations cannot be sent if there is no queue for several', async () => {
    const { aws, names } = watchedAws()
    const { queue } = allStores(aws, { ...names, destinations: { billing: 'b' } })
    expect(await queue.leadsTo(['billing', 'crm'])).toBe(false)
    const { queue: alone } = allStores(aws, { queueUrl: names.queueUrl })
    expect(await alone.leadsTo(['billing'])).toBe(false)
  })

  it('a send that the queue refuses is refused, with the name of the fault', async () => {
    const error = Object.assign(new Error('not you'), { name: 'AccessDenied' })
    const { queue } = queuesThat({ sendMessage: async () => ({ kind: 'refused', error }) })
    expect(await queue.send(message(), {}, RIG_KEY)).toEqual({
      kind: 'refused',
      cause: expect.stringContaining('AccessDenied'),
    })
  })
})

describe('a batch', () => {
  const entriesOf = (messages: readonly Message[]) => messages.map(each => ({ message: each, trace: {} }))

  it('every message of a batch goes to its queue as it is, without the name of the queue', async () => {
    const { queue, asked, names } = queuesThat()
    await queue.sendBatch(entriesOf([message({ eventId: 'evt_a' }), message({ eventId: 'evt_b' })]), RIG_KEY)
    expect(asked.map(({ url }) => url)).toEqual([names.queueUrl])
    expect(asked[0]?.entries.map(({ MessageBody }) => MessageBody.match(/evt_\w/)?.[0])).toEqual(['evt_a', 'evt_b'])
    for (const entry of asked[0]?.entries ?? []) expect(entry).not.toHaveProperty('QueueUrl')
  })

  it('the reason of an entry that failed is cut after 120 characters', async () => {
    const failed = new Map([[0, { cause: 'x'.repeat(500), certain: true }]])
    const { queue } = queuesThat({ sendMessageBatch: async () => ({ kind: 'sent', failed }) })
    const [answer] = await queue.sendBatch(entriesOf([message()]), RIG_KEY)
    expect(answer).toEqual({ kind: 'refused', cause: 'x'.repeat(120) })
  })

  it('a call leaves room for the attributes of its messages beside their texts', async () => {
    const callsFor = async (size: number) => {
      const body = { sha256: '0'.repeat(64), size: 2, encoding: 'base64', data: 'A'.repeat(size) } as const
      const { queue, asked } = queuesThat({ sendMessageBatch: async () => ({ kind: 'sent', failed: new Map() }) })
      await queue.sendBatch(entriesOf([message({ body }), message({ body })]), RIG_KEY)
      const texts = asked.flatMap(({ entries }) => entries.map(({ MessageBody }) => MessageBody.length))
      return { calls: asked.length, together: texts.reduce((sum, length) => sum + length, 0) }
    }
    // A call holds 1,000,000 bytes: these texts leave less than the 2,048 that the attributes of both may take.
    const tight = await callsFor(498_900)
    expect(tight.together).toBeGreaterThan(998_000)
    expect(tight.together).toBeLessThan(1_000_000)
    expect(tight.calls).toBe(2)
    expect((await callsFor(490_000)).calls).toBe(1)
  })

  const ordered = (key: string, number: number) =>
    message({ id: String(number).padStart(64, '0'), eventId: `evt_${number}`, ordering: { key, version: null } })

  it('ordered messages go one call after the other, in their order', async () => {
    const order: string[] = []
    let underWay = 0
    const { queue } = queuesThat({
      sendMessageBatch: async (_url, entries) => {
        underWay += 1
        expect(underWay).toBe(1)
        await new Promise(resolve => void setImmediate(resolve))
        order.push(...entries.map(({ MessageBody }) => MessageBody.match(/evt_\d+/)?.[0] ?? ''))
        underWay -= 1
        return { kind: 'sent', failed: new Map() }
      },
    })
    const numbers = Array.from({ length: 25 }, (_, number) => number)
    const answers = await queue.sendBatch(entriesOf(numbers.map(number => ordered('a', number))), RIG_KEY)
    expect(answers).toEqual(numbers.map(() => SENT))
    expect(order).toEqual(numbers.map(number => `evt_${number}`))
  })

  it('after an ordered message that was not sent none of its group is, and those of other groups are', async () => {
    let calls = 0
    const { queue, asked } = queuesThat({
      sendMessageBatch: async () => {
        calls += 1
        return { kind: 'sent', failed: new Map(calls === 1 ? [[9, { cause: 'no', certain: true }]] : []) }
      },
    })
    // Ten of the group a, of which the last fails; then both groups; then ten of a alone.
    const keys = [...Array(10).fill('a'), ...Array(9).fill('a'), 'b', ...Array(10).fill('a')]
    const answers = await queue.sendBatch(entriesOf(keys.map((key, number) => ordered(key, number))), RIG_KEY)
    const held = { kind: 'refused', cause: 'a message of its group before it was not sent' }
    expect(answers.slice(0, 10)).toEqual([...Array(9).fill(SENT), { kind: 'refused', cause: 'no' }])
    expect(answers.slice(10, 20)).toEqual([...Array(9).fill(held), SENT])
    expect(answers.slice(20)).toEqual(Array(10).fill(held))
    expect(asked.map(({ entries: { length } }) => length)).toEqual([10, 1])
  })
})

describe('a message that a worker has received', () => {
  const hiding = (answer: 'changed' | 'gone' | Error) => {
    const hidden: unknown[] = []
    const { aws, names } = watchedAws()
    const changeVisibility: QueueCalls['changeVisibility'] = async (...call) => {
      hidden.push(call)
      if (answer instanceof Error) throw answer
      return answer
    }
    const made = (given: Partial<typeof names>) =>
      allStores({ ...aws, queue: { ...aws.queue, changeVisibility } }, given).visibility
    return { hidden, names, made }
  }
  const hour = seconds(3_600)

  it('a message of a group is hidden in the FIFO queue, and any other in the standard queue', async () => {
    const { hidden, names, made } = hiding('changed')
    expect(await made(names).hide({ receipt: 'r', group: null }, hour)).toEqual({ kind: 'hidden' })
    expect(await made(names).hide({ receipt: 'r', group: 'g' }, hour)).toEqual({ kind: 'hidden' })
    await made({ queueUrl: names.queueUrl }).hide({ receipt: 'r', group: 'g' }, hour)
    expect(hidden).toEqual([
      [names.queueUrl, 'r', 3_600],
      [names.orderedQueueUrl, 'r', 3_600],
      [names.queueUrl, 'r', 3_600],
    ])
  })

  it('a message that is gone is told as gone, and a queue without an answer as unavailable', async () => {
    const held = { receipt: 'r', group: null }
    const gone = hiding('gone')
    expect(await gone.made(gone.names).hide(held, hour)).toEqual({ kind: 'gone' })
    const failing = hiding(new Error('no answer'))
    expect((await failing.made(failing.names).hide(held, hour)).kind).toBe('unavailable')
  })
})

describe('the queue of a destination that was removed', () => {
  const send = (queue: QueueCalls, QueueUrl: string, MessageBody: string) =>
    queue.sendMessage({ QueueUrl, MessageBody, MessageAttributes: {} })

  it('its messages are moved to the dead letters, and it is empty then', async () => {
    const { left, calls, names, asked } = queuesThat()
    const url = names.destinations.billing ?? ''
    for (const text of ['a', 'b']) await send(calls, url, text)
    asked.length = 0
    expect(await left.bury(url)).toBe(2)
    expect(asked.map(each => [each.url, each.entries[0]?.MessageBody])).toEqual([
      [names.deadLettersUrl, 'a'],
      [names.deadLettersUrl, 'b'],
    ])
    expect((await calls.queueState(url)).messages).toBe(0)
    expect(await left.bury(url)).toBe(0)
    expect(left.current).toEqual(names.destinations)
  })

  it('it is looked at for a second, and nothing is deleted if it is empty', async () => {
    const asked: unknown[] = []
    const { left } = queuesThat({
      receiveMessages: async (url, { waitSeconds }) => {
        asked.push([url, waitSeconds])
        return []
      },
      deleteMessages: async () => {
        throw new Error('nothing is there')
      },
    })
    expect(await left.bury('q')).toBe(0)
    expect(asked).toEqual([['q', 1]])
  })

  it('a message that the dead letters do not take stays where it is', async () => {
    const error = new Error('too large')
    const deleted: unknown[] = []
    const { left } = queuesThat({
      receiveMessages: async () => [{ messageId: 'm', receipt: 'r', body: 'a', system: {}, attributes: {} }],
      sendMessage: async () => ({ kind: 'refused', error }),
      deleteMessages: async (...call) => {
        deleted.push(call)
        return []
      },
    })
    await expect(left.bury('q')).rejects.toThrow('too large')
    expect(deleted).toEqual([])
  })

  it('a laptop without destinations has no queues of them', () => {
    const { aws } = watchedAws()
    expect(allStores(aws, { queueUrl: 'q' }).left.current).toEqual({})
  })
})

describe('an event that is handed over', () => {
  it('an envelope goes to the queue of its reader with its attributes, in its group if that is a FIFO queue', async () => {
    const { calls, asked } = queuesThat({ sendMessage: async () => SENT })
    const handOver = sqsHandOver({ queue: calls })
    const envelope = { queueUrl: 'theirs', text: '{}', attributes: { type: 'invoice.paid' } }
    await handOver(envelope)
    await handOver({ ...envelope, fifo: { group: 'g', deduplication: 'd' } })
    const plain = {
      ...{ QueueUrl: 'theirs', MessageBody: '{}' },
      MessageAttributes: { type: { DataType: 'String', StringValue: 'invoice.paid' } },
    }
    expect(asked.map(({ entries: [entry] }) => entry)).toEqual([
      plain,
      { ...plain, MessageGroupId: 'g', MessageDeduplicationId: 'd' },
    ])
  })

  it('an envelope that its queue refuses is thrown as what the queue says', async () => {
    const error = new Error('not you')
    const { calls } = queuesThat({ sendMessage: async () => ({ kind: 'refused', error }) })
    await expect(sqsHandOver({ queue: calls })({ queueUrl: 'q', text: '', attributes: {} })).rejects.toBe(error)
  })

  it('a body that is handed over lies as it is under its event, its hash and the day, and is written over what may be blank', async () => {
    const { aws, names } = watchedAws()
    const keep = handedOverBodies(aws, names, () => NOON)
    const place = { bucket: names.bodiesBucket, key: '30d/handed-over/an-id/a-hash/2026-11-15' }
    await aws.objects.put(place.bucket, place.key, { bytes: Uint8Array.of(0), metadata: { 'expires-at': '0' } })
    expect(await keep({ id: 'an-id' }, Uint8Array.of(1, 2), 'a-hash')).toEqual(place)
    const found = await aws.objects.get(place.bucket, place.key)
    expect([...(found?.bytes ?? [])]).toEqual([1, 2])
    expect(found?.metadata).toEqual({})
  })
})

describe('a body', () => {
  const WEEK = 7 * 86_400
  const bodyOf = (bytes: Uint8Array, fingerprint = anyFingerprint()) => ({
    ...{ fingerprint, sha256: sha256(bytes), bytes, eventId: 'e', headers: {}, ordering: null },
  })
  const until = (days: number) => seconds(NOON / 1000 + days * 86_400)

  it('a large body that compresses is kept compressed in the bucket, and comes back as it was', async () => {
    const { aws, names } = watchedAws()
    const stores = allStores(aws, names)
    const text = Buffer.from(`${randomBytes(9_000).toString('hex')}`.repeat(2))
    const body = bodyOf(new Uint8Array(text))
    expect(await stores.bodies.keep(body, NOON, until(7))).toEqual({
      kind: 'kept',
      at: 's3:7d:2026-11-15',
    })
    const key = `7d/${body.fingerprint}/${body.sha256}/2026-11-15`
    expect((await aws.objects.get(names.bodiesBucket, key))?.metadata.compressed).toBe('true')
    const found = await stores.bodies.fetch(body.fingerprint, body.sha256, 's3:7d:2026-11-15', NOON)
    expect(Buffer.from(found?.bytes ?? []).equals(text)).toBe(true)
  })

  it('a body stays where it was read, if that lasts as long as it has to', async () => {
    const { aws, names } = watchedAws()
    const { bodies } = allStores(aws, names)
    const body = bodyOf(new Uint8Array(randomBytes(20_000)))
    const day = 86_400_000
    const at = 's3:14d:2026-11-15' as const
    // Fourteen days from the midnight after Sunday end on the 30th.
    expect(await bodies.keep(body, millis(NOON + day), until(8), { readAt: at })).toEqual({ kind: 'kept', at })
    expect(await aws.objects.list(names.bodiesBucket, '')).toEqual([])
    expect(await bodies.keep(body, millis(NOON + 7 * day), until(14), { readAt: at })).toEqual({ kind: 'kept', at })
    const later = await bodies.keep(body, millis(NOON + 8 * day), until(15), { readAt: at })
    expect(later).toEqual({ kind: 'kept', at: 's3:7d:2026-11-23' })
    expect(await bodies.keep(body, NOON, until(7), { readAt: 'dynamodb' })).toEqual({
      kind: 'kept',
      at: 's3:7d:2026-11-15',
    })
    expect(await bodies.keep(body, NOON, until(7), { readAt: null })).toEqual({ kind: 'kept', at: 's3:7d:2026-11-15' })
  })

  it('a body that is to be kept for longer than the longest class is not kept', async () => {
    const { aws, names } = watchedAws()
    const body = bodyOf(new Uint8Array(randomBytes(20_000)))
    const answer = await allStores(aws, names).bodies.keep(body, NOON, until(401))
    expect(answer).toEqual({ kind: 'unavailable', cause: expect.stringContaining('cannot be kept for 401 days') })
    expect((await allStores(aws, names).bodies.keep(body, NOON, until(400))).kind).toBe('kept')
  })

  it.each([10, 50_000])('a body of %d bytes that is discarded is gone', async size => {
    const { aws, names } = watchedAws()
    const { bodies } = allStores(aws, names)
    const body = bodyOf(new Uint8Array(randomBytes(size)))
    const kept = await bodies.keep(body, NOON, until(7))
    const at = kept.kind === 'kept' ? kept.at : 'dynamodb'
    const answer = await bodies.discard(body.fingerprint, body.sha256, at, seconds(NOON / 1000 + WEEK))
    expect(answer).toEqual({ kind: 'discarded' })
    expect(await bodies.fetch(body.fingerprint, body.sha256, at, NOON)).toBeUndefined()
  })

  it('the record of where a body lies is read as it was written, and nothing else is', async () => {
    const asked: string[] = []
    const { aws, names } = watchedAws()
    const get: AwsCalls['objects']['get'] = async (_bucket, key) => {
      asked.push(key)
      return undefined
    }
    const { bodies } = allStores({ ...aws, objects: { ...aws.objects, get } }, names)
    const fingerprint = 'f'.repeat(64) as Fingerprint
    const digest = createHash('sha256').digest('hex') as Sha256
    await bodies.fetch(fingerprint, digest, 's3:400d:2026-11-15', NOON)
    expect(asked).toEqual([`400d/${fingerprint}/${digest}/2026-11-15`])
  })
})

describe('secrets', () => {
  const holding = (text: string | undefined) => {
    const getSecret = async () => (text === undefined ? undefined : { text, version: 'v-1', createdAt: null })
    const secrets = { ...watchedAws().aws.secrets, getSecret }
    return secretsManagerSecrets({ secrets }, { signingSecrets: 'signing', fingerprintKey: 'key' }, () => NOON)
  }

  it.each(['null', '7', '"text"', '["s"]', 'true', undefined])(
    'signing secrets that are no object (%j) are unavailable, and no source is open',
    async text => {
      expect((await holding(text).signingSecrets('stripe')).kind).toBe('unavailable')
    },
  )

  it('a secret that stands alone counts as a list of one', async () => {
    const answer = await holding('{"stripe":"alone"}').signingSecrets('stripe')
    expect(answer.kind === 'found' && answer.secrets.map(secret => secret.reveal())).toEqual(['alone'])
  })

  it('what is captured is known after a look at the secrets, and never before', async () => {
    const until = '2026-11-15T13:00:00.000Z'
    const store = holding(JSON.stringify({ stripe: ['s', `hooklatch-capture:${until} 503`], github: ['g'] }))
    expect(await store.capturing?.('stripe')).toBeNull()
    await store.signingSecrets('stripe')
    expect(await store.capturing?.('stripe')).toEqual({ until: Date.parse(until), answer: 503 })
    expect(await store.capturing?.('github')).toBeNull()
    expect(await store.capturing?.('nobody')).toBeNull()
  })

  it('a handshake of a source that nobody has opened is closed, and stores nothing', async () => {
    const stored: unknown[] = []
    const secrets = {
      ...watchedAws().aws.secrets,
      getSecret: async () => ({ text: '{"stripe":["s"]}', version: 'v-1', createdAt: null }),
      putPendingSecret: async (...call: unknown[]) => {
        stored.push(call)
        return 'v-2'
      },
    }
    const names = { signingSecrets: 'signing', fingerprintKey: 'key' }
    const store = secretsManagerSecrets({ secrets }, names, () => NOON)
    expect(await store.accept('paypal', 'a-secret-of-theirs')).toEqual({ kind: 'closed' })
    expect(stored).toEqual([])
  })

  it('a fingerprint key that holds nothing is unavailable, and is asked for again', async () => {
    let text = ''
    let asked = 0
    const getSecret = async () => {
      asked += 1
      return text === '' ? undefined : { text, version: 'v', createdAt: null }
    }
    const { fingerprintKey } = secretsManagerKey({ secrets: { getSecret } }, { fingerprintKey: 'key' })
    expect(await fingerprintKey()).toMatchObject({ kind: 'unavailable' })
    text = 'a-key'
    const key = await fingerprintKey()
    expect('reveal' in key && key.reveal()).toBe('a-key')
    await fingerprintKey()
    expect(asked).toBe(2)
  })
})
