import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { SourceConfig } from '../../functions/domain/source.ts'
import { NOON } from '../support/events.ts'
import { type Post, type ReceiveRig, receiveRig } from '../support/receive-rig.ts'

/** Senders whose body says that something happened, in the same bytes each time. */

const DAY = 86_400_000
const SECRET = 'local-secret-0123456789abcdef'

type Sent = Post & { readonly headers?: Readonly<Record<string, string>> }

const rigOf = (config: SourceConfig, secret = SECRET): ReceiveRig =>
  receiveRig({ sources: { acme: config }, secrets: { acme: [secret] } })

/** What each of them is answered, a day after the one before. */
const daily = async (at: ReceiveRig, posts: readonly Post[]): Promise<readonly number[]> => {
  const statuses: number[] = []
  for (const post of posts) {
    statuses.push((await at.post({ source: 'acme', ...post })).status)
    at.advance(DAY)
  }
  return statuses
}

describe('Plaid says that there is something to sync', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const plaid: SourceConfig = { provider: 'plaid' }
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const body = '{"webhook_code":"SYNC_UPDATES_AVAILABLE","item_id":"wz666MBjYWTp2PDzzggYhM6oWWmBb"}'
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = (at: number): Post => {
    const claims = { iat: at / 1000, request_body_sha256: createHash('sha256').update(body).digest('hex') }
    const input = `${part({ alg: 'ES256', typ: 'JWT', kid: 'k' })}.${part(claims)}`
    const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return { body, headers: { 'plaid-verification': `${input}.${signature.toString('base64url')}` } }
  }
  const everyDay = [0, 1, 2].map(day => signed(NOON + day * DAY))

  it('each token that Plaid signs for such a body is an event', async () => {
    expect(await daily(rigOf(plaid, pem), everyDay)).toEqual([202, 202, 202])
  })

  /** Of (r, s) and (r, n - s), which are both good, the one that was not sent. */
  const otherSignature = ({ headers }: Post): Post => {
    const [header, claims, signature = ''] = String(Object.values(headers ?? {})).split('.')
    const bytes = Buffer.from(signature, 'base64url')
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
    const s = order - BigInt(`0x${bytes.toString('hex', 32)}`)
    const other = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')])
    return { body, headers: { 'plaid-verification': `${header}.${claims}.${other.toString('base64url')}` } }
  }

  it('a captured token is the event that it was, whatever its signature is spelled like', async () => {
    const at = rigOf(plaid, pem)
    const post = (each: Post) => at.post({ source: 'acme', ...each })
    const captured = signed(NOON)
    expect((await post(captured)).status).toBe(202)
    expect((await post(captured)).status).toBe(200)
    expect((await post(otherSignature(captured))).status).toBe(200)
  })

  it('a source that chooses the body has one event for all of them', async () => {
    expect(await daily(rigOf({ ...plaid, identity: 'body' }, pem), everyDay)).toEqual([202, 200, 200])
  })
})

describe('Microsoft Graph says that something changed', () => {
  const graph = { provider: 'microsoft-graph' }
  const change = (more: object = {}) => ({
    subscriptionId: '7f105c7d-2dc5-4530-97cd-4e7ae6534c07',
    clientState: SECRET,
    changeType: 'updated',
    resource: 'me/drive/root',
    resourceData: { '@odata.type': '#Microsoft.Graph.DriveItem' },
    ...more,
  })
  const delivery = (...value: readonly object[]): Post => ({ body: JSON.stringify({ value }) })
  const message = (etag: string, more: object = {}) =>
    change({ resource: 'Users/1/Messages/2', resourceData: { '@odata.etag': etag }, ...more })

  it('each delivery of a change without id and etag, as of a drive, is an event', async () => {
    const at = rigOf(graph)
    const other = change({ subscriptionId: 'another' })
    expect(await daily(at, [delivery(change()), delivery(change()), delivery(change(), other)])).toEqual([
      202, 202, 202,
    ])
    expect(at.messages()).toHaveLength(4)
  })

  it('a change with an etag is one event, whenever and beside whatever it is delivered', async () => {
    const at = rigOf(graph)
    const posts = [
      delivery(message('W/"1"')),
      delivery(message('W/"1"', { subscriptionExpirationDateTime: '2026-12-01T11:23:00Z' })),
      delivery(message('W/"2"'), message('W/"1"')),
      delivery(message('W/"2"', { changeType: 'deleted' })),
    ]
    expect(await daily(at, posts)).toEqual([202, 200, 202, 202])
    expect(at.messages()).toHaveLength(3)
  })

  it('a change with an id is named by that', async () => {
    const at = rigOf(graph)
    const posts = [delivery(message('W/"1"', { id: 'one' })), delivery(message('W/"2"', { id: 'one' }))]
    expect(await daily(at, posts)).toEqual([202, 200])
    expect(at.messages()).toMatchObject([{ eventId: 'one' }])
  })
})

describe('a sender whose bodies are not always different', () => {
  const everyRequest = { businessKey: ['header:x-amzn-trace-id'] } as const
  const traced = ({ headers, ...post }: Sent, trace: string): Post => ({
    ...post,
    headers: { ...headers, 'x-amzn-trace-id': `Root=1-5759e988-${trace}` },
  })
  const ofExact = (more: object = {}): Sent => {
    const content = JSON.stringify({ Topic: 'Accounts', Division: 1042, Action: 'Update', Key: '1f6f5fb5', ...more })
    const hash = createHmac('sha256', SECRET).update(content).digest('hex').toUpperCase()
    return { body: `{"Content":${content},"HashCode":"${hash}"}` }
  }
  const ofHuggingFace = (): Sent => ({
    body: '{"event":{"action":"update","scope":"repo.config"},"repo":{"name":"acme/m","private":true}}',
    headers: { 'x-webhook-secret': SECRET },
  })

  it('two changes of one thing at Exact Online are two events if they say when they were made', async () => {
    const posts = ['06:01', '06:02'].map(at => ofExact({ EventCreatedOn: `2026-11-15T${at}:00Z` }))
    expect(await daily(rigOf({ provider: 'exact-online' }), [...posts, ...posts])).toEqual([202, 202, 200, 200])
  })

  it.each([
    ['exact-online', ofExact()],
    ['huggingface', ofHuggingFace()],
  ])('equal bodies of %s are one event, and each request is one if the source names it so', async (provider, post) => {
    const posts = [traced(post, 'a'), traced(post, 'b')]
    expect(await daily(rigOf({ provider }), posts)).toEqual([202, 200])
    expect(await daily(rigOf({ provider, identity: everyRequest }), posts)).toEqual([202, 202])
  })

  it('two reminders of one dispute at Paystack are one event, and two if the source chooses the body', async () => {
    const posts = ['2026-11-20', '2026-11-21'].map(dueAt => {
      const body = JSON.stringify({ event: 'charge.dispute.remind', data: { id: 358950, dueAt } })
      return { body, headers: { 'x-paystack-signature': createHmac('sha512', SECRET).update(body).digest('hex') } }
    })
    expect(await daily(rigOf({ provider: 'paystack' }), posts)).toEqual([202, 200])
    expect(await daily(rigOf({ provider: 'paystack', identity: 'body' }), posts)).toEqual([202, 202])
  })
})

describe('what happens in one meeting of Zoom in one millisecond', () => {
  const zoom = (event: string, more: object): Post => {
    const object = { id: '1234567890', uuid: '4444AAAiAAAAAiAiAiiAii==', ...more }
    const body = JSON.stringify({ event, event_ts: NOON, payload: { account_id: 'A', object } })
    const signature = createHmac('sha256', SECRET)
      .update(`v0:${NOON / 1000}:${body}`)
      .digest('hex')
    return { body, headers: { 'x-zm-signature': `v0=${signature}`, 'x-zm-request-timestamp': String(NOON / 1000) } }
  }
  const at = (participant: object) => zoom('meeting.participant_joined', { participant })
  const said = (message_id: string) => zoom('meeting.chat_message_sent', { chat_message: { message_id } })

  it.each([
    ['two participants join', at({ user_id: '16778240', id: '' }), at({ user_id: '16778241', id: '' })],
    [
      'two join whose device alone differs',
      at({ participant_uuid: 'a', id: 'i' }),
      at({ participant_uuid: 'b', id: 'i' }),
    ],
    ['two join before their host', at({ id: 'jill' }), at({ id: 'jack' })],
    ['two messages are sent', said('m-1'), said('m-2')],
  ])('is two events if %s', async (_, first, second) => {
    const rig = rigOf({ provider: 'zoom' })
    const answers = []
    for (const post of [first, second, first, second])
      answers.push((await rig.post({ source: 'acme', ...post })).status)
    expect(answers).toEqual([202, 202, 200, 200])
  })
})
