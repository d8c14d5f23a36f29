import { describe, expect, it } from 'vitest'
import { MALFORMED_RECEIVES } from '../../functions/contract/queues.ts'
import { seal } from '../../functions/domain/seal.ts'
import { Secret } from '../../functions/domain/secret.ts'
import { replay } from '../../functions/operate/replay.ts'
import { RIG_KEY } from '../support/sealed.ts'
import { wholeRig } from '../support/whole-rig.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const BODY = { sha256: '0'.repeat(64), size: 6, encoding: 'base64' }

/** An accepted event whose message a later release wrote: `changes` are to what this one knows. */
const place = async (changes: object = {}, key = RIG_KEY) => {
  const at = wholeRig()
  await at.stripe({ id: 'evt_1', type: 'invoice.paid' })
  // Past the lease of its receiver.
  at.advance(60_000)
  const { mac, ...message } = JSON.parse(at.texts()[0] ?? '')
  const text = seal(key, JSON.stringify({ ...message, version: 2, ...changes }))
  const sentAt = at.world.now()
  const handled: string[] = []
  const lines: Record<string, unknown>[] = []
  return {
    ...at,
    text,
    handled,
    lines,
    record: () => at.records.get(message.id),
    kept: () => at.records.values().filter(({ source }) => source === '(malformed)'),
    receive: (texts: readonly string[], receiveCount = 1, destination?: string) =>
      at.deliver(async event => void handled.push(await event.text()), texts, {
        receiveCount,
        sentAt,
        ...(destination !== undefined && { destination }),
        write: line => lines.push(JSON.parse(line)),
      }),
  }
}

describe('a message of ours that a later release wrote', () => {
  it('comes back four times, and its event then fails with its body kept, to be replayed', async () => {
    const at = await place({ flavour: 'new' })
    for (let receives = 1; receives < MALFORMED_RECEIVES; receives++) {
      expect(await at.receive([at.text], receives)).toEqual(['m-0'])
    }
    expect(at.record()).toMatchObject({ status: 'queued' })
    at.advance(15 * MINUTE)
    expect(await at.receive([at.text], MALFORMED_RECEIVES)).toEqual([])
    expect(at.lines.at(-1)).toMatchObject({ work: 'failed', lastError: 'Malformed: version 2, expected 1' })
    expect(at.record()).toMatchObject({ status: 'failed', attempts: 0, bodyAt: 'dynamodb' })
    expect(at.kept()).toEqual([])

    const act = { actor: 'ada', reason: 'rolled back', job: null }
    const id = at.record()?.fingerprint
    if (!id) throw new Error('there is no record')
    expect(await replay(at.world, { id, ...act })).toMatchObject({ kind: 'replayed' })
    await at.receive(at.texts().slice(-1))
    expect(at.handled).toEqual([JSON.stringify({ id: 'evt_1', type: 'invoice.paid' })])
  })

  it('fails no event while its release may still be being deployed, however often it comes back', async () => {
    const at = await place({ flavour: 'new' })
    at.advance(15 * MINUTE - 1)
    expect(await at.receive([at.text], MALFORMED_RECEIVES + 1)).toEqual(['m-0'])
    expect(at.record()).toMatchObject({ status: 'queued' })
  })

  it('fails its event as a dead letter, too', async () => {
    const at = await place()
    expect(await at.bury(at.text)).toMatchObject({ work: 'failed', lastError: expect.stringContaining('Undelivered') })
    expect(at.record()).toMatchObject({ status: 'failed', bodyAt: 'dynamodb' })
  })

  it('changes nothing of its event if it lies on the queue of another destination, and is kept there as it is', async () => {
    const at = await place({ flavour: 'new' })
    const before = at.record()
    at.advance(15 * MINUTE)
    expect(await at.receive([at.text], 1, 'crm')).toEqual(['m-0'])
    expect(await at.receive([at.text], MALFORMED_RECEIVES, 'crm')).toEqual([])
    expect(at.lines).toMatchObject([
      { work: 'forged', why: 'it is for worker, and this is the queue of crm' },
      { work: 'failed', unread: true },
    ])
    expect(at.record()).toEqual(before)
    expect(at.kept()).toMatchObject([
      { status: 'failed', lastError: expect.stringMatching(/^Forged: it is for worker/) },
    ])
    await at.receive(at.texts())
    expect(at.handled).toEqual([JSON.stringify({ id: 'evt_1', type: 'invoice.paid' })])
  })

  it('is deleted if its event is done', async () => {
    const at = await place()
    await at.receive(at.texts())
    at.advance(15 * MINUTE)
    expect(await at.receive([at.text], MALFORMED_RECEIVES)).toEqual([])
    expect(at.record()).toMatchObject({ status: 'done' })
  })
})

describe('a message that cannot be read', () => {
  it.each([
    ['is ours, and of a version whose body is somewhere else', { body: { at: 'elsewhere' } }, RIG_KEY],
    ['is ours, and of a version whose body we cannot open', { body: { ...BODY, data: 'c2VjcmV0' } }, RIG_KEY],
    ['is ours, and has a part that is wrong', { version: 1, retain: 'none' }, RIG_KEY],
    ['is of a later version, under a MAC that we do not know', {}, new Secret('other')],
  ])('comes back for twelve days if it %s, and is then kept and listed', async (_, changes, key) => {
    const at = await place(changes, key)
    at.advance(12 * DAY - 1)
    expect(await at.receive([at.text], 900)).toEqual(['m-0'])
    expect(at.kept()).toEqual([])
    at.advance(1)
    expect(await at.receive([at.text], 901)).toEqual([])
    expect(at.kept()).toMatchObject([{ status: 'failed', bodyAt: 'dynamodb' }])
    expect(at.record()).toMatchObject({ status: 'queued' })
    expect(at.handled).toEqual([])
  })

  it.each([
    ['that is no message', '{"x":1}'],
    ['with no MAC that says it is of a later version', '{"version":2}'],
    ['with a MAC that we do not know', seal(new Secret('other'), '{"version":2}')],
  ])('a text %s does not hold up a FIFO group: it is kept and goes when it is first received', async (_, text) => {
    const at = await place()
    expect(await at.deliver(() => {}, [text], { group: 'orders', sentAt: at.world.now() })).toEqual([])
    expect(at.kept()).toMatchObject([{ status: 'failed', bodyAt: 'dynamodb' }])
  })
})
