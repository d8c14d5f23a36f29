import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { endLocals, hooklatch, type RunningLocal, startLocal, until, workplace } from '../support/local-rig.ts'

const SECRET = 'whsec_several_0123456789abcdef01'
const directory = workplace()
let local: RunningLocal

vi.setConfig({ testTimeout: 180_000 })
afterAll(endLocals)

const file = (name: string, content: string): string => {
  writeFileSync(join(directory, name), content)
  return join(directory, name)
}

beforeAll(async () => {
  file('destinations.json', JSON.stringify({ billing: { worker: 'billing.ts' }, crm: { worker: 'crm.ts', tries: 1 } }))
  file('billing.ts', 'export const work = async () => {}')
  file('crm.ts', "export const work = async () => { throw new Error('crm is down') }")
  const routes = [{ when: { type: 'invoice.*' }, to: ['billing', 'crm'] }]
  local = await startLocal(directory, [
    ...['--source-file', file('sources.json', JSON.stringify({ stripe: { provider: 'stripe', routes } }))],
    ...['--secrets', file('secrets.json', JSON.stringify({ stripe: [SECRET] }))],
    ...['--worker', file('worker.ts', 'export const work = async () => {}')],
  ])
})

const post = async (id: string, type: string) => {
  const body = JSON.stringify({ id, object: 'event', type })
  const t = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', SECRET).update(`${t}.${body}`).digest('hex')
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${t},v1=${v1}` }
  const response = await fetch(`${local.url}/webhooks/stripe`, { method: 'POST', headers, body })
  return { status: response.status, body: await response.json() }
}

const shown = async (id: string) => JSON.parse((await hooklatch(directory, 'show', id, '--json')).out)

describe('an event with several destinations on a laptop', () => {
  it('an event with several destinations has a copy for each, and is seen as failed when one of them is', async () => {
    expect(await post('evt_1', 'invoice.paid')).toMatchObject({ status: 202 })
    await until('both copies are over', async () => {
      const { copies, status } = await shown('evt_1')
      return copies.length === 2 && status === 'failed' && copies[0].status === 'done'
    })
    expect(await shown('evt_1')).toMatchObject({
      destination: null,
      copies: [
        { destination: 'billing', status: 'done' },
        { destination: 'crm', status: 'failed', lastError: 'Error: crm is down' },
      ],
    })
    const { out } = await hooklatch(directory, 'events', '--status', 'failed', '--json')
    expect(JSON.parse(out).events).toMatchObject([{ eventId: 'evt_1', status: 'failed', destination: null }])
  })

  it('a redrive with --to takes that copy alone', async () => {
    const args = ['redrive', 'evt_1', '--to', 'crm', '--reason', 'still down', '--yes', '--json']
    const { code, out } = await hooklatch(directory, ...args)
    expect([code, JSON.parse(out)]).toMatchObject([0, { result: 'replayed', destinations: ['crm'] }])
    expect(JSON.parse(out).message).toMatch(/^Replayed for crm: it is on the queue\./)
    const { copies } = await shown('evt_1')
    expect(copies).toMatchObject([{ generation: 0 }, { destination: 'crm', generation: 1 }])
  })

  it('who had one copy replayed, and why, stands in the timeline and the audit of its event', async () => {
    const { timeline, audit, copies } = await shown('evt_1')
    const details = timeline.map(({ what, detail }: Record<string, string>) => `${what} ${detail}`)
    expect(details).toContainEqual(expect.stringMatching(/^replayed crm: by .+: still down$/))
    expect(details).toContainEqual(expect.stringMatching(/^done a copy is on its way to each destination, after /))
    expect(audit).toMatchObject([
      { act: 'replay', id: copies[1].id, generation: 1, was: 'failed', reason: 'still down' },
    ])
  })

  it('a redrive of a copy that has not failed says so of that copy', async () => {
    const { code, err } = await hooklatch(directory, 'redrive', 'evt_1', '--to', 'billing', '--reason', 'x', '--yes')
    expect(code).toBe(1)
    expect(err).toMatch(/^For billing, the event [0-9a-f]{12} is done, not failed: nothing was replayed\./)
  })

  it('an event that no route wants is ignored on a laptop too', async () => {
    expect(await post('evt_2', 'charge.failed')).toMatchObject({ status: 200, body: { status: 'ignored' } })
  })
})
