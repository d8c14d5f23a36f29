import { describe, expect, inject, it } from 'vitest'
import { rigOf, unique } from './rig.ts'

describe.concurrent.each(inject('deployments'))('an operator of $api', deployment => {
  const rig = rigOf(deployment)
  const replay = async (id: string) => {
    const { code, out } = await rig.hooklatch('replay', id, '--reason', 'integration', '--yes', '--json')
    return { code, ...JSON.parse(out) }
  }

  it('an event that is done and replayed is handled once more, as its next generation', async () => {
    const id = unique()
    const counter = unique('counter-')
    const todo = { kind: 'count', table: deployment.eventsTable, counter } as const
    const { body } = await rig.patiently(() => rig.stripe({ id, todo }))
    await rig.settled(body.id, 'done')
    expect(await replay(body.id)).toMatchObject({ code: 0, result: 'replayed', generation: 1 })
    await rig.until(
      'the second time',
      () => rig.record(counter),
      item => item?.effects === 2,
    )
    expect(await rig.settled(body.id, 'done')).toMatchObject({ generation: 1, eventId: id })
  })

  it('a replay of an event that nobody has seen is refused as unknown', async () => {
    expect(await replay(unique())).toMatchObject({ code: 1, result: 'unknown' })
  })
})
