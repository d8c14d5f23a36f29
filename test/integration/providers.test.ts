import { describe, expect, inject, it } from 'vitest'
import { rigOf, unique } from './rig.ts'

const TEN = [
  'stripe',
  'github',
  'shopify',
  'slack',
  'twilio',
  'square',
  'standard-webhooks',
  'svix',
  'paddle',
  'gitlab',
] as const

describe.concurrent.each(inject('deployments'))('ten senders through $api', deployment => {
  const rig = rigOf(deployment)

  it.each(TEN)('a signed delivery of %s comes to done, its bytes are kept and its repeat is known', async name => {
    const id = unique('')
    const { status, body, sent } = await rig.patiently(() => rig.provider(name, id))
    expect([202, 200]).toContain(status)
    const record = await rig.settled(body.id, 'done')
    expect(record).toMatchObject({ source: name, generation: 0, bodySize: sent.length })
    expect(await rig.body(record)).toEqual(sent)
    expect(await rig.patiently(() => rig.provider(name, id))).toMatchObject({ status: 200, body: { id: body.id } })
  })

  it('the challenge of Slack is answered and makes no event', async () => {
    const challenge = unique('')
    const body = Buffer.from(JSON.stringify({ type: 'url_verification', token: 'x', challenge }))
    const answer = await rig.signedBytes('slack', body)
    expect(answer.status).toBe(200)
    expect(JSON.stringify(answer.body)).toContain(challenge)
  })
})
