import { describe, expect, inject, it } from 'vitest'
import { rigOf, unique } from './rig.ts'

/** Recovery looks at claims this long after they were made: the lease, and what the index may lag. */
const LOOKS_AFTER_MS = 135_000
/** Ahead of where its last run stopped, whatever our clocks differ by. */
const AHEAD_MS = 10_000

describe.concurrent.each(inject('deployments'))('recovery behind $api', deployment => {
  const rig = rigOf(deployment)

  it('recovery finishes the event of a receiver that died from its stored body, without its sender', async () => {
    const id = unique('')
    const { body, sent } = await rig.patiently(() => rig.provider('github', id))
    const before = await rig.settled(body.id, 'done')

    const claimedAt = new Date(Date.now() - LOOKS_AFTER_MS + AHEAD_MS).toISOString()
    await rig.amend(body.id, {
      status: 'claimed',
      fence: 'f'.repeat(32),
      leaseUntil: Date.parse(claimedAt) + 15_000,
      listing: `${claimedAt.slice(0, 10)}#${body.id.slice(0, 1)}`,
      claimedAt: `${claimedAt}#${body.id.slice(0, 16)}`,
    })
    const after = await rig.settled(body.id, 'done')
    expect(after).toMatchObject({ generation: 0, eventId: before.eventId, firstSeenAt: before.firstSeenAt })
    expect(Number(after.updatedAt)).toBeGreaterThan(Number(before.updatedAt))
    expect(await rig.body(after)).toEqual(sent)
  })
})
