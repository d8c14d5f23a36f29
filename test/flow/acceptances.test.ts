import { describe, expect, it } from 'vitest'
import { Unprocessable } from '../../functions/domain/event.ts'
import type { BodyStore } from '../../functions/domain/ports.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import { erase } from '../../functions/operate/erase.ts'
import { acceptQuarantined } from '../../functions/operate/quarantine.ts'
import { replay } from '../../functions/operate/replay.ts'
import { NOON } from '../support/events.ts'
import { GITHUB_SECRET, STRIPE_SECRET } from '../support/receive-rig.ts'
import { type WholeRig, wholeRig } from '../support/whole-rig.ts'

const MINUTE = 60_000
const EVENT = { id: 'evt_1', type: 'invoice.paid' }
const EMAIL = 'ada.lovelace.4711@example.com'

/** A delivery that was turned away, and is genuine now that its secret is known. */
const quarantined = async (at: WholeRig): Promise<string> => {
  at.memory.setSecrets({ stripe: ['whsec_old_0123456789abcdef0123'], github: [GITHUB_SECRET] })
  at.advance(6 * MINUTE)
  expect((await at.stripe(EVENT)).status).toBe(401)
  at.memory.setSecrets({ stripe: [STRIPE_SECRET], github: [GITHUB_SECRET] })
  at.advance(6 * MINUTE)
  const [kept] = await at.world.deliveries.list('quarantine', 'stripe', NOON, at.world.now(), 1)
  return String(kept?.key)
}

const only = (at: WholeRig): EventRecord => {
  const [record] = at.records.values()
  if (!record) throw new Error('there is no record')
  return record
}

const accept = (world: WholeRig['world'], key: string, actor: string) =>
  acceptQuarantined(world, { source: 'stripe', key, actor, reason: `${actor} wants it`, job: null })

const refuse = () => {
  throw new Unprocessable(`no account of ${EMAIL}`)
}

describe('who had an event taken', () => {
  it('who accepted a delivery is on record, also if somebody else could not have it taken a moment before', async () => {
    const at = wholeRig({ sources: { stripe: { provider: 'stripe', quarantine: true } } })
    const key = await quarantined(at)
    const keep: BodyStore['keep'] = async () => ({ kind: 'unavailable', cause: 'S3 is away' })
    const away = { ...at.world, bodies: { ...at.world.bodies, keep } }
    expect(await accept(away, key, 'ada')).toMatchObject({ kind: 'unavailable' })
    at.advance(9 * MINUTE)
    expect(await accept(at.world, key, 'bob')).toMatchObject({ kind: 'taken', outcome: 'accepted' })
    expect(await at.world.replays.audits(only(at).fingerprint, [0])).toMatchObject([
      { actor: 'bob', reason: 'bob wants it' },
    ])
  })

  it('who only met the event that another has accepted is not on record', async () => {
    const at = wholeRig({ sources: { stripe: { provider: 'stripe', quarantine: true } } })
    const key = await quarantined(at)
    expect(await accept(at.world, key, 'ada')).toMatchObject({ outcome: 'accepted' })
    expect(await accept(at.world, key, 'bob')).toMatchObject({ outcome: 'duplicate' })
    expect(await at.world.replays.audits(only(at).fingerprint, [0])).toMatchObject([{ actor: 'ada' }])
  })
})

describe('what an audit quotes of an erased event', () => {
  const said = async (at: WholeRig) => JSON.stringify(await at.world.replays.recent(NOON, at.world.now(), 100))
  const eraseIt = (at: WholeRig) =>
    erase(at.world, { id: only(at).fingerprint, actor: 'ada', reason: 'asked to', job: null })

  it('an erasure takes the error out of the audit of an acceptance that began nothing', async () => {
    const at = wholeRig({ sources: { stripe: { provider: 'stripe', quarantine: true, resend: 'ignore' } } })
    const key = await quarantined(at)
    expect((await at.stripe(EVENT)).status).toBe(202)
    await at.deliver(refuse, at.texts())
    expect(await accept(at.world, key, 'bob')).toMatchObject({ outcome: 'duplicate' })
    expect(await said(at)).toContain(EMAIL)
    at.advance(1_000)
    expect(await eraseIt(at)).toMatchObject({ kind: 'erased' })
    expect(await said(at)).not.toContain(EMAIL)
  })

  it('an erasure takes the error out of the audit of a replay in an earlier life', async () => {
    const at = wholeRig({ sources: { stripe: { provider: 'stripe' } } })
    await at.stripe(EVENT)
    await at.deliver(refuse, at.texts())
    await replay(at.world, { id: only(at).fingerprint, actor: 'ada', reason: 'fixed', job: null })
    await at.deliver(() => {}, at.texts().slice(-1))
    at.advance(60 * 24 * 60 * MINUTE)
    await at.stripe(EVENT)
    await at.deliver(() => {}, at.texts().slice(-1))
    expect(only(at)).toMatchObject({ status: 'done', generation: 0 })
    expect(await said(at)).toContain(EMAIL)
    expect(await eraseIt(at)).toMatchObject({ kind: 'erased' })
    expect(await said(at)).not.toContain(EMAIL)
  })
})
