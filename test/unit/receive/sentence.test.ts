import type { Context } from 'aws-lambda'
import { describe, expect, it } from 'vitest'
import type { GatewayEvent } from '../../../functions/adapters/api-gateway.ts'
import { lambdaHandler } from '../../../functions/receive/lambda.ts'
import { fetchSecrets } from '../../../functions/shell/prime.ts'
import { NOON } from '../../support/events.ts'
import { receiveRig, STRIPE_SECRET, stripeHeader } from '../../support/receive-rig.ts'
import { down, isDown, lastLine, push, where } from '../accept/rig.ts'

const invoice = { id: 'evt_1', type: 'invoice.paid' }

describe('a delivery that ends half way', () => {
  it('a delivery whose body could not be stored is not claimed, and the log says why', async () => {
    const at = receiveRig()
    const cut = where(at, { bodies: { keep: isDown } })
    expect((await cut.post(push('d-1'))).status).toBe(503)
    expect(lastLine(cut)).toMatchObject({ Reason: 'body-store', cause: 'down' })
    expect(at.calls).toEqual({})
  })

  it('a delivery whose message could not be sent is not settled, and the log says why', async () => {
    const at = receiveRig()
    const cut = where(at, { queue: { send: isDown } })
    expect((await cut.stripe(invoice)).status).toBe(503)
    expect(lastLine(cut)).toMatchObject({ Reason: 'queue', cause: 'down' })
    expect(at.calls).not.toHaveProperty('settle')
  })
})

describe('a request', () => {
  it.each(['identity', 'Identity', ' identity ', ''])(
    'a request with the content encoding %j is not encoded',
    async encoding => {
      const body = JSON.stringify(invoice)
      const headers = { 'stripe-signature': stripeHeader(body, STRIPE_SECRET, NOON), 'content-encoding': encoding }
      expect((await receiveRig().post({ body, headers })).status).toBe(202)
    },
  )

  it('a request by another method than its handshake asks for is answered by no handshake', async () => {
    const sources = { meta: { provider: 'meta', config: { verify_token: 'verify-token-1' } } }
    const query = 'hub.mode=subscribe&hub.verify_token=verify-token-1&hub.challenge=42'
    const ask = (method: string) =>
      receiveRig({ sources, secrets: { meta: ['secret-0123456789'] } }).post({ source: 'meta', method, query })
    expect((await ask('GET')).status).toBe(200)
    expect((await ask('PUT')).status).toBe(405)
  })

  it('a request for a proof of our secret gets none before there is a secret', async () => {
    const at = receiveRig({ sources: { x: { provider: 'twitter-x' } }, secrets: {} })
    expect((await at.post({ source: 'x', method: 'GET', query: 'crc_token=abc' })).status).toBe(405)
  })

  it.each([null, undefined, 'text', {}, { version: '2.0' }])(
    'a request that the gateway garbled as %j is answered and logged like any other',
    async garbled => {
      const lines: string[] = []
      const handler = lambdaHandler(receiveRig().world, line => void lines.push(line))
      const answer = await handler(garbled as unknown as GatewayEvent, {} as Context)
      expect(answer.statusCode).toBe(503)
      expect(answer.headers).toMatchObject({ 'retry-after': expect.stringMatching(/^\d+$/) })
      expect(lines.map(line => JSON.parse(line))).toMatchObject([{ outcome: 'unavailable', status: 503 }])
    },
  )

  it('a request leaves in the log how long it waited for each slow store', async () => {
    const at = receiveRig()
    const claim: typeof at.world.claims.claim = async (...asked) => {
      at.advance(40)
      return at.world.claims.claim(...asked)
    }
    const send: typeof at.world.queue.send = async (...message) => {
      at.advance(7)
      return at.world.queue.send(...message)
    }
    const slow = where(at, { claims: { claim }, queue: { send } })
    await slow.stripe(invoice)
    expect(lastLine(slow)).toMatchObject({ waits: { events: 40, queue: 7 }, Latency: 47 })
  })

  it('a request that failed in a way nobody foresaw is logged with its own source and waits', async () => {
    const at = receiveRig()
    const claim = async () => {
      at.advance(40)
      throw new TypeError('surprise')
    }
    const broken = where(at, { claims: { claim } })
    await broken.stripe(invoice)
    expect(lastLine(broken)).toMatchObject({ Source: 'stripe', outcome: 'unavailable', waits: { events: 40 } })
  })
})

describe('before the first delivery', () => {
  it('secrets are read one after the other before the first delivery, and faults are ignored', async () => {
    const { world } = receiveRig()
    const done: string[] = []
    const secrets = {
      ...world.secrets,
      signingSecrets: async (source: string) => {
        await new Promise(setImmediate)
        done.push(`secrets of ${source}`)
        return down
      },
      fingerprintKey: async () => {
        done.push('key')
        return down
      },
    }
    await fetchSecrets({ ...world, secrets })
    expect(done).toEqual(['secrets of stripe', 'key'])
  })
})
