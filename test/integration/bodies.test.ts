import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, inject, it } from 'vitest'
import { rigOf, stripeBody } from './rig.ts'

describe.concurrent.each(inject('deployments'))('bodies through $api', deployment => {
  const rig = rigOf(deployment)

  it.each([
    ['a small one lies in the table', 100, 'dynamodb'],
    ['a large one lies in the bucket, and fits the queue compressed', 300_000, 's3:'],
    ['one that does not fit the queue travels by pointer', 3_000_000, 's3:'],
  ])('the handler gets the bytes that were sent: %s', async (_name, size, place) => {
    const pad = randomBytes(size / 2).toString('hex')
    const sha256 = createHash('sha256').update(pad).digest('hex')
    const text = stripeBody({ pad, todo: { kind: 'check', sha256 } })
    const { status, body } = await rig.patiently(() => rig.stripeText(text))
    expect([202, 200]).toContain(status)
    const record = await rig.settled(body.id, 'done')
    expect(record.bodyAt?.startsWith(place)).toBe(true)
    expect((await rig.body(record)).toString() === text).toBe(true)
  })
})
