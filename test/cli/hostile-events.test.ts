import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Instance } from '../../lib/connect/instance.ts'
import { endLocals, eventually, hooklatch, instanceIn, until, workplace } from '../support/local-rig.ts'
import { stripeHeader } from '../support/receive-rig.ts'
import { hasTerminal, inTerminal, NO_TERMINAL, type Typing } from './in-terminal.ts'

/** Clear line, the clipboard, carriage return, C1, direction, what nobody sees, a line of its own, backspace, tags. */
const HOSTILE =
  'x\u001b[2K\u001b[31m\u001b]52;c;ZXZpbA==\u0007\rgood\u009b2J\u202e\u2066\u200b\u2028\u007f\b\u{e0041}\ny\u001b]8;;https://evil.example\u0007z'
const SHOWN = '\\u202e'
const ROOT = join(import.meta.dirname, '../..')
const SECRET = 'whsec_hostile_0123456789abcdef'
const CTRL_C = '\u0003'

/** Our own colours, and what the prompt of Node needs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
const OURS = /\u001b\[(?:1|2|22|3[1-9])m|\u001b\[(?:\d+G|0J)|\r(?=\n)/g

const hostileIn = (out: string): string[] =>
  out.replaceAll(OURS, '').match(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu) ?? []

let directory: string
let local: Instance
let started: ReturnType<typeof inTerminal>
let server: Server
let sender: Server
let elsewhere: string
const ids: Record<string, string> = {}

const post = async (event: object, secret = SECRET): Promise<number> => {
  const body = JSON.stringify(event)
  const headers = { 'content-type': 'application/json', 'stripe-signature': stripeHeader(body, secret, Date.now()) }
  return (await fetch(`${local.url}/webhooks/stripe`, { method: 'POST', body, headers })).status
}

const jsonOf = async (...args: string[]) => JSON.parse((await hooklatch(directory, ...args, '--json')).out)

const typed = (typing: Typing, ...args: string[]) => inTerminal(directory, typing, ...args)
const listed = (...args: string[]) => typed({ columns: 4_000 }, ...args)

beforeAll(async () => {
  if (!hasTerminal) return
  directory = workplace()
  writeFileSync(
    join(directory, 'sources.json'),
    '{"stripe":{"provider":"stripe","quarantine":true},"orders":{"provider":"internal","allow":"*"}}',
  )
  writeFileSync(join(directory, 'secrets.json'), JSON.stringify({ stripe: [SECRET] }))
  writeFileSync(
    join(directory, 'worker.ts'),
    `import { Unprocessable } from ${JSON.stringify(join(ROOT, 'functions/domain/event.ts'))}
    export const work = async event => {
      console.log('the worker got', event.type, await event.text())
      if (event.eventId.startsWith('evt_fail')) throw new Unprocessable(event.type)
    }`,
  )
  const flags = ['--port', '0', '--source-file', 'sources.json', '--secrets', 'secrets.json', '--worker', 'worker.ts']
  started = typed({ type: { after: 'the-very-last', keys: CTRL_C } }, 'start', ...flags)
  await until('the instance', () => existsSync(join(directory, '.hooklatch/local.json')))
  local = instanceIn(directory)
  server = createServer((_, response) => void response.writeHead(200).end(HOSTILE)).listen(0, '127.0.0.1')
  await until('the other server', () => server.listening)
  elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  sender = createServer(
    (request, response) => void response.end(JSON.stringify(hostileList(request.url ?? ''))),
  ).listen(0, '127.0.0.1')
  await until('the API of the sender', () => sender.listening)

  await hooklatch(directory, 'capture', 'start', 'stripe')
  const event = { type: HOSTILE, data: { text: HOSTILE } }
  expect(await post({ id: `evt_${HOSTILE}`, ...event })).toBe(202)
  expect(await post({ id: `evt_${HOSTILE}`, ...event })).toBe(200)
  expect(await post({ id: `evt_fail_${HOSTILE}`, ...event })).toBe(202)
  expect(await post({ id: `evt_forged_${HOSTILE}`, ...event }, 'whsec_wrong_0123456789abcdef')).toBe(401)
  const { events } = await eventually(
    'both events at their end',
    () => jsonOf('events'),
    found => found.events.filter((each: { status: string }) => /done|failed/.test(each.status)).length === 2,
  )
  for (const each of events) ids[each.status] = each.id
  for (const [at, kept] of (await jsonOf('capture', 'list', 'stripe')).deliveries.entries())
    ids[`captured${at}`] = kept.correlationId
  ids.quarantined = (await jsonOf('quarantine', 'list', 'stripe')).deliveries[0].correlationId
}, 120_000)

afterAll(() => {
  server?.close()
  sender?.close()
  endLocals()
})

/** What the API of a hostile sender answers: our endpoint and one event, as hostile as they can be. */
const hostileList = (path: string) => ({
  object: 'list',
  has_more: false,
  data: [
    path.includes('webhook_endpoints')
      ? { id: `we_${HOSTILE}`, url: `${local.url}/webhooks/stripe`, enabled_events: [HOSTILE], status: 'enabled' }
      : { id: `evt_${HOSTILE}`, object: 'event', type: HOSTILE, created: Math.floor(Date.now() / 1000), data: {} },
  ],
})

const atSender = (...args: string[]) => {
  const api = `http://127.0.0.1:${(sender.address() as AddressInfo).port}`
  return typed({ columns: 4_000, env: { HOOKLATCH_API_KEY: 'sk_test_1' } }, ...args, '--api-url', api)
}

/** Each command of the CLI; `true` if it shows something of the events. */
const COMMANDS: Readonly<Record<string, readonly (readonly [() => ReturnType<typeof typed>, boolean])[]>> = {
  events: [
    [() => listed('events'), true],
    [() => listed('events', '--json'), true],
    [
      () => typed({ columns: 4_000, type: { after: 'failed', keys: CTRL_C } }, 'events', '--follow', '--since', '1h'),
      true,
    ],
  ],
  listen: [
    [
      () =>
        typed(
          { columns: 4_000, type: { after: 'evt_fail', keys: CTRL_C } },
          ...['listen', '--to', elsewhere, '--since', '1h', '--source', 'stripe'],
        ),
      true,
    ],
    [
      () =>
        typed(
          { columns: 4_000, type: { after: 'evt_fail', keys: CTRL_C } },
          ...['listen', '--to', elsewhere, '--since', '1h', '--again', '--json'],
        ),
      true,
    ],
  ],
  show: [
    [() => listed('show', ids.done ?? ''), true],
    [() => listed('show', ids.failed ?? '', '--json'), true],
    [() => listed('show', ids.failed ?? ''), true],
    [() => listed('show', 'evt_none\u001b[2K\u202e'), true],
  ],
  replay: [
    [() => typed({ type: { after: '[y/N]', keys: 'n\r' } }, 'replay', ids.done ?? '', '--reason', 'x'), true],
    [() => listed('replay', '--status', 'done', '--since', '1h', '--reason', 'x', '--dry-run'), false],
    [() => listed('replay', ids.done ?? '', '--reason', 'x', '--yes', '--json'), false],
  ],
  erase: [
    [() => typed({ type: { after: '[y/N]', keys: 'n\r' } }, 'erase', '--event', ids.done ?? '', '--reason', 'x'), true],
    [() => listed('erase', '--event', ids.done ?? '', '--dry-run'), false],
  ],
  redrive: [
    [() => listed('redrive'), true],
    [() => listed('redrive', '--json'), true],
    [() => typed({ type: { after: '[y/N]', keys: 'n\r' } }, 'redrive', ids.failed ?? '', '--reason', 'x'), true],
  ],
  quarantine: [
    [() => listed('quarantine', 'list'), false],
    [() => listed('quarantine', 'show', 'stripe', ids.quarantined ?? ''), true],
    [() => listed('quarantine', 'verify', 'stripe'), false],
  ],
  deliveries: [
    [() => listed('deliveries'), true],
    [() => listed('deliveries', '--json'), true],
  ],
  capture: [
    [() => listed('capture', 'list', 'stripe'), true],
    [() => listed('capture', 'show', 'stripe', ids.captured1 ?? ''), true],
    [() => listed('capture', 'status'), false],
  ],
  compare: [
    [() => listed('compare', ids.captured1 ?? '', ids.captured3 ?? ''), true],
    [() => listed('compare', ids.captured1 ?? '', ids.captured3 ?? '', '--json'), true],
  ],
  reconcile: [[() => atSender('reconcile', 'stripe', '--dry-run', '--json'), false]],
  connect: [
    [() => atSender('connect', 'stripe', '--status'), true],
    [() => atSender('connect', 'stripe', '--status', '--json'), true],
  ],
  disconnect: [[() => atSender('disconnect', 'stripe', '--yes'), false]],
  routes: [
    [() => listed('routes', 'stripe', '--event', ids.done ?? ''), false],
    [() => listed('routes', 'stripe', '--event', ids.done ?? '', '--json'), false],
  ],
  template: [[() => listed('template'), false]],
  pause: [[() => listed('pause', 'worker', '--reason', HOSTILE, '--for', '1h'), false]],
  resume: [[() => listed('resume', 'worker', '--reason', HOSTILE), false]],
  send: [[() => listed('send', 'stripe', '--url', elsewhere), true]],
  publish: [
    [
      () =>
        typed(
          { columns: 4_000, env: { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' } },
          ...['publish', 'orders', '--url', elsewhere, '--region', 'us-east-1'],
        ),
      true,
    ],
    [() => listed('publish', 'orders', '--data', JSON.stringify({ type: HOSTILE })), false],
  ],
  stats: [[() => listed('stats'), false]],
  sources: [[() => listed('sources'), false]],
  console: [[() => typed({ type: { after: 'Ctrl-C ends it', keys: CTRL_C } }, 'console'), false]],
  secrets: [[() => listed('secrets', 'list'), false]],
  doctor: [[() => listed('doctor'), false]],
  providers: [
    [() => listed('providers'), false],
    [() => listed('providers', 'stripe'), false],
  ],
  cost: [[() => listed('cost'), false]],
  init: [[() => listed('init', 'an-app'), false]],
  completion: [[() => listed('completion', 'bash'), false]],
}

if (!hasTerminal) process.stderr.write(`Not tested: ${NO_TERMINAL}.\n`)

describe.runIf(hasTerminal)('a hostile event', () => {
  it('every command of the CLI is driven here', () => {
    const verbs = readdirSync(join(ROOT, 'lib/cli/verbs')).map(file => file.replace('.ts', ''))
    expect([...Object.keys(COMMANDS), 'start'].toSorted()).toEqual(verbs.toSorted())
  })

  it.each(Object.keys(COMMANDS))('a hostile event cannot speak to the terminal through `%s`', async verb => {
    for (const [command, shows] of COMMANDS[verb] ?? []) {
      const { out } = await command()
      expect(hostileIn(out), out).toEqual([])
      expect(out.trim()).not.toBe('')
      if (shows) expect(out).toContain(SHOWN)
    }
  })

  it('a hostile event cannot speak to the terminal through `start`, its log and what a worker prints of it', async () => {
    await post({ id: 'evt_last', type: 'the-very-last' })
    const { code, out } = await started
    expect(code).toBe(0)
    expect(out).toContain('the worker got')
    expect(out).toContain(SHOWN)
    expect(hostileIn(out), out).toEqual([])
  })
})
