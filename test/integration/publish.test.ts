import { describe, expect, inject, it } from 'vitest'
import { documentOf, iamApi, statementsIn } from '../iam/iam-api.ts'
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

// Not beside other cases, which need what is taken away here.
describe.each(inject('deployments').filter(({ functionUrls }) => functionUrls))('a function URL', deployment => {
  const rig = rigOf(deployment)
  const { iam, lambda } = iamApi(deployment)
  const { receiveFunction = '', publisherRole: RoleName = '' } = deployment.functionUrls ?? {}
  const policy = `functions/${receiveFunction}/policy`

  it('a delivery is refused if one of both permissions is taken away from the URL, and taken if it is given back', async () => {
    const { Statement } = JSON.parse(JSON.parse(await lambda('GET', policy)).Policy)
    expect(Statement).toHaveLength(2)
    for (const { Sid, Action, Condition } of Statement) {
      await lambda('DELETE', `${policy}/${Sid}`)
      expect((await rig.stripe({})).status, `without ${Action}`).toBe(403)
      const only = Condition.Bool ? { InvokedViaFunctionUrl: true } : { FunctionUrlAuthType: 'NONE' }
      await lambda('POST', policy, { StatementId: Sid, Action, Principal: '*', ...only })
      expect((await rig.stripe({})).status).toBe(202)
    }
  })

  it('a service publishes with both permissions that grantPublish gives it, and is refused without one of them', async () => {
    const { field } = await iam('ListRolePolicies', { RoleName })
    const PolicyName = field('member')
    const whole = statementsIn((await iam('GetRolePolicy', { RoleName, PolicyName })).field('PolicyDocument'))
    expect(whole).toHaveLength(2)
    const publishWith = async (statements: typeof whole): Promise<number> => {
      await iam('PutRolePolicy', { RoleName, PolicyName, PolicyDocument: documentOf(statements) })
      return (await rig.impatientPublisher.publish({ orderId: 'any' }, unique('order-'))).status
    }
    for (const statement of whole) {
      expect(await publishWith(whole.filter(each => each !== statement)), `without ${statement.Action}`).toBe(403)
    }
    expect(await publishWith(whole)).toBe(202)
  })
})
