import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, inject, it } from 'vitest'
import { rigOf, unique } from './rig.ts'

describe.concurrent.each(inject('deployments'))('events behind the queue of $api', deployment => {
  const rig = rigOf(deployment)
  const accepted = async (...delivery: Parameters<typeof rig.stripe>): Promise<string> => {
    const { status, body } = await rig.patiently(() => rig.stripe(...delivery))
    expect([202, 200]).toContain(status)
    return body.id
  }
  const counted = () => {
    const counter = unique('counter-')
    return { counter, todo: { kind: 'count', table: deployment.eventsTable, counter } as const }
  }

  it('of ten deliveries of one event at one instant one is the owner, and the effect happens once', async () => {
    const id = unique()
    const { counter, todo } = counted()
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => rig.stripe({ id, todo })))).map(
      ({ status }) => status,
    )
    const owners = statuses.filter(status => status === 202)
    expect(owners.length).toBeLessThanOrEqual(1)
    // One whose call to the store, or whose function, took too long is told 5xx, and may have been the owner.
    if (statuses.every(status => status < 500)) expect(owners).toEqual([202])
    expect(statuses.filter(status => status < 500 && ![202, 200, 409].includes(status))).toEqual([])
    const event = await accepted({ id, todo })
    expect(await rig.settled(event, 'done')).toMatchObject({ generation: 0 })
    expect(await rig.record(counter)).toMatchObject({ effects: 1 })
  })

  it('forty different events, four at a time, are all done in the end', async () => {
    const ids: string[] = []
    for (let round = 0; round < 10; round++) {
      ids.push(...(await Promise.all(Array.from({ length: 4 }, () => accepted({ id: unique() })))))
    }
    for (const id of ids) await rig.settled(id, 'done')
    expect(new Set(ids).size).toBe(40)
  })

  it('an event that its handler refuses fails at once, with its reason noted and its body kept', async () => {
    const id = await accepted({ id: unique(), todo: { kind: 'refuse' } })
    const record = await rig.settled(id, 'failed')
    expect(record.lastError).toContain('asked to refuse')
    expect(JSON.parse((await rig.body(record)).toString())).toMatchObject({ todo: { kind: 'refuse' } })
  })

  it('an event whose handler keeps throwing is tried twice, and then failed with its body', async () => {
    const id = await accepted({ id: unique(), todo: { kind: 'throw' } })
    const record = await rig.settled(id, 'failed')
    expect(record).toMatchObject({ generation: 0, attempts: 2 })
    expect(record.lastError).toContain('asked to throw')
    expect(JSON.parse((await rig.body(record)).toString())).toMatchObject({ todo: { kind: 'throw' } })
  })

  it.each([
    ['small', 10, 'dynamodb'],
    ['large', 100_000, 's3:'],
  ])('a %s dead letter that is no message of ours is kept and listed as failed', async (_name, size, place) => {
    const text = `not ours: ${randomBytes(size).toString('hex')}`
    await rig.sendTo(deployment.deadLettersUrl, text)
    const record = await rig.settled(createHash('sha256').update(`unread message ${text}`).digest('hex'), 'failed')
    expect(record.lastError).toContain('Malformed')
    expect(record.bodyAt?.startsWith(place)).toBe(true)
    expect((await rig.body(record)).toString()).toBe(text)
  })

  it('events of one ordering key are handled one after another, in the order they came', async () => {
    const about = unique('in_')
    const ids: string[] = []
    // The first is the slowest: handled side by side, it would be the last to be done.
    for (const millis of [900, 600, 300, 0]) {
      ids.push(await accepted({ id: unique(), about, todo: { kind: 'pause', millis } }, { source: 'ordered' }))
    }
    const records = []
    for (const id of ids) records.push(await rig.settled(id, 'done'))
    const ends = records.map(({ updatedAt }) => Number(updatedAt))
    expect(ends).toEqual(ends.toSorted((a, b) => a - b))
    expect(new Set(ends).size).toBe(ends.length)
  })

  it('an update older than one that was seen is stale', async () => {
    const key = unique('sub_')
    const handled = async (version: number, status: string) => {
      return rig.settled(await accepted({ id: unique(), todo: { kind: 'newest', key, version } }), status)
    }
    await handled(2, 'done')
    expect((await handled(1, 'failed')).lastError).toContain('stale')
    await handled(3, 'done')
  })
})
