import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SetQueueAttributesCommand } from '@aws-sdk/client-sqs'
import { afterAll, describe, expect, it, vi } from 'vitest'
import {
  endLocals,
  eventuallyAt,
  hooklatch,
  hooklatchOn,
  type RunningLocal,
  startLocal,
  until,
  workplace,
} from '../support/local-rig.ts'
import { localSdk } from '../support/local-sdk.ts'

const EVENT_MODULE = join(import.meta.dirname, '../../functions/domain/event.ts')

afterAll(endLocals)
// Eight local instances at once.
vi.setConfig({ testTimeout: 120_000 })
const PATIENCE_MS = 90_000

const write = (directory: string, name: string, content: string): string => {
  const file = join(directory, name)
  writeFileSync(file, content)
  return file
}

interface Shown {
  readonly status: string
  readonly attempts: number
  readonly generation: number
  readonly lastError: string | null
  readonly body: string | null
}

const shown = async (directory: string, id: string): Promise<Shown | undefined> => {
  const { code, out } = await hooklatch(directory, 'show', id, '--json')
  return code === 0 ? JSON.parse(out) : undefined
}

const inStatus = (local: RunningLocal, directory: string, id: string, status: string): Promise<Shown | undefined> =>
  eventuallyAt(
    local,
    `${id} in ${status}`,
    () => shown(directory, id),
    event => event?.status === status,
    PATIENCE_MS,
  )

/** A line is printed after what it tells of, and comes through a pipe: the record can be read before it. */
const says = (local: RunningLocal, line: RegExp): Promise<void> =>
  until(`a line ${line}`, () => line.test(local.out()), PATIENCE_MS)

const send = async (directory: string, source: string, id: string): Promise<string> => {
  const { out } = await hooklatch(directory, 'send', source, '--id', id)
  return out.slice(0, 3)
}

const end = async (local: RunningLocal): Promise<void> => {
  local.signal('SIGTERM')
  expect((await local.finished).code).toBe(0)
}

/** An impatient queue: what nobody finished or hid comes back after a second. */
const hurry = async ({ endpoints }: RunningLocal, queueUrl: string) => {
  const { sqs } = localSdk(endpoints)
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl: queueUrl, Attributes: { VisibilityTimeout: '1' } }))
}

describe.concurrent('the worker of a local instance', () => {
  it('a worker that throws gets its event again, until it has no try left and is `failed` with the reason and its body', async () => {
    const directory = workplace()
    const worker = write(directory, 'worker.ts', "export default () => { throw new Error('the ledger is closed') }")
    const local = await startLocal(directory, ['--worker', worker], 'node', { HOOKLATCH_TRIES: '2' })
    expect(local.out()).toContain('Events go to worker.ts')
    expect(await send(directory, 'stripe', 'evt_throws')).toBe('202')
    const event = await inStatus(local, directory, 'evt_throws', 'failed')
    expect(event).toMatchObject({ attempts: 2, generation: 0, lastError: 'Error: the ledger is closed' })
    expect(JSON.parse(event?.body ?? '{}').id).toBe('evt_throws')
    await says(local, /\d +failed +stripe .*evt_throws.*the ledger is closed/)
    expect(
      local.out().match(/attempt failed +stripe .*evt_throws {2}attempt 1 of 2 .*the ledger is closed/g),
    ).toHaveLength(1)

    // Its sender's resend button opens it again.
    expect(await send(directory, 'stripe', 'evt_throws')).toBe('202')
    expect(await inStatus(local, directory, 'evt_throws', 'failed')).toMatchObject({ generation: 1 })
    await end(local)
  })

  it('a worker that says that an event is unprocessable gets it once', async () => {
    const directory = workplace()
    const content = `import { Unprocessable } from '${EVENT_MODULE}'
      export const work = () => { throw new Unprocessable('no such customer') }`
    const local = await startLocal(directory, ['--worker', write(directory, 'worker.ts', content)])
    expect(await send(directory, 'stripe', 'evt_never')).toBe('202')
    expect(await inStatus(local, directory, 'evt_never', 'failed')).toMatchObject({
      attempts: 1,
      lastError: 'Unprocessable: no such customer',
    })
    const text = await hooklatch(directory, 'show', 'evt_never')
    expect(text.out).toMatch(/^attempts +1$/m)
    expect(text.out).toMatch(/^lastError +Unprocessable: no such customer$/m)
    expect(text.out).toMatch(/^bodyAt +dynamodb$/m)
    await end(local)
  })

  it('a worker that leaves a rejected promise and an open handle behind does not keep the local instance from working or from ending', async () => {
    const directory = workplace()
    const content = `setInterval(() => {}, 1000)
      export const work = () => { void Promise.reject(new Error('forgotten')) }`
    const local = await startLocal(directory, ['--worker', write(directory, 'worker.ts', content)])
    expect(await send(directory, 'stripe', 'evt_stray')).toBe('202')
    await inStatus(local, directory, 'evt_stray', 'done')
    local.signal('SIGTERM')
    expect(await local.finished).toMatchObject({ code: 0, err: expect.stringMatching(/rejected: Error: forgotten/) })
  })

  it('a worker finishes what it has begun when the local instance is asked to end', async () => {
    const directory = workplace()
    const gate = join(directory, 'gate')
    const local = await startLocal(directory, ['--worker', gated(directory, gate)])
    expect(await send(directory, 'stripe', 'evt_late')).toBe('202')
    await until('the begin', () => local.out().includes('begins evt_late'))
    local.signal('SIGTERM')
    writeFileSync(gate, '')
    const { code, out, err } = await local.finished
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/done +stripe .*evt_late/)
  })

  it('a worker that hangs does not keep the local instance from ending, and its event stays for the next time', async () => {
    const directory = workplace()
    const content = `export const work = event => {
        process.stdout.write('begins ' + event.eventId)
        return new Promise(() => {})
      }`
    const local = await startLocal(directory, ['--worker', write(directory, 'worker.mjs', content)])
    expect(await send(directory, 'stripe', 'evt_hangs')).toBe('202')
    await until('the begin', () => local.out().includes('begins evt_hangs'))
    local.signal('SIGTERM')
    const { code, out, err } = await local.finished
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/attempt failed +stripe .*evt_hangs.*still running/)
  })
})

/** A worker that waits, at most three seconds, until a file is there. */
const gated = (directory: string, gate: string): string =>
  write(
    directory,
    'worker.ts',
    `import { existsSync } from 'node:fs'
    import { setTimeout as sleep } from 'node:timers/promises'
    export const work = async (event: { eventId: string }) => {
      process.stdout.write('begins ' + event.eventId + '\\n')
      for (let look = 0; look < 300 && !existsSync(${JSON.stringify(gate)}); look++) await sleep(10)
    }`,
  )

describe.concurrent('a local instance that dies', () => {
  it('a local instance killed with -9 while its worker is at an event finishes the event the next time', async () => {
    const directory = workplace()
    const data = ['--data', join(directory, 'state')]
    const deadly = write(directory, 'deadly.ts', "export default () => process.kill(process.pid, 'SIGKILL')")
    const first = await startLocal(directory, [...data, '--worker', deadly])
    await hurry(first, first.resources.queueUrl)
    await send(directory, 'stripe', 'evt_killed')
    expect(await first.finished).toMatchObject({ code: null })

    // Its lease outlives it; its message is back after a second.
    const later = new Date(Date.now() + 60_000).toISOString()
    const again = await startLocal(directory, [...data, '--now', later])
    expect(await inStatus(again, directory, 'evt_killed', 'done')).toMatchObject({ attempts: 2, generation: 0 })
    await says(again, /done +stripe .*evt_killed {2}received 2 times/)
    await end(again)
  })

  it('a local instance that dies between claim and queue loses no event of GitHub, which sends only once: recovery finishes it', async () => {
    const directory = workplace()
    const data = ['--data', join(directory, 'state')]
    const dies = write(directory, 'dies.mjs', DIES_BEFORE_SENDING)
    const first = await startLocal(directory, data, 'node', { NODE_OPTIONS: `--import=${dies}` })
    expect(await send(directory, 'github', 'delivery-1')).not.toBe('202')
    expect(await first.finished).toMatchObject({ code: null })

    const later = new Date(Date.now() + 600_000).toISOString()
    const again = await startLocal(directory, [...data, '--now', later, '--recover-every', '1s'])
    expect(await inStatus(again, directory, 'delivery-1', 'done')).toMatchObject({ generation: 0 })
    await says(again, /recovery +1 recovered\n/)
    expect(again.out()).not.toMatch(/ 20[02] /)
    expect(again.out().match(/recovery +/g)).toHaveLength(1)
    await end(again)
  })
})

/** The process is gone in the moment in which it would put its first message on the queue. */
const DIES_BEFORE_SENDING = `
  import { registerHooks } from 'node:module'
  const source = "export const sendMessage = () => process.kill(process.pid, 'SIGKILL')"
  registerHooks({
    load: (url, context, next) =>
      url.endsWith('/fauxqs/dist/sqs/actions/sendMessage.js')
        ? { format: 'module', shortCircuit: true, source }
        : next(url, context),
  })`

describe.concurrent('events --follow', () => {
  it('events --follow shows an event at work, one that waits in the queue behind it, and both done', async () => {
    const directory = workplace()
    const gate = join(directory, 'gate')
    const source = { provider: 'stripe', ordering: { key: 'json:data.object.id' } }
    const sourceFile = write(directory, 'sources.json', JSON.stringify({ stripe: source }))
    const worker = write(
      directory,
      'worker.ts',
      `import { existsSync } from 'node:fs'
      export const work = () => { if (!existsSync(${JSON.stringify(gate)})) throw new Error('not yet') }`,
    )
    const local = await startLocal(directory, ['--source-file', sourceFile, '--worker', worker])
    await hurry(local, local.resources.orderedQueueUrl)
    const people = hooklatchOn(directory, 'events', '--follow')
    const programs = hooklatchOn(directory, 'events', '--follow', '--json', '--source', 'stripe')
    const told = (id: string, status: string) => {
      const line = people
        .out()
        .split('\n')
        .find(each => each.includes(`\t${status}\t`) && each.includes(id))
      return (
        line !== undefined &&
        programs
          .out()
          .split('\n')
          .some(each => each.includes(id) && each.includes(status))
      )
    }

    expect(await send(directory, 'stripe', 'evt_first')).toBe('202')
    await until('the first at work', () => told('evt_first', 'working'))
    expect(await send(directory, 'stripe', 'evt_second')).toBe('202')
    await until('the second in the queue', () => told('evt_second', 'queued'))
    expect(told('evt_second', 'done')).toBe(false)
    writeFileSync(gate, '')
    await until('the end of the first', () => told('evt_first', 'done'), PATIENCE_MS)
    await until('the end of the second', () => told('evt_second', 'done'))
    expect(local.out()).toMatch(/done +stripe .*evt_first[\s\S]*done +stripe .*evt_second/)

    const [first = ''] = programs.out().split('\n')
    expect(JSON.parse(first)).toMatchObject({ eventId: 'evt_first', source: 'stripe', generation: 0 })
    people.pressCtrlC()
    expect(await people.finished).toMatchObject({ code: 0, err: '' })
    await end(local)
    expect(await programs.finished).toMatchObject({ code: 1, err: 'The local instance has ended.\n' })
  })
})
