import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SetQueueAttributesCommand } from '@aws-sdk/client-sqs'
import { afterAll, describe, expect, it } from 'vitest'
import { deskClients } from '../../lib/local/desk-clients.ts'
import { endDesks, eventually, hooklatch, hooklatchOn, type RunningDesk, startDesk, until, workplace } from './desk.ts'

const EVENT_MODULE = join(import.meta.dirname, '../../functions/domain/event.ts')

afterAll(endDesks)

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

const inStatus = (directory: string, id: string, status: string, withinMs?: number): Promise<Shown | undefined> =>
  eventually(
    `${id} in ${status}`,
    () => shown(directory, id),
    event => event?.status === status,
    withinMs,
  )

const send = async (directory: string, source: string, id: string): Promise<string> => {
  const { out } = await hooklatch(directory, 'send', source, '--id', id)
  return out.slice(0, 3)
}

const end = async (desk: RunningDesk): Promise<void> => {
  desk.signal('SIGTERM')
  expect((await desk.finished).code).toBe(0)
}

/** An impatient queue: what fails comes back after a second, and is a dead letter after the second time. */
const hurry = async ({ endpoints, resources }: RunningDesk): Promise<void> => {
  const { sqs } = deskClients(endpoints)
  const deadLetterTargetArn = `arn:aws:sqs:us-east-1:000000000000:${resources.deadLettersUrl.split('/').at(-1)}`
  const Attributes = {
    VisibilityTimeout: '1',
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 2 }),
  }
  await sqs.send(new SetQueueAttributesCommand({ QueueUrl: resources.queueUrl, Attributes }))
}

describe.concurrent('the worker of a desk', () => {
  it('that throws gets its event again, until it is a dead letter and `failed` with the reason and its body', async () => {
    const directory = workplace()
    const worker = write(directory, 'worker.ts', "export default () => { throw new Error('the ledger is closed') }")
    const desk = await startDesk(directory, ['--worker', worker])
    expect(desk.out()).toContain('Events go to worker.ts')
    await hurry(desk)
    expect(await send(directory, 'stripe', 'evt_throws')).toBe('202')
    const event = await inStatus(directory, 'evt_throws', 'failed')
    expect(event).toMatchObject({ attempts: 2, generation: 0, lastError: 'Error: the ledger is closed' })
    expect(JSON.parse(event?.body ?? '{}').id).toBe('evt_throws')
    expect(desk.out().match(/attempt failed +stripe .*evt_throws.*the ledger is closed/g)).toHaveLength(2)
    expect(desk.out()).toMatch(/ failed +stripe .*evt_throws.*the ledger is closed/)

    // Its sender's resend button opens it again.
    expect(await send(directory, 'stripe', 'evt_throws')).toBe('202')
    expect(await inStatus(directory, 'evt_throws', 'failed')).toMatchObject({ generation: 1 })
    await end(desk)
  })

  it('that says that an event is unprocessable gets it once', async () => {
    const directory = workplace()
    const content = `import { Unprocessable } from '${EVENT_MODULE}'
      export const work = () => { throw new Unprocessable('no such customer') }`
    const desk = await startDesk(directory, ['--worker', write(directory, 'worker.ts', content)])
    expect(await send(directory, 'stripe', 'evt_never')).toBe('202')
    expect(await inStatus(directory, 'evt_never', 'failed')).toMatchObject({
      attempts: 1,
      lastError: 'Unprocessable: no such customer',
    })
    const text = await hooklatch(directory, 'show', 'evt_never')
    expect(text.out).toMatch(/^attempts +1$/m)
    expect(text.out).toMatch(/^lastError +Unprocessable: no such customer$/m)
    expect(text.out).toMatch(/^bodyAt +dynamodb$/m)
    await end(desk)
  })

  it('that leaves a rejected promise behind ends neither its event nor the desk', async () => {
    const directory = workplace()
    const content = "export const work = () => { void Promise.reject(new Error('forgotten')) }"
    const desk = await startDesk(directory, ['--worker', write(directory, 'worker.ts', content)])
    expect(await send(directory, 'stripe', 'evt_stray')).toBe('202')
    await inStatus(directory, 'evt_stray', 'done')
    desk.signal('SIGTERM')
    expect(await desk.finished).toMatchObject({ code: 0, err: expect.stringMatching(/rejected: Error: forgotten/) })
  })

  it('finishes what it has begun when the desk is asked to end', async () => {
    const directory = workplace()
    const gate = join(directory, 'gate')
    const desk = await startDesk(directory, ['--worker', gated(directory, gate)])
    expect(await send(directory, 'stripe', 'evt_late')).toBe('202')
    await until('the begin', () => desk.out().includes('begins evt_late'))
    desk.signal('SIGTERM')
    writeFileSync(gate, '')
    const { code, out, err } = await desk.finished
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/done +stripe .*evt_late/)
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

describe.concurrent('a desk that dies', () => {
  it('while its worker is at an event, killed with -9, brings it to its end the next time', async () => {
    const directory = workplace()
    const data = ['--data', join(directory, 'state')]
    const deadly = write(directory, 'deadly.ts', "export default () => process.kill(process.pid, 'SIGKILL')")
    const first = await startDesk(directory, [...data, '--worker', deadly])
    await send(directory, 'stripe', 'evt_killed')
    expect(await first.finished).toMatchObject({ code: null })

    // Its message is hidden for what is left of the 30 seconds.
    const again = await startDesk(directory, data)
    expect(await inStatus(directory, 'evt_killed', 'done', 60_000)).toMatchObject({ attempts: 2, generation: 0 })
    expect(again.out()).toMatch(/done +stripe .*evt_killed {2}attempt 2/)
    await end(again)
  }, 120_000)

  it('between claim and queue loses nothing of GitHub, which sends only once: recovery finishes it', async () => {
    const directory = workplace()
    const data = ['--data', join(directory, 'state')]
    const dies = write(directory, 'dies.mjs', DIES_BEFORE_SENDING)
    const first = await startDesk(directory, data, 'node', { NODE_OPTIONS: `--import=${dies}` })
    expect(await send(directory, 'github', 'delivery-1')).not.toBe('202')
    expect(await first.finished).toMatchObject({ code: null })

    const later = new Date(Date.now() + 600_000).toISOString()
    const again = await startDesk(directory, [...data, '--now', later, '--recover-every', '1s'])
    expect(await inStatus(directory, 'delivery-1', 'done')).toMatchObject({ generation: 0 })
    expect(again.out()).toMatch(/recovery +1 recovered\n/)
    expect(again.out()).not.toMatch(/ 20[02] /)
    expect(again.out().match(/recovery +/g)).toHaveLength(1)
    await end(again)
  })
})

/** The process is gone in the moment in which it would put its first message on the queue. */
const DIES_BEFORE_SENDING = `
  import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
  const { send } = SQSClient.prototype
  SQSClient.prototype.send = function (command, ...rest) {
    if (command instanceof SendMessageCommand) process.kill(process.pid, 'SIGKILL')
    return send.call(this, command, ...rest)
  }`

describe.concurrent('events --follow', () => {
  it('shows an event queued behind another of its key, then working, then done', async () => {
    const directory = workplace()
    const gate = join(directory, 'gate')
    const source = { provider: 'stripe', ordering: { key: 'json:data.object.id' } }
    const sourceFile = write(directory, 'sources.json', JSON.stringify({ stripe: source }))
    const desk = await startDesk(directory, ['--source-file', sourceFile, '--worker', gated(directory, gate)])
    const people = hooklatchOn(directory, 'events', '--follow')
    const programs = hooklatchOn(directory, 'events', '--follow', '--json', '--source', 'stripe')
    const linesOf = (id: string) =>
      people
        .out()
        .split('\n')
        .filter(line => line.includes(id))

    expect(await send(directory, 'stripe', 'evt_first')).toBe('202')
    await until('the first at work', () => linesOf('evt_first').some(line => line.includes('\tworking\t')))
    expect(await send(directory, 'stripe', 'evt_second')).toBe('202')
    await until('the second in the queue', () => linesOf('evt_second').some(line => line.includes('\tqueued\t')))
    expect(existsSync(gate)).toBe(false)
    writeFileSync(gate, '')
    for (const id of ['evt_first', 'evt_second']) {
      await until(`the end of ${id}`, () => linesOf(id).some(line => line.includes('\tdone\t')))
      await until(`the same for programs`, () => programs.out().includes(`"eventId":"${id}"`))
    }
    expect(desk.out().indexOf('begins evt_first')).toBeLessThan(desk.out().indexOf('begins evt_second'))

    await until('the last line', () => programs.out().trim().endsWith('}'))
    const told = programs
      .out()
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(told[0]).toMatchObject({ eventId: 'evt_first', source: 'stripe', generation: 0, attempts: 1 })
    people.pressCtrlC()
    expect(await people.finished).toMatchObject({ code: 0, err: '' })
    await end(desk)
    expect(await programs.finished).toMatchObject({ code: 1, err: 'The local Hooklatch has ended.\n' })
  })
})
