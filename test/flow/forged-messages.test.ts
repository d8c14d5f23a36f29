import { describe, expect, it } from 'vitest'
import { MALFORMED_RECEIVES } from '../../functions/contract/queues.ts'
import { seal } from '../../functions/domain/seal.ts'
import { Secret } from '../../functions/domain/secret.ts'
import { RIG_NAMES } from '../support/memory-rig.ts'
import { wholeRig } from '../support/whole-rig.ts'

/** An accepted event, and what somebody with `sqs:SendMessage` and a copy of its message could make of that. */
const place = async () => {
  const at = wholeRig()
  await at.stripe({ id: 'evt_1', type: 'invoice.paid' })
  const [text = ''] = at.texts()
  const { mac, ...message } = JSON.parse(text)
  const record = () => at.records.get(message.id)
  const lines: Record<string, unknown>[] = []
  const handled: unknown[] = []
  const deliver = (forged: string, receiveCount = 1, world = at.consumer) =>
    at.deliver(event => void handled.push(event.id), [forged], {
      receiveCount,
      world,
      write: line => lines.push(JSON.parse(line)),
    })
  return { ...at, text, mac, message, record, handled, lines, deliver }
}

type Place = Awaited<ReturnType<typeof place>>

const OTHER = { sha256: '0'.repeat(64), size: 2, encoding: 'base64', data: 'e30=' }

const FORGERIES: readonly (readonly [string, (at: Place) => string])[] = [
  ['a new event without a MAC', ({ message }) => JSON.stringify({ ...message, id: 'e'.repeat(64) })],
  [
    'a new event under the MAC of another',
    ({ message, mac }) => JSON.stringify({ mac, ...message, id: 'e'.repeat(64) }),
  ],
  ['the event with a changed header', ({ text }) => text.replace('application/json', 'application/jsom')],
  ['the event with a longer life', ({ text }) => text.replace(/"expiresAt":\d/, '"expiresAt":9')],
  ['the event under a MAC of another key', ({ message }) => seal(new Secret('other'), JSON.stringify(message))],
  ['a MAC that is too short', ({ message }) => JSON.stringify({ mac: 'abc', ...message })],
  ['the next generation, without a MAC', ({ message }) => JSON.stringify({ ...message, generation: 1 })],
  ['another edition, without a MAC', ({ message }) => JSON.stringify({ ...message, edition: 1 })],
  ['another body, without a MAC', ({ message }) => JSON.stringify({ ...message, body: OTHER })],
  ['another source, without a MAC', ({ message }) => JSON.stringify({ ...message, source: 'github' })],
  ['another type, without a MAC', ({ message }) => JSON.stringify({ ...message, type: 'invoice.void' })],
  ['a copy of another event, without a MAC', ({ message }) => JSON.stringify({ ...message, copyOf: 'e'.repeat(64) })],
  ['another event id, without a MAC', ({ message }) => JSON.stringify({ ...message, eventId: 'evt_2' })],
  ['the same message, without a MAC', ({ message }) => JSON.stringify(message)],
  ['other headers, without a MAC', ({ message }) => JSON.stringify({ ...message, headers: { 'x-caller': 'admin' } })],
  ['a longer life, without a MAC', ({ message }) => JSON.stringify({ ...message, expiresAt: 99_999_999_999 })],
  ['a body elsewhere, without a MAC', ({ message }) => JSON.stringify({ ...message, body: elsewhere(message.body) })],
]

const elsewhere = ({ sha256, size }: typeof OTHER) => ({ sha256, size, encoding: 'pointer', at: 's3:7d:2000-01-01' })

/** As an older version claimed it, which wrote no MAC. */
const asOlder = (at: Place): void => {
  for (const { mac: _, ...record } of at.records.values()) at.records.set(record)
}

describe('a forged message', () => {
  it('an event does not fail because somebody says, without a MAC, that its message is past its time', async () => {
    const at = await place()
    at.advance(60_000)
    const before = at.record()
    const expiresAt = Math.floor(at.world.now() / 1000) - 1
    const forged = JSON.stringify({ ...at.message, expiresAt })
    expect(await at.deliver(forged)).toEqual(['m-0'])
    await at.deliver(forged, MALFORMED_RECEIVES)
    expect(at.record()).toEqual(before)
    expect(await at.bury(forged)).toMatchObject({ lastError: expect.stringMatching(/^Forged: /) })
    expect(at.record()).toEqual(before)
  })

  it.each(FORGERIES)('%s reaches no handler, and the event it names stays as it is', async (_, forge) => {
    const at = await place()
    const before = at.record()
    expect(await at.deliver(forge(at))).toEqual(['m-0'])
    expect(await at.deliver(forge(at), MALFORMED_RECEIVES)).toEqual([])
    expect(at.handled).toEqual([])
    expect(at.record()).toEqual(before)
    expect([...at.records.values()].filter(({ source }) => source === '(malformed)')).toMatchObject([
      { status: 'failed', lastError: expect.stringMatching(/^Forged: /) },
    ])
  })

  it.each(FORGERIES)(
    '%s in the dead letters is buried as forged, and the event it names stays as it is',
    async (_, forge) => {
      const at = await place()
      const before = at.record()
      expect(await at.bury(forge(at))).toMatchObject({ work: 'failed', lastError: expect.stringMatching(/^Forged: /) })
      expect(at.record()).toEqual(before)
    },
  )

  it('a forged message is counted under no source of its own choice, and its line repeats none of its names', async () => {
    const at = await place()
    const forged = JSON.stringify({ ...at.message, id: 'e'.repeat(64), source: 'chosen', eventId: 'chosen' })
    await at.deliver(forged)
    await at.deliver(forged, MALFORMED_RECEIVES)
    expect(at.lines).toMatchObject([
      { Source: '(unknown)', Forged: 1, work: 'forged' },
      { Source: '(unknown)', Failed: 1, work: 'failed', unread: true },
    ])
    expect(JSON.stringify(at.lines)).not.toContain('chosen')
  })
})

describe('a message without a MAC whose event has gone on', () => {
  it.each(['in the queue', 'in the dead letters'])(
    'nothing of it is kept, whatever it says of its age and of other events: %s',
    async where => {
      const at = await place()
      for (const record of at.records.values()) at.records.set({ ...record, generation: 1 })
      const forged = JSON.stringify({ ...at.message, expiresAt: 1, copyOf: 'f'.repeat(64), eventId: 'evt_other' })
      const bodies = () => at.memory.engine.items(RIG_NAMES.bodiesTable)
      const before = bodies()
      if (where === 'in the queue') expect(await at.deliver(forged)).toEqual([])
      else expect(await at.bury(forged)).toMatchObject({ work: 'skipped', why: 'superseded' })
      expect(bodies()).toEqual(before)
      expect(at.handled).toEqual([])
    },
  )
})

describe('a genuine message', () => {
  it('a message of our own is handled without a look at its record beforehand', async () => {
    const at = await place()
    at.calls.read = 0
    expect(await at.deliver(at.text)).toEqual([])
    expect(at.handled).toEqual([at.message.id])
    expect(at.calls.read).toBe(0)
  })

  it('a message of our own whose JSON was written anew on its way, with spaces, is handled; one that was changed is not', async () => {
    const at = await place()
    const anew = JSON.stringify({ mac: at.mac, ...at.message, eventId: 'evt_1' }, null, 1)
    expect(anew).not.toMatch(/^{"mac"/)
    const changed = JSON.stringify({ mac: at.mac, ...at.message, headers: { 'x-caller': 'admin' } }, null, 1)
    expect(await at.deliver(changed)).toEqual(['m-0'])
    expect(at.lines).toMatchObject([{ work: 'forged', why: 'its MAC is wrong' }])
    expect(await at.deliver(anew)).toEqual([])
    expect(at.handled).toEqual([at.message.id])
  })

  it('a message of an older version, which has no MAC, is handled if its record has the same hash and generation', async () => {
    const at = await place()
    asOlder(at)
    expect(await at.deliver(JSON.stringify(at.message))).toEqual([])
    expect(at.handled).toEqual([at.message.id])
    expect(at.record()?.status).toBe('done')
  })

  it.each(['in the queue', 'in the dead letters'])(
    'a message without a MAC that points elsewhere than the record of an older version is forged: %s',
    async where => {
      const at = await place()
      asOlder(at)
      const before = at.record()
      const forged = JSON.stringify({ ...at.message, body: elsewhere(at.message.body) })
      if (where === 'in the queue') expect(await at.deliver(forged)).toEqual(['m-0'])
      else expect(await at.bury(forged)).toMatchObject({ lastError: expect.stringMatching(/^Forged: /) })
      expect(at.record()).toEqual(before)
    },
  )

  it('a message of an older version whose event has moved on is skipped', async () => {
    const at = await place()
    for (const record of at.records.values()) at.records.set({ ...record, generation: 1 })
    expect(await at.deliver(JSON.stringify(at.message))).toEqual([])
    expect(at.handled).toEqual([])
    expect(at.lines).toMatchObject([{ work: 'skipped', why: 'superseded' }])
  })

  it('while the key cannot be read, a message comes back and uses up no try', async () => {
    const at = await place()
    const secrets = { fingerprintKey: async () => ({ kind: 'unavailable', cause: 'Denied: no' }) as const }
    const world = { ...at.consumer, secrets }
    expect(await at.deliver(at.text, MALFORMED_RECEIVES, world)).toEqual(['m-0'])
    expect(at.lines).toMatchObject([{ work: 'unavailable', cause: 'Denied: no' }])
    expect(at.record()).toMatchObject({ status: 'queued', attempts: 0 })
  })
})
