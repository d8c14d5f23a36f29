import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type BusEntry, toBus } from '../../../functions/deliver/to-bus.ts'
import { toQueue } from '../../../functions/deliver/to-queue.ts'
import type { WebhookEvent } from '../../../functions/domain/event.ts'
import type { EnvelopeMessage } from '../../../functions/domain/handing-over.ts'
import { eventWith, TOOLS } from './rig.ts'

const ROOT = join(import.meta.dirname, '../../..')
const SCHEMA = JSON.parse(readFileSync(join(ROOT, 'functions/deliver/envelope.schema.json'), 'utf8'))

const kept: { event: string; bytes: Uint8Array }[] = []
const keep = async ({ id }: WebhookEvent, bytes: Uint8Array, sha256: string) => {
  kept.push({ event: id, bytes })
  return { bucket: 'bodies', key: `30d/handed-over/${id}/${sha256}` }
}

const queued = async (event: WebhookEvent, queueUrl = 'https://sqs/1/crm-events'): Promise<EnvelopeMessage> => {
  const sent: EnvelopeMessage[] = []
  const send = async (message: EnvelopeMessage) => void sent.push(message)
  await toQueue({ destination: 'crm', keep, send }, { queueUrl })(event as never, TOOLS)
  return sent[0] as EnvelopeMessage
}

const onBus = async (event: WebhookEvent): Promise<BusEntry> => {
  const put: BusEntry[] = []
  await toBus({ destination: 'all', keep, put: async entry => void put.push(entry) }, { bus: 'company' })(
    event as never,
    TOOLS,
  )
  return put[0] as BusEntry
}

describe('the envelope of an event', () => {
  it('the envelope says everything that a handler of ours would be given, with the exact bytes', async () => {
    const text = '{"name":"Zoë","emoji":"🎉","big":12345678901234567890}\n'
    const { text: message, attributes } = await queued(eventWith(text))
    expect(message).toMatch(/^[\x20-\x7e]*$/)
    const envelope = JSON.parse(message)
    expect(envelope).toMatchObject({ version: 1, destination: 'crm', source: 'stripe', type: 'invoice.paid' })
    expect(envelope.body).toEqual({
      sha256: createHash('sha256').update(text).digest('hex'),
      size: Buffer.byteLength(text),
      encoding: 'utf8',
      data: text,
    })
    expect(attributes).toEqual({
      source: 'stripe',
      type: 'invoice.paid',
      idempotencyKey: envelope.idempotencyKey,
      correlationId: 'request-1',
    })
  })

  it('the schema in the package names every field and every encoding of an envelope, and no other', async () => {
    const envelopes = await Promise.all(
      [eventWith('{}'), eventWith(Buffer.of(0xff)), eventWith('x'.repeat(2_000_000))].map(queuedEnvelope),
    )
    const bus = JSON.parse((await onBus(eventWith('{"a":1}'))).Detail)
    for (const envelope of [...envelopes, bus])
      expect(Object.keys(envelope).sort()).toEqual([...SCHEMA.required].sort())
    expect(Object.keys(SCHEMA.properties).sort()).toEqual([...SCHEMA.required].sort())
    const encodings = SCHEMA.properties.body.oneOf.map((one: Encoding) => one.properties.encoding.const)
    expect([...envelopes, bus].map(({ body }) => body.encoding).sort()).toEqual([...encodings].sort())
    for (const { body } of [...envelopes, bus]) {
      const own = SCHEMA.properties.body.oneOf.find((one: Encoding) => one.properties.encoding.const === body.encoding)
      expect(Object.keys(body).sort()).toEqual([...SCHEMA.properties.body.required, ...own.required].sort())
    }
  })

  it('a body that is no text travels as base64, and one that does not fit as an object that holds its bytes', async () => {
    expect(JSON.parse((await queued(eventWith(Buffer.of(0xff, 0)))).text).body).toMatchObject({
      encoding: 'base64',
      data: '/wA=',
    })
    kept.length = 0
    // Each of them becomes six characters.
    const wide = 'é'.repeat(200_000)
    const { text } = await queued(eventWith(wide))
    expect(text.length).toBeLessThan(2_000)
    expect(JSON.parse(text).body).toMatchObject({ encoding: 's3', bucket: 'bodies', size: 400_000 })
    expect(kept.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([wide])
  })

  it('a FIFO queue gets the events of one key in one group, and a repeat under one name', async () => {
    const fifo = 'https://sqs/1/crm-events.fifo'
    const ordering = { key: 'customer-1', version: null }
    const [one, other, alone] = await Promise.all([
      queued(eventWith('{}', { ordering }), fifo),
      queued(eventWith('{}', { ordering, idempotencyKey: 'b-0' }), fifo),
      queued(eventWith('{}', { idempotencyKey: 'c-0' }), fifo),
    ])
    expect(one?.fifo?.group).toBe(other?.fifo?.group)
    expect(alone?.fifo).toEqual({ group: 'c-0', deduplication: 'c-0-0' })
    expect((await queued(eventWith('{}'))).fifo).toBeUndefined()
  })

  it('an event on a bus has a source, a type and its JSON as it was, so rules can look into it', async () => {
    const entry = await onBus(eventWith('{\n\t"big": 12345678901234567890, "name": "Zoë\\n"}'))
    expect(entry).toMatchObject({ EventBusName: 'company', Source: 'hooklatch.stripe', DetailType: 'invoice.paid' })
    expect(entry.Time).toBe(Date.UTC(2026, 10, 15, 12) / 1000)
    expect(entry.Detail).toContain('"big": 12345678901234567890')
    expect(JSON.parse(entry.Detail)).toMatchObject({ destination: 'all', body: { data: { name: 'Zoë\n' } } })
  })

  it('an event without a type and a body that is no JSON go to a bus all the same, and a large body by pointer', async () => {
    const plain = await onBus(eventWith('a=b', { type: null }))
    expect(plain.DetailType).toBe('webhook')
    expect(JSON.parse(plain.Detail).body).toMatchObject({ encoding: 'utf8', data: 'a=b' })
    const large = await onBus(eventWith(JSON.stringify({ a: 'x'.repeat(250_000) })))
    expect(JSON.parse(large.Detail).body).toMatchObject({ encoding: 's3', bucket: 'bodies' })
  })
})

it('the reader in the docs is the one that is tested', () => {
  const reader = readFileSync(join(ROOT, 'docs/samples/read_envelope.py'), 'utf8')
  expect(readFileSync(join(ROOT, 'docs/destinations.md'), 'utf8')).toContain(`\`\`\`python\n${reader}\`\`\``)
})

const hasPython = spawnSync('python3', ['--version']).status === 0

describe.runIf(hasPython)('the reader in Python', () => {
  it('the reader of the docs gives back the bytes of every encoding, and refuses a changed body', async () => {
    const text = '{"name":"Zoë"}\n'
    const plain = await queued(eventWith(text))
    const binary = await queued(eventWith(Buffer.of(0xff, 0, 1)))
    expect(python(plain.text)).toBe(Buffer.from(text).toString('hex'))
    expect(python(binary.text)).toBe('ff0001')
    expect(python(plain.text.replace('Zo', 'Za'))).toBe('ValueError')
    const large = await queued(eventWith('y'.repeat(1_200_000)))
    expect(python(large.text, 'y'.repeat(1_200_000))).toBe(Buffer.from('y'.repeat(1_200_000)).toString('hex'))
  })
})

const python = (envelope: string, object = ''): string =>
  execFileSync(
    'python3',
    [
      '-c',
      [
        'import io, json, sys',
        "sys.path.insert(0, 'docs/samples')",
        'from read_envelope import read_envelope',
        'given = json.load(sys.stdin)',
        'class S3:',
        '    def get_object(self, Bucket, Key):',
        "        return {'Body': io.BytesIO(given['object'].encode())}",
        'try:',
        "    print(read_envelope(given['envelope'], S3())[1].hex(), end='')",
        'except ValueError as error:',
        "    print(type(error).__name__, end='')",
      ].join('\n'),
    ],
    {
      cwd: ROOT,
      input: JSON.stringify({ envelope, object }),
      encoding: 'utf8',
      maxBuffer: 10_000_000,
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    },
  )

interface Encoding {
  readonly properties: { readonly encoding: { readonly const: string } }
}

const queuedEnvelope = async (event: WebhookEvent) => JSON.parse((await queued(event)).text)
