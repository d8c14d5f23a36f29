import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Left, leaveEvents, NEXT_SECRET } from './leave-events.ts'
import { type Resources, type TwoVersions, twoVersions } from './two-versions.ts'

const HALF_AN_HOUR = 1_800_000
/** What must never be made anew: whatever is in it would be gone. */
const KEPT = /^AWS::(DynamoDB::Table|SQS::Queue|S3::Bucket|SecretsManager::Secret)$/

let at: TwoVersions
let left: Left
let statuses: ReadonlySet<unknown>
let rig: TwoVersions['rig']
let after: Resources

beforeAll(async () => {
  at = await twoVersions(process.env.UPGRADE_FROM ?? '')
  left = await leaveEvents(at)
  const ids = [left.abandoned, ...Object.values(left.events).map(({ id }) => id)]
  statuses = new Set(await Promise.all(ids.map(async id => (await at.rig.record(id))?.status)))
  const upgraded = await at.upgrade()
  rig = upgraded.rig
  after = upgraded.deployed
  await at.setFlow(true)
}, HALF_AN_HOUR)

afterAll(async () => at?.takeDown(), HALF_AN_HOUR)

/** Its sender sends it again. */
const again = ({ eventId, source }: Left['events']['done'], event: object = {}) =>
  rig.patiently(() => rig.stripe({ id: eventId, ...event }, { source }))

const command = async (...args: string[]) => {
  const { code, out, err } = await rig.hooklatch(...args, '--json')
  expect({ code, err }).toMatchObject({ code: 0 })
  return JSON.parse(out)
}

describe('a stack of the version before that is deployed again by this one', () => {
  it('the version before left events in every state', () => {
    expect([...statuses].toSorted()).toEqual(['claimed', 'done', 'failed', 'ignored', 'queued', 'working'])
  })

  it('no table, queue, bucket or secret was replaced or removed', () => {
    const kept = (all: Resources) =>
      all.filter(({ type }) => KEPT.test(type)).map(each => [each.logicalId, each.physicalId])
    expect(kept(at.deployed).length).toBeGreaterThan(15)
    expect(kept(after)).toEqual(expect.arrayContaining(kept(at.deployed)))
  })

  it('senders post to the same URLs', () => {
    expect(rig.deployment.base).toBe(at.rig.deployment.base)
  })

  it.each(['queued', 'inOrder', 'working', 'toBilling', 'toSeveral'] as const)(
    'an event that was left %s is handled and done in its generation',
    async name => {
      expect(await rig.settled(left.events[name].id, 'done')).toMatchObject({ generation: 0 })
    },
  )

  it('a dead letter of before has failed with its body, and a replay of it is done', async () => {
    const { id } = left.events.dead
    expect(await rig.settled(id, 'failed')).toMatchObject({ bodyAt: expect.any(String) })
    await command('redrive', id, '--reason', 'after the upgrade', '--yes')
    expect(await rig.settled(id, 'done')).toMatchObject({ generation: 1 })
  })

  it('an event whose receiver died before the upgrade is finished by recovery', async () => {
    expect(await rig.settled(left.abandoned, 'done')).toMatchObject({ generation: 0 })
  })

  it('an event whose receiver died before the upgrade is taken over when its sender sends it again', async () => {
    const { status, body } = await again(left.events.sentAgain)
    expect(status).toBeLessThan(300)
    expect(body.id).toBe(left.events.sentAgain.id)
    await rig.settled(body.id, 'done')
  })

  it.each(['done', 'copies', 'ignored', 'replayed'] as const)(
    'a repeat of an event that was %s before the upgrade is a duplicate',
    async name => {
      const type = { done: {}, copies: { type: 'checkout.completed' }, ignored: { type: 'payout.paid' }, replayed: {} }
      const { status, body } = await again(left.events[name], type[name])
      expect({ status, body }).toMatchObject({ status: 200, body: { status: 'duplicate', id: left.events[name].id } })
    },
  )

  it('an event that failed before the upgrade can be replayed from its body, and fails again by its handler', async () => {
    const { id } = left.events.failed
    await command('replay', id, '--reason', 'after the upgrade', '--yes')
    await rig.until(
      'the second generation',
      () => rig.record(id),
      record => record?.generation === 1 && record.status === 'failed',
    )
  })

  it('an event that was done before the upgrade can be replayed, and its copies with it', async () => {
    const { id } = left.events.copies
    await command('replay', id, '--reason', 'after the upgrade', '--yes')
    await rig.until(
      'both copies of the second generation',
      () => command('show', id),
      ({ status, generation, copies }) => status === 'done' && generation === 1 && copies.length === 2,
    )
  })

  it('audits of before are shown', async () => {
    const { audit } = await command('show', left.events.replayed.id)
    expect(audit).toMatchObject([{ reason: 'before the upgrade', generation: 1 }])
  })

  it('a job of before is known to have finished', async () => {
    expect(await command('replay', '--resume', left.job)).toMatchObject({ job: { id: left.job, state: 'finished' } })
  })

  it('an idempotency key of before gets the answer of before', async () => {
    const { key, answer } = left.order
    const repeated = await rig.publisher.publish({ orderId: key }, key)
    expect(repeated).toMatchObject({ status: answer.status, body: answer.body, replayed: true })
    expect(await rig.publisher.publish({ orderId: 'another' }, key)).toMatchObject({ status: 422 })
  })

  it('an update older than one that was seen before the upgrade is stale', async () => {
    const stale = { todo: { kind: 'newest', key: left.newest, version: 4 } } as const
    const { body } = await rig.patiently(() => rig.stripe(stale))
    expect(await rig.settled(body.id, 'failed')).toMatchObject({ lastError: expect.stringContaining('stale') })
  })

  it('deliveries that were captured before the upgrade can be compared', async () => {
    const { deliveries } = await command('capture', 'list', 'shopify')
    expect(deliveries).toHaveLength(2)
    const [first, second] = deliveries
    await command('compare', first.key, second.key)
  })

  it('a delivery that was quarantined before the upgrade is accepted once its secret is known', async () => {
    await rig.setSecrets({ quarantined: [NEXT_SECRET] })
    const { results } = await command('quarantine', 'accept', 'quarantined', '--reason', 'after the upgrade', '--yes')
    expect(results).toMatchObject([{ result: 'taken', outcome: 'accepted' }])
    await rig.settled(results[0].id, 'done')
  })
})
