import { describe, expect, inject, it } from 'vitest'
import { siteOf, unique } from './site.ts'

describe.concurrent.each(inject('deployments'))('an operator of $api', deployment => {
  const site = siteOf(deployment)
  const replay = async (id: string) => {
    const { code, out } = await site.hooklatch('replay', id, '--reason', 'integration', '--yes', '--json')
    return { code, ...JSON.parse(out) }
  }

  it('replays an event that is done: it is handled once more, as its next generation', async () => {
    const id = unique()
    const counter = unique('counter-')
    const todo = { kind: 'count', table: deployment.eventsTable, counter } as const
    const { body } = await site.patiently(() => site.stripe({ id, todo }))
    await site.settled(body.id, 'done')
    expect(await replay(body.id)).toMatchObject({ code: 0, result: 'replayed', generation: 1 })
    await site.until(
      'the second time',
      () => site.record(counter),
      item => item?.effects === 2,
    )
    expect(await site.settled(body.id, 'done')).toMatchObject({ generation: 1, eventId: id })
  })

  it('is told of an event that nobody has seen', async () => {
    expect(await replay(unique())).toMatchObject({ code: 1, result: 'unknown' })
  })
})
