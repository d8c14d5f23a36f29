import { createHmac, createPublicKey, randomBytes, randomUUID, verify } from 'node:crypto'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { localPublicKey } from '../../lib/sender/local-key-pair.ts'
import {
  endLocals,
  hooklatch,
  hooklatchOn,
  type RunningLocal,
  startLocal,
  until,
  workplace,
} from '../support/local-rig.ts'

// A command is a process of its own, and takes seconds on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const CLOUD_SECRET = 'whsec_cloud_0123456789abcdef01234'
const LAPTOP_SECRET = 'whsec_laptop_0123456789abcdef0123'
const STANDARD_SECRET = `whsec_${randomBytes(24).toString('base64')}`

interface Got {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const directory = workplace()
let local: RunningLocal
let server: Server
let got: Got[] = []
/** What the server does with each request: an HTTP status, or the line goes dead. */
let answers: (got: Got) => number | 'dead' = () => 200

const to = (path: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`

const file = (name: string, content: unknown): string => {
  const path = join(directory, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

beforeAll(async () => {
  const sources = {
    stripe: { provider: 'stripe' },
    forgetful: { provider: 'stripe', retain: 'none' },
    acme: { provider: 'standard-webhooks' },
    discord: { provider: 'discord' },
  }
  const secrets = {
    stripe: [CLOUD_SECRET],
    forgetful: [CLOUD_SECRET],
    acme: [`whsec_${randomBytes(24).toString('base64')}`],
    discord: [localPublicKey()],
  }
  local = await startLocal(directory, [
    ...['--source-file', file('sources.json', sources)],
    ...['--secrets', file('secrets.json', secrets)],
    ...['--worker', file('worker.ts', 'export const work = async () => {}')],
  ])
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const each = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) }
      const answer = answers(each)
      if (answer === 'dead') request.socket.destroy()
      else response.writeHead(answer).end(`answer ${answer}`)
      got.push(each)
    })
  }).listen(0, '127.0.0.1')
  await until('the server', () => server.listening)
})

beforeEach(() => {
  got = []
  answers = () => 200
})

// One that went on would be sent the events of the next test.
afterEach(() => Promise.all(commands.splice(0).map(command => command.end())))

afterAll(() => {
  server?.close()
  endLocals()
})

/** Unusual white space, so that bytes which were parsed and written again would differ. */
const bodyOf = (id: string, type: string): string => `{ "id":"${id}",  "object": "event", "type":"${type}", "n": 1.0 }`

const post = async (id: string, { type = 'invoice.paid', source = 'stripe' } = {}): Promise<void> => {
  const body = bodyOf(id, type)
  const t = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', CLOUD_SECRET).update(`${t}.${body}`).digest('hex')
  const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': `t=${t},v1=${v1}` }
  const { status } = await fetch(`${local.url}/webhooks/${source}`, { method: 'POST', headers, body })
  expect(status).toBe(202)
}

const commands: { end(): Promise<unknown> }[] = []

const listening = async (path: string, ...flags: string[]) => {
  const started = hooklatchOn(directory, 'listen', '--to', to(path), ...flags)
  const end = () => {
    started.pressCtrlC()
    return started.finished
  }
  const command = { ...started, end }
  commands.push(command)
  await until('its first line', () => (command.out() + command.err()).includes('Ctrl-C ends it.'))
  return command
}

const idsAt = (path: string): string[] =>
  got.filter(each => each.path === path).map(({ body }) => JSON.parse(body.toString()).id)

const firstGot = (): Got => {
  const [first] = got
  if (first === undefined) throw new Error('the server got nothing')
  return first
}

describe('hooklatch listen', () => {
  it('a server on the laptop gets the exact bytes and kept headers of an event, with a signature that its own SDK believes', async () => {
    const command = await listening('/stripe', '--source', 'stripe', '--secret', LAPTOP_SECRET)
    await post('evt_exact')
    await until('the event', () => idsAt('/stripe').includes('evt_exact'))
    const { headers, body } = firstGot()
    expect(body.toString()).toBe(bodyOf('evt_exact', 'invoice.paid'))
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    const { webhooks } = new Stripe('sk_test_none')
    const signature = String(headers['stripe-signature'])
    expect(webhooks.constructEvent(body, signature, LAPTOP_SECRET)).toMatchObject({ id: 'evt_exact' })
    expect(() => webhooks.constructEvent(body, signature, CLOUD_SECRET)).toThrow(/signature/)
    await until('its line', () => /\t200\tstripe\tinvoice\.paid\tevt_exact\t\d+ ms\n/.test(command.out()))
    const { code, out, err } = await command.end()
    expect([code, err]).toEqual([0, 'Sent: 1.\n'])
    expect(out).not.toContain(LAPTOP_SECRET)
  })

  it('an event of a Standard Webhooks sender is believed by the standardwebhooks library, under its own id', async () => {
    const command = await listening('/acme', '--source', 'acme', '--secret', STANDARD_SECRET, '--json')
    expect((await hooklatch(directory, 'send', 'acme', '--id', 'msg_kept')).code).toBe(0)
    await until('the event', () => got.length > 0)
    const { headers, body } = firstGot()
    expect(headers['webhook-id']).toBe('msg_kept')
    expect(new Webhook(STANDARD_SECRET).verify(body, headers as Record<string, string>)).toEqual(
      JSON.parse(body.toString()),
    )
    await until('its line', () => command.out().endsWith('\n'))
    const { out, err } = await command.end()
    expect(JSON.parse(out)).toMatchObject({
      source: 'acme',
      eventId: 'msg_kept',
      answer: { status: 200, text: 'answer 200', durationMs: expect.any(Number) },
      problem: null,
    })
    expect(err).toContain('Ctrl-C ends it.')
  })

  it('an event of a sender with a private key is signed with a local one, whose public key is printed', async () => {
    const command = await listening('/discord', '--source', 'discord')
    expect((await hooklatch(directory, 'send', 'discord')).code).toBe(0)
    await until('the event', () => got.length > 0)
    const { headers, body } = firstGot()
    const [pem = ''] = /-----BEGIN PUBLIC KEY-----[\s\S]+-----END PUBLIC KEY-----/.exec(command.out()) ?? []
    const signed = Buffer.concat([Buffer.from(String(headers['x-signature-timestamp'])), body])
    const signature = Buffer.from(String(headers['x-signature-ed25519']), 'hex')
    expect(verify(null, signed, createPublicKey(pem), signature)).toBe(true)
    await command.end()
  })

  it('what comes while nobody listens is sent by the next run, and nothing is sent twice, also after a kill', async () => {
    const flags = ['--source', 'stripe', '--secret', LAPTOP_SECRET]
    const first = await listening('/cursor', ...flags)
    await post('evt_before')
    await until('the first event', () => first.out().includes('evt_before'))
    first.kill()
    await first.finished
    await post('evt_asleep_1')
    await post('evt_asleep_2')
    const second = await listening('/cursor', ...flags)
    await post('evt_after')
    await until('the last event', () => second.out().includes('evt_after'))
    await second.end()
    expect(idsAt('/cursor')).toEqual(['evt_before', 'evt_asleep_1', 'evt_asleep_2', 'evt_after'])
    expect(statSync(join(directory, '.hooklatch')).mode & 0o777).toBe(0o700)
    const cursors = readdirSync(join(directory, '.hooklatch')).filter(name => name.startsWith('listen-'))
    expect(cursors.length).toBeGreaterThan(0)
    for (const name of cursors) expect(statSync(join(directory, '.hooklatch', name)).mode & 0o777).toBe(0o600)
  })

  it('a server that is down is tried again until it answers, and events arrive in order', async () => {
    let dead = 3
    answers = () => (dead-- > 0 ? 'dead' : 200)
    const command = await listening('/down', '--source', 'stripe', '--secret', LAPTOP_SECRET)
    await post('evt_down_1')
    await post('evt_down_2')
    await until('both', () => command.out().includes('evt_down_2'))
    expect(idsAt('/down')).toEqual([...Array(4).fill('evt_down_1'), 'evt_down_2'])
    expect(command.out().match(/does not answer/g)).toHaveLength(1)
    await command.end()
  })

  it('an error of the server is printed with its words, and --again sends the event once more', async () => {
    answers = () => 500
    const flags = ['--source', 'stripe', '--secret', LAPTOP_SECRET, '--type', 'broken']
    const first = await listening('/again', ...flags)
    await post('evt_again', { type: 'broken' })
    await until('its line', () => /\t500\tstripe\tbroken\tevt_again\t\d+ ms\tanswer 500\n/.test(first.out()))
    await first.end()
    answers = () => 200
    const second = await listening('/again', ...flags, '--since', '1h', '--again')
    await until('its line', () => /\t200\tstripe\tbroken\tevt_again/.test(second.out()))
    await second.end()
    expect(idsAt('/again')).toEqual(['evt_again', 'evt_again'])
  })

  it('an event that is replayed is sent again', async () => {
    const command = await listening('/replayed', '--secret', LAPTOP_SECRET, '--type', 'replayed')
    await post('evt_replayed', { type: 'replayed' })
    await until('the event', () => command.out().includes('evt_replayed'))
    // Its worker may not have finished yet, and an event in flight is not replayed.
    const replay = () => hooklatch(directory, 'replay', 'evt_replayed', '--reason', 'once more', '--yes')
    await until('the replay', async () => (await replay()).code === 0)
    await until('it once more', () => idsAt('/replayed').length > 1)
    await command.end()
    expect(idsAt('/replayed')).toEqual(['evt_replayed', 'evt_replayed'])
  })

  it('--since goes back, and --type with a star chooses', async () => {
    await post('evt_type_1', { type: 'customer.created' })
    await post('evt_type_2', { type: 'payout.paid' })
    await post('evt_type_3', { type: 'customer.deleted' })
    const flags = ['--source', 'stripe', '--secret', LAPTOP_SECRET, '--since', '1h', '--type', 'customer.*']
    const command = await listening('/type', ...flags)
    await until('both', () => command.out().includes('evt_type_3'))
    await command.end()
    expect(idsAt('/type')).toEqual(['evt_type_1', 'evt_type_3'])
  })

  it('--rate leaves time between two events', async () => {
    for (const number of [1, 2, 3, 4, 5, 6]) await post(`evt_pace_${number}`, { type: 'paced' })
    const times: number[] = []
    answers = () => times.push(performance.now()) && 200
    const flags = ['--secret', LAPTOP_SECRET, '--since', '1h', '--type', 'paced', '--rate', '2']
    const command = await listening(`/rate-${randomUUID()}`, '--source', 'stripe', ...flags)
    await until('all six', () => times.length === 6)
    await command.end()
    // Sent over two and a half seconds; the first may come in late on a busy machine. Without a rate they come at once.
    expect((times[5] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1_000)
  })

  it('events without a kept body are named and counted, and the others are sent', async () => {
    const command = await listening('/forgetful', '--type', 'forgotten', '--secret', LAPTOP_SECRET)
    await post('evt_forgotten_1', { source: 'forgetful', type: 'forgotten' })
    await post('evt_forgotten_2', { source: 'forgetful', type: 'forgotten' })
    await post('evt_kept', { type: 'forgotten' })
    const all = ['evt_forgotten_1', 'evt_forgotten_2', 'evt_kept']
    await until('all three', () => all.every(id => command.out().includes(`${id}\t`)))
    expect(command.out()).toMatch(/\t-\tforgetful\tforgotten\tevt_forgotten_1\t-\tits body is not kept\n/)
    const { err } = await command.end()
    expect(err).toMatch(/^Sent: 1\. Not sent, without a kept body: 2 \(evt_forgotten_\d, evt_forgotten_\d\)\.\n$/)
    expect(idsAt('/forgetful')).toEqual(['evt_kept'])
  })

  it('a server that no request can be made for ends the command with the reason', async () => {
    await post('evt_nowhere', { type: 'nowhere' })
    const flags = ['--since', '1h', '--type', 'nowhere', '--secret', LAPTOP_SECRET]
    // Fetch refuses this port, whoever listens there.
    const ended = await hooklatch(directory, 'listen', '--to', 'http://127.0.0.1:6000/', '--source', 'stripe', ...flags)
    expect(ended).toMatchObject({
      code: 1,
      err: expect.stringContaining('Nothing can be sent to http://127.0.0.1:6000/: bad port.'),
    })
  })

  it('a source that does not exist and a secret that fits no signature are refused in a sentence', async () => {
    const unknown = await hooklatch(directory, 'listen', '--to', to('/'), '--source', 'strpe')
    expect(unknown).toMatchObject({ code: 1, err: 'There is no source "strpe": did you mean "stripe"?\n' })
    const pair = await hooklatch(directory, 'listen', '--to', to('/'), '--source', 'discord', '--secret', 'x')
    expect(pair).toMatchObject({ code: 2, err: expect.stringContaining('its sender has a private key. Leave it out') })
    const short = await hooklatch(directory, 'listen', '--to', to('/'), '--source', 'stripe', '--secret', 'x')
    expect(short).toMatchObject({ code: 2, err: expect.stringContaining('fewer than 4 bytes') })
  })
})
