import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Message } from '../../functions/contract/message.ts'
import { messageText } from '../../functions/domain/message.ts'
import { seal } from '../../functions/domain/seal.ts'
import { Secret } from '../../functions/domain/secret.ts'
import { FINGERPRINT_KEY_IN_MEMORY } from '../../lib/connect/fingerprint-key.ts'
import { localClients } from '../../lib/connect/local-clients.ts'
import { localSecret } from '../../lib/local/destination-consumers.ts'
import {
  endLocals,
  eventuallyAt,
  hooklatch,
  type RunningLocal,
  startLocal,
  until,
  workplace,
} from '../support/local-rig.ts'
import { localhostChain } from '../support/make-certificate.ts'

const { key, cert, authority } = localhostChain()
const posted: { body: string; headers: Record<string, string> }[] = []
const directory = workplace()
let server: Server
let local: RunningLocal

beforeAll(async () => {
  server = createServer({ key, cert }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      posted.push({ body, headers: request.headers as Record<string, string> })
      response.writeHead(body.includes('unwanted') ? 422 : 204).end()
    })
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  writeFileSync(join(directory, 'ca.pem'), authority)
  writeFileSync(
    join(directory, 'sources.json'),
    JSON.stringify({
      stripe: { provider: 'stripe' },
      shop: { provider: 'stripe', routes: [{ when: { type: 'invoice.*' }, to: 'legacy' }], otherwise: 'billing' },
    }),
  )
  writeFileSync(
    join(directory, 'destinations.json'),
    JSON.stringify({
      billing: { worker: 'billing.ts' },
      crm: { queue: 'crm-events', rate: '50/s' },
      all: { bus: 'company' },
      legacy: { url: `https://localhost:${port}/hooks`, privateAddresses: true },
    }),
  )
  writeFileSync(
    join(directory, 'billing.ts'),
    `export const work = async (event: { eventId: string }): Promise<void> => console.log('billed', event.eventId)`,
  )
  local = await startLocal(directory, ['--source-file', 'sources.json'], 'node', {
    NODE_EXTRA_CA_CERTS: join(directory, 'ca.pem'),
  })
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  endLocals()
})

/** A message as the receiver would send it to the queue of a destination. */
const send = async (destination: string, eventId: string, body = '{"amount":5}'): Promise<string> => {
  const id = createHash('sha256').update(`${destination} ${eventId}`).digest('hex')
  const message: Message = {
    version: 1,
    id,
    source: 'stripe',
    provider: 'stripe',
    eventId,
    type: 'invoice.paid',
    generation: 0,
    edition: 0,
    receivedAt: new Date().toISOString(),
    correlationId: 'request-1',
    expiresAt: Math.floor(Date.now() / 1000) + 86_400,
    retain: 0,
    bodySigned: true,
    headers: {},
    ordering: null,
    to: [destination],
    body: {
      sha256: createHash('sha256').update(body).digest('hex'),
      size: body.length,
      encoding: 'base64',
      data: Buffer.from(body).toString('base64'),
    },
  }
  const { aws } = localClients(local.endpoints)
  const QueueUrl = local.resources.destinations[destination] ?? ''
  const MessageBody = seal(new Secret(FINGERPRINT_KEY_IN_MEMORY), messageText(message))
  expect(await aws.queue.sendMessage({ QueueUrl, MessageBody, MessageAttributes: {} })).toEqual({ kind: 'sent' })
  return id
}

const statusIs = (id: string, status: string) =>
  eventuallyAt(
    local,
    `${id} in ${status}`,
    async () => (await hooklatch(directory, 'show', id, '--json')).out,
    out => out !== '' && JSON.parse(out).status === status,
  )

describe('npm start with destinations', () => {
  it('the banner says where the events of each destination go', () => {
    expect(local.out()).toContain('Events for billing go to billing.ts')
    expect(local.out()).toContain('Events for crm go to the queue crm-events')
    expect(local.out()).toContain(`signed with ${localSecret('legacy')}`)
  })

  it('hooklatch events --destination refuses a name that is no destination, and says which there are', async () => {
    const misspelt = await hooklatch(directory, 'events', '--destination', 'biling')
    expect(misspelt).toMatchObject({ code: 1, out: '' })
    expect(misspelt.err).toContain('There is no destination "biling": did you mean "billing"?')
    expect((await hooklatch(directory, 'events', '--destination', 'legacy')).code).toBe(0)
  })

  it('a worker of a destination gets its events', async () => {
    await send('billing', 'evt_billed')
    await until('the event to be billed', () => local.out().includes('billed evt_billed'))
  })

  it('a queue of the user gets an envelope, and the event is done', async () => {
    const id = await send('crm', 'evt_crm')
    const { aws } = localClients(local.endpoints)
    const url = (local.resources.destinations.crm ?? '').replace(/[^/]+$/, 'crm-events')
    const got: string[] = []
    await until('the envelope', async () => {
      got.push(...(await aws.queue.receiveMessages(url, { waitSeconds: 1 })).map(({ body }) => body))
      return got.length > 0
    })
    expect(JSON.parse(got[0] ?? '')).toMatchObject({
      destination: 'crm',
      eventId: 'evt_crm',
      body: { data: '{"amount":5}' },
    })
    await statusIs(id, 'done')
  })

  it('what a bus would get is printed', async () => {
    await send('all', 'evt_bus')
    await until('the entry', () => local.out().includes('all would get on its bus: {"EventBusName":"company"'))
  })

  it('a service gets the event, signed so the library of Standard Webhooks believes it', async () => {
    const id = await send('legacy', 'evt_posted')
    await statusIs(id, 'done')
    const { body = '', headers = {} } = posted[0] ?? {}
    expect(new Webhook(localSecret('legacy')).verify(body, headers)).toEqual({ amount: 5 })
    expect(headers['hooklatch-event-id']).toBe('evt_posted')
  })

  it('a delivery goes where the routes of its source lead', async () => {
    const sent = (id: string, type: string) => hooklatch(directory, 'send', 'shop', '--id', id, '--type', type)
    expect((await sent('evt_routed', 'invoice.paid')).code).toBe(0)
    await until('the post', () => posted.some(({ headers }) => headers['hooklatch-event-id'] === 'evt_routed'))
    expect((await sent('evt_otherwise', 'customer.created')).code).toBe(0)
    await until('the event to be billed', () => local.out().includes('billed evt_otherwise'))
    expect(local.out()).not.toContain('billed evt_routed')
  })

  it('a paused destination gets nothing and loses nothing, while the others go on', async () => {
    const paused = await hooklatch(directory, 'pause', 'billing', '--reason', 'deploying', '--for', '2h', '--json')
    expect(paused.code).toBe(0)
    expect(JSON.parse(paused.out)).toMatchObject({ kind: 'paused', destination: 'billing' })
    await send('billing', 'evt_waits')
    const other = await send('crm', 'evt_goes_on')
    await statusIs(other, 'done')
    const { out: findings } = await hooklatch(directory, 'doctor')
    expect(findings).toMatch(/billing.*paused since .*: deploying/)
    expect(local.out()).not.toContain('billed evt_waits')
    const resumed = await hooklatch(directory, 'resume', 'billing')
    expect(resumed).toMatchObject({ code: 0, out: 'billing gets its events again.\n' })
    await until('the event to be billed', () => local.out().includes('billed evt_waits'))
  })

  it('a pause without a reason, of nobody, or for too long is refused', async () => {
    const [reason, nobody, long] = await Promise.all([
      hooklatch(directory, 'pause', 'crm'),
      hooklatch(directory, 'pause', 'crn', '--reason', 'x'),
      hooklatch(directory, 'pause', 'crm', '--reason', 'x', '--for', '8d'),
    ])
    expect(reason).toMatchObject({ code: 2 })
    expect(nobody).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no destination "crn": did you mean "crm"?'),
    })
    expect(long).toMatchObject({ code: 2, err: expect.stringContaining('seven days at most') })
  })

  it('an event that a service refuses for good fails at once', async () => {
    const id = await send('legacy', 'evt_refused', '"unwanted"')
    await statusIs(id, 'failed')
    expect(posted.filter(({ body }) => body.includes('unwanted'))).toHaveLength(1)
  })
})
