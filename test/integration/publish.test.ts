import { describe, expect, inject, it } from 'vitest'
import { rigOf, unique } from './rig.ts'

describe.concurrent.each(inject('deployments'))('POST /publish/{source} through $api', deployment => {
  const rig = rigOf(deployment)

  const takesItOnce = async (): Promise<void> => {
    const key = unique('order-')
    const first = await rig.publisher.publish({ orderId: key }, key)
    expect(first).toMatchObject({ status: 202 })
    const { id } = JSON.parse(first.body)
    expect(await rig.publisher.publish({ orderId: key }, key)).toMatchObject({
      status: 202,
      body: first.body,
      replayed: true,
    })
    expect(await rig.publisher.publish({ orderId: 'another' }, key)).toMatchObject({ status: 422 })
    expect(await rig.settled(id, 'done')).toMatchObject({ source: 'orders', eventId: key, generation: 0 })
  }

  const isClosed = async (): Promise<void> => {
    const key = unique('order-')
    expect(await rig.publisher.publish({ orderId: key }, key)).toMatchObject({ status: 403 })
  }

  if (deployment.namesCallers) {
    it(
      'an event is published once under its key, a repeat gets the same answer, and another body gets 422',
      takesItOnce,
    )
  } else {
    it('publishing is closed if the gateway does not say who calls, however the request is signed', isClosed)
  }

  it('a publish request without AWS credentials is refused', async () => {
    expect((await rig.publishUnsigned(unique('order-'), {})).status).toBe(403)
  })
})
