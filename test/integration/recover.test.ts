import { describe, expect, inject, it } from 'vitest'
import { rigOf, unique } from './rig.ts'

describe.concurrent.each(inject('deployments'))('recovery behind $api', deployment => {
  const rig = rigOf(deployment)

  it('recovery finishes the event of a receiver that died from its stored body, without its sender', async () => {
    const id = unique('')
    const { body, sent } = await rig.patiently(() => rig.provider('github', id))
    const before = await rig.settled(body.id, 'done')

    await rig.abandon(body.id)
    const after = await rig.settled(body.id, 'done')
    expect(after).toMatchObject({ generation: 0, eventId: before.eventId, firstSeenAt: before.firstSeenAt })
    expect(Number(after.updatedAt)).toBeGreaterThan(Number(before.updatedAt))
    expect(await rig.body(after)).toEqual(sent)
  })
})
