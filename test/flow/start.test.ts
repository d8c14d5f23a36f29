import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { javaAvailable } from '../../lib/local/engines/dynamo-command.ts'
import {
  answers,
  endLocals,
  hooklatch,
  hooklatchWith,
  instanceIn,
  OTHER_MACHINE,
  type RunningLocal,
  startLocal,
  until,
  workplace,
} from '../support/local-rig.ts'

const run = promisify(execFile)
const STRIPE_SECRET = 'whsec_local_stripe_0123456789abcdef'

const postStripe = async (url: string, id: string, at = Date.now(), secret = STRIPE_SECRET) => {
  const body = JSON.stringify({ id, object: 'event', type: 'invoice.paid' })
  const t = Math.floor(at / 1000)
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${t},v1=${v1}` }
  const answer = await fetch(`${url}/webhooks/stripe`, { method: 'POST', headers, body })
  return { status: answer.status, body: (await answer.json()) as { id: string } }
}

afterAll(endLocals)

const listed = async (directory: string, ...flags: string[]) =>
  JSON.parse((await hooklatch(directory, 'events', '--json', ...flags)).out)

describe('npm start', () => {
  const directory = workplace()
  let local: RunningLocal
  beforeAll(async () => {
    local = await startLocal(directory, [], 'npm')
  })
  it('npm start says where it listens, with what, and the URL of each source', () => {
    expect(local.out()).toContain(`listens on ${local.url}`)
    expect(local.out()).toContain('a DynamoDB in this process, fauxqs (SQS, S3), nothing is kept')
    expect(local.out()).toContain(`POST ${local.url}/webhooks/github`)
    expect(local).toMatchObject({ environment: 'local', now: null })
    expect(local.console).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{32}$/)
    expect(local.out()).toContain(`Console: ${local.console}`)
  })

  it('npm start prints a curl line that works as it stands', async () => {
    const line = local
      .out()
      .split('\n')
      .find(each => each.startsWith('curl '))
    const { stdout } = await run('sh', ['-c', line ?? 'false'])
    expect(stdout).toMatch(/^HTTP\/1\.1 202 /)
  })

  it('one of five concurrent deliveries reaches the worker of a local instance, is done, and is listed and shown', async () => {
    const posts = await Promise.all(Array.from({ length: 5 }, () => postStripe(local.url, 'evt_five')))
    const statuses = posts.map(post => post.status)
    expect(statuses.filter(status => status === 202)).toHaveLength(1)
    expect(statuses.filter(status => ![202, 200, 409].includes(status))).toEqual([])
    await until('its end', () => /done +stripe {2}invoice\.paid {2}evt_five/.test(local.out()))
    expect(local.out()).toContain('Events go to ')
    expect(local.out().match(/^\{"handled":"evt_five"/gm)).toHaveLength(1)
    expect((await postStripe(local.url, 'evt_five')).status).toBe(200)

    const { events, next } = await listed(directory)
    expect(next).toBeNull()
    expect(events[0]).toEqual({
      id: posts[0]?.body.id,
      eventId: 'evt_five',
      source: 'stripe',
      type: 'invoice.paid',
      status: 'done',
      destination: 'worker',
      generation: 0,
      attempts: 1,
      firstSeenAt: expect.stringMatching(/^\d{4}-.*Z$/),
      updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      via: null,
    })
    const shown = JSON.parse((await hooklatch(directory, 'show', 'evt_five', '--json')).out)
    expect(shown).toMatchObject({ ...events[0], lastError: null, bodyAt: 'dynamodb', bodyEncoding: 'utf8' })
    expect(JSON.parse(shown.body).id).toBe('evt_five')
    const byId = await hooklatch(directory, 'show', events[0].id)
    expect(byId.out).toContain('"evt_five"')
  })

  it('hooklatch send works for every source of the repository, and the list pages, filters and prints plainly in a pipe', async () => {
    const names = local.out().match(/(?<=POST .*\/webhooks\/).+/g) ?? []
    expect(names.length).toBeGreaterThan(10)
    const send = async (name: string) => ({ name, ...(await hooklatch(directory, 'send', name, '--times', '2')) })
    for (const sent of await Promise.all(names.map(send))) {
      expect(sent).toMatchObject({ name: sent.name, code: 0, out: expect.stringMatching(/^202 .*\n200 /) })
    }
    const first = await listed(directory, '--limit', '2')
    const second = await listed(directory, '--limit', '2', '--after', first.next)
    const ids = [...first.events, ...second.events].map((event: { id: string }) => event.id)
    expect(new Set(ids).size).toBe(4)
    await until('every end', async () => (await listed(directory, '--status', 'done')).events.length >= names.length)
    const github = await hooklatch(directory, 'events', '--source', 'github', '--status', 'done')
    expect(github.out.trim().split('\t').slice(1, 4)).toEqual(['done', 'github', 'issues'])
  })

  it('hooklatch send stops once nobody listens', async () => {
    const { code, out } = await hooklatch(directory, 'send', 'stripe', '--url', 'http://127.0.0.1:2/x', '--times', '9')
    expect([code, out]).toEqual([1, expect.stringMatching(/^none .*ECONNREFUSED.*\n$/)])
  })

  it('a local instance answers a forged delivery with 401, and what it does not know as API Gateway does', async () => {
    expect((await postStripe(local.url, 'evt_forged', Date.now(), 'whsec_wrong')).status).toBe(401)
    expect((await hooklatch(directory, 'show', 'evt_forged')).code).toBe(1)
    const lost = await fetch(`${local.url}/elsewhere`)
    expect([lost.status, await lost.text()]).toEqual([404, '{"message":"Not Found"}'])
    expect(await (await fetch(local.url)).text()).toContain(`POST ${local.url}/webhooks/stripe`)
  })

  it('a local instance keeps the whole line of each delivery and of each message in a file', () => {
    const lines = readFileSync(local.deliveries, 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines.find(line => line.eventId === 'evt_five' && line.status === 202)).toMatchObject({
      outcome: 'accepted',
    })
    expect(lines.find(line => line.eventId === 'evt_five' && line.Done === 1)).toMatchObject({ work: 'done' })
  })

  it('a second local instance is told in one sentence that the port is taken', async () => {
    const port = new URL(local.url).port
    const second = await hooklatch(workplace(), 'start', '--port', port)
    expect(second).toEqual({ code: 1, out: '', err: expect.stringMatching(/^Port \d+ is already in use: .*\n$/) })
  })

  it('a second local instance in the same directory is told where the first one runs, and leaves its file alone', async () => {
    const second = await hooklatch(directory, 'start', '--port', '0')
    expect(second).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining(`${local.url} (process ${local.pid})`),
    })
    expect(instanceIn(directory).pid).toBe(local.pid)
  })

  it('a local instance ends on Ctrl-C, its engine and its file with it', async () => {
    local.pressCtrlC()
    await local.finished
    expect(await answers(local.url)).toBe(false)
    expect(await answers(local.endpoints.dynamodb)).toBe(false)
    expect(existsSync(join(directory, '.hooklatch/local.json'))).toBe(false)
    const events = await hooklatch(directory, 'events')
    expect(events).toMatchObject({ code: 1, err: expect.stringContaining('start one with `npm start`') })
  })
})

describe('a local instance that is asked to end', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'a local instance that gets %s ends with exit code 0 and leaves no engine behind',
    async signal => {
      const local = await startLocal(workplace())
      local.signal(signal)
      expect(await local.finished).toMatchObject({ code: 0, err: '' })
      expect(await answers(local.endpoints.dynamodb)).toBe(false)
    },
  )

  it('a local instance also ends by a signal to npm alone, whose shell does not pass it on', async () => {
    const local = await startLocal(workplace(), [], 'npm')
    local.terminate()
    await local.finished
    await until('the end of the local instance', async () => !(await answers(local.url)))
    await until('the end of the engine', async () => !(await answers(local.endpoints.dynamodb)))
  })
})

describe('a local instance that is killed', () => {
  it('a local instance killed with -9 leaves no engine behind, and the next one overwrites its file', async () => {
    const directory = workplace()
    const local = await startLocal(directory)
    local.signal('SIGKILL')
    await local.finished
    await until('the end of the engine', async () => !(await answers(local.endpoints.dynamodb)))
    expect((await hooklatch(directory, 'events')).code).toBe(1)
    const next = await startLocal(directory)
    expect(next.pid).not.toBe(local.pid)
    next.signal('SIGTERM')
    expect((await next.finished).code).toBe(0)
  })

  it('a local instance whose engine is killed says so in one sentence and ends with exit code 1', async () => {
    const directory = workplace()
    const local = await startLocal(directory, ['--data', join(directory, 'state')])
    process.kill(local.engine.pid, 'SIGKILL')
    const { code, err } = await local.finished
    expect(code).toBe(1)
    expect(err).toMatch(/^The DynamoDB engine \S+ ended by itself \(SIGKILL\)\. .*\n$/)
    expect(await answers(local.url)).toBe(false)
  })
})

describe('--data', () => {
  it('--data keeps events across restarts, and is refused to a second local instance', async () => {
    const directory = workplace()
    const data = join(directory, 'state')
    const first = await startLocal(directory, ['--data', data])
    expect(first.out()).toContain(`kept in ${data}`)
    const { status, body } = await postStripe(first.url, 'evt_kept')
    expect(status).toBe(202)
    const second = await hooklatch(workplace(), 'start', '--port', '0', '--data', data)
    expect(second).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/in use by another hooklatch/) })
    first.signal('SIGKILL')
    await first.finished

    const again = await startLocal(directory, ['--data', data])
    expect(await postStripe(again.url, 'evt_kept')).toEqual({ status: 200, body: { status: 'duplicate', id: body.id } })
    expect((await listed(directory)).events).toMatchObject([{ eventId: 'evt_kept', generation: 0 }])
    again.signal('SIGTERM')
    await again.finished
  })
})

describe('where there is no dynoxide', () => {
  it('DynamoDB Local keeps data if there is no dynoxide, and a local instance killed with -9 leaves none behind', async context => {
    if (!(await javaAvailable())) return context.skip('Java 17 is not installed')
    const directory = workplace()
    const local = await startLocal(directory, ['--data', join(directory, 'state')], 'node', OTHER_MACHINE)
    expect(local.out()).toContain('DynamoDB Local')
    expect((await postStripe(local.url, 'evt_java')).status).toBe(202)
    expect((await postStripe(local.url, 'evt_java')).status).toBe(200)
    local.signal('SIGKILL')
    await until('the end of the engine', async () => !(await answers(local.endpoints.dynamodb)))
  })

  const NEITHER = { ...OTHER_MACHINE, PATH: '/nowhere' }

  it('the DynamoDB of our own needs neither dynoxide nor Java: an event is done, listed, shown and replayed', async () => {
    const directory = workplace()
    const local = await startLocal(directory, [], 'node', NEITHER)
    expect(local.engine).toEqual({ kind: 'memory', pid: local.pid })
    expect((await postStripe(local.url, 'evt_memory')).status).toBe(202)
    expect((await postStripe(local.url, 'evt_memory')).status).toBe(200)
    await until('its end', async () => (await listed(directory, '--status', 'done')).events.length === 1)
    const replayed = await hooklatch(directory, 'replay', 'evt_memory', '--reason', 'to see it work', '--yes')
    expect(replayed).toMatchObject({ code: 0 })
    await until(
      'the end of its replay',
      async () => (await listed(directory, '--status', 'done')).events[0]?.generation === 1,
    )
    local.signal('SIGTERM')
    expect(await local.finished).toMatchObject({ code: 0, err: '' })
  })

  it('--data is refused if there is neither dynoxide nor Java, and the sentence says what to install', async () => {
    const { code, out, err } = await hooklatchWith(NEITHER, workplace(), 'start', '--port', '0', '--data', 'kept')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(
      /^--data .*kept cannot be used, since nothing here can keep data\. No DynamoDB engine .* Java 17 .*\n$/,
    )
  })
})

describe('npx hooklatch', () => {
  it('npx hooklatch finds the command in the repository itself', async () => {
    const { stdout } = await run('npx', ['hooklatch', '--help'], { cwd: join(import.meta.dirname, '../..') })
    expect(stdout).toContain('npx hooklatch <command>')
  })
})

describe('--now, --source-file and --secrets', () => {
  it('--now freezes the clock, --source-file brings other sources, and --secrets takes a rotated secret without a restart', async () => {
    const directory = workplace()
    const sourceFile = join(directory, 'mine.json')
    const secretsFile = join(directory, 'secrets.json')
    writeFileSync(
      sourceFile,
      JSON.stringify({ stripe: { provider: 'stripe' }, quiet: { provider: 'github' }, bank: { provider: 'ramp' } }),
    )
    writeFileSync(secretsFile, JSON.stringify({ stripe: ['whsec_first_0123456789'] }))
    const flags = ['--now', '2031-05-06T07:08:09Z', '--source-file', sourceFile, '--secrets', secretsFile]
    const local = await startLocal(directory, flags)
    expect(local.out()).toContain('quiet has no secret: it answers 503')
    expect(local.out()).toContain('bank: the facts on Ramp are not confirmed (')

    const frozen = Date.parse('2031-05-06T07:08:09Z')
    expect((await postStripe(local.url, 'evt_now', Date.now(), 'whsec_first_0123456789')).status).toBe(401)
    expect((await postStripe(local.url, 'evt_now', frozen, 'whsec_first_0123456789')).status).toBe(202)
    expect((await listed(directory)).events).toMatchObject([{ firstSeenAt: '2031-05-06T07:08:09.000Z' }])
    expect((await fetch(`${local.url}/webhooks/quiet`, { method: 'POST', body: '{}' })).status).toBe(503)
    expect(await hooklatch(directory, 'send', 'quiet')).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /"quiet" has no secret in .*secrets\.json.*start it again.*`npx hooklatch secrets set quiet`/,
      ),
    })

    writeFileSync(secretsFile, JSON.stringify({ stripe: ['whsec_second_0123456789', 'whsec_first_0123456789'] }))
    expect((await postStripe(local.url, 'evt_new', frozen, 'whsec_second_0123456789')).status).toBe(202)
    expect((await postStripe(local.url, 'evt_old', frozen, 'whsec_first_0123456789')).status).toBe(202)
    local.signal('SIGTERM')
    await local.finished
  })

  it('a source that was added after the start is not called live, and an internal one has its own path', async () => {
    const directory = workplace()
    const sourceFile = join(directory, 'mine.json')
    const before = { stripe: { provider: 'stripe' }, orders: { provider: 'internal', allow: '*' } }
    writeFileSync(sourceFile, JSON.stringify(before))
    const local = await startLocal(directory, ['--source-file', sourceFile])
    writeFileSync(sourceFile, JSON.stringify({ ...before, late: { provider: 'github' } }))
    const { sources } = JSON.parse((await hooklatch(directory, 'sources', '--json')).out)
    expect(sources).toMatchObject([
      { name: 'stripe', state: 'live', url: `${local.url}/webhooks/stripe` },
      { name: 'orders', state: 'live', url: `${local.url}/publish/orders` },
      { name: 'late', state: 'not-deployed', url: null },
    ])
    local.signal('SIGTERM')
    await local.finished
  })
})

describe('a start that cannot work', () => {
  const directory = workplace()
  const file = (name: string, content: string): string => {
    writeFileSync(join(directory, name), content)
    return join(directory, name)
  }

  it('a start with a wrong source file lists every mistake in it', async () => {
    const broken = file('broken.json', '{"a":{"provider":"strip"},"b":{"provider":"github","retain":"soon"}}')
    const { code, out, err } = await hooklatch(directory, 'start', '--port', '0', '--source-file', broken)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(/has 2 mistakes:\n- a\.provider.*\n- b\.retain.*\n$/)
  })

  it('a start with two destinations of one name says which, beside every other mistake', async () => {
    const home = join(directory, 'twice')
    mkdirSync(home)
    const sources = file('twice/sources.json', '{"a":{"provider":"stripe","routes":[{"to":"cmr"}]}}')
    file('twice/destinations.json', '{"crm":{"queue":"one"},\n"crm":{"queue":"two"}}')
    const { code, err } = await hooklatch(directory, 'start', '--port', '0', '--source-file', sources)
    expect(code).toBe(1)
    expect(err).toMatch(
      /have 2 mistakes:\n- a\.routes\[0\]\.to: .*\n- destinations\.json: found "crm" a second time in line 2, expected each name once\n$/,
    )
  })

  it('a start with useless secrets lists every secret that could protect nothing, and quotes none', async () => {
    const secrets = file('empty.json', '{"stripe":[""],"github":["  "],"svix":["whsec_"]}')
    const { code, err } = await hooklatch(directory, 'start', '--port', '0', '--secrets', secrets)
    expect(code).toBe(1)
    expect(err).toMatch(/- stripe: .*empty[\s\S]*- github: .*empty[\s\S]*- svix: .*only the prefix/)
  })

  it.each([
    [
      'throws.ts',
      "\nthrow new Error('the database is not configured')",
      /cannot be used: the database is not configured \(line 2\)/,
    ],
    ['nothing.ts', 'export const handler = () => {}', /has no function to call: export it by default, or as `work`/],
    ['gone.ts', undefined, /does not exist/],
  ])('a start with the wrong worker %s says in one sentence what is wrong with it', async (name, content, sentence) => {
    const worker = content === undefined ? join(directory, name) : file(name, content)
    const { code, out, err } = await hooklatch(directory, 'start', '--port', '0', '--worker', worker)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(sentence)
    expect(err.trim().split('\n')).toHaveLength(1)
  })

  it('a start with a folder for its secrets names it', async () => {
    const { code, err } = await hooklatch(directory, 'start', '--port', '0', '--secrets', directory)
    expect([code, err]).toEqual([1, expect.stringContaining(`${directory} cannot be read (EISDIR).`)])
  })

  it('a start with a wrong flag names it and the one that was meant, with exit code 2', async () => {
    const { code, err } = await hooklatch(directory, 'start', '--prot', '1', '--now', 'noon')
    expect(code).toBe(2)
    expect(err).toContain('Unknown flag --prot: did you mean --port?')
  })
})
