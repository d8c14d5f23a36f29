import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePrivate } from '../../lib/connect/private-directory.ts'
import { takeDataDir } from '../../lib/local/data-dir.ts'
import { deliveryLog } from '../../lib/local/delivery-log.ts'
import { javaAvailable } from '../../lib/local/engines/dynamo-command.ts'
import { endLocals, hooklatch, OTHER_MACHINE, type RunningLocal, startLocal, workplace } from '../support/local-rig.ts'
import { localSdk } from '../support/local-sdk.ts'

afterAll(endLocals)

type Headers = Readonly<Record<string, string>>

/** What anybody on the machine can send; `undefined` if nobody listens there. */
const ask = (url: string, method: string, headers: Headers) =>
  new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string } | undefined>(resolve => {
    const sent = request(url, { method, headers, timeout: 3_000 }, response => {
      let body = ''
      response.setEncoding('utf8').on('data', text => (body += text))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    sent.on('timeout', () => sent.destroy()).on('error', () => resolve(undefined))
    sent.end(method === 'POST' ? '{}' : '')
  })

const signedAs = (accessKey: string, service: string): Headers => ({
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-date': '20260101T000000Z',
  'x-amz-target': service === 'dynamodb' ? 'DynamoDB_20120810.ListTables' : 'AmazonSQS.ListQueues',
  authorization: `AWS4-HMAC-SHA256 Credential=${accessKey}/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`,
})

const EVIL = { origin: 'https://evil.example' }
const modeOf = (path: string): number => statSync(path).mode & 0o777
const foreignAddresses = Object.values(networkInterfaces()).flatMap(each =>
  (each ?? []).filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address),
)

describe('the engines of a running instance', () => {
  const directory = workplace()
  let local: RunningLocal
  beforeAll(async () => {
    local = await startLocal(directory, ['--data', join(directory, 'kept')])
  })

  it.each([
    ['nobody', {}],
    ['an access key of another run', signedAs('local', 'sqs')],
    ['a page of another site', { ...signedAs('local', 'sqs'), ...EVIL }],
    ['an access key of the right length in other letters', signedAs('é'.repeat(32), 'sqs')],
  ])('the queues and bodies answer 403 to %s', async (_, headers) => {
    for (const path of ['/', '/000000000000/x', '/a-bucket/a-key', '/_fauxqs/queues']) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
        const answer = await ask(local.endpoints.sqs + path, method, headers)
        expect([path, method, answer?.status]).toEqual([path, method, 403])
        expect(Object.keys(answer?.headers ?? {}).filter(name => name.startsWith('access-control'))).toEqual([])
      }
    }
  })

  it('the queues and bodies answer no foreign Host, even with the access key of this run', async () => {
    const right = signedAs(local.endpoints.accessKey ?? '', 'sqs')
    expect((await ask(local.endpoints.sqs, 'POST', right))?.status).toBe(200)
    expect((await ask(local.endpoints.sqs, 'POST', { ...right, host: 'evil.example' }))?.status).toBe(403)
    expect((await ask(local.endpoints.sqs, 'POST', { ...right, host: '127.0.0.1.evil.example' }))?.status).toBe(403)
  })

  it.runIf(process.platform === 'linux')('the tables have an address that a web page cannot guess', async () => {
    const { hostname, port } = new URL(local.endpoints.dynamodb)
    expect(hostname).toMatch(/^127\.(?!0\.0\.1$)/)
    for (const guess of ['127.0.0.1', 'localhost', '[::1]', ...foreignAddresses]) {
      expect([guess, await ask(`http://${guess}:${port}`, 'POST', signedAs('local', 'dynamodb'))]).toEqual([
        guess,
        undefined,
      ])
    }
  })

  it('nothing of a local instance listens on the network', async () => {
    const ports = [local.url, local.endpoints.sqs, local.console ?? ''].map(url => new URL(url).port)
    for (const address of foreignAddresses) {
      for (const port of ports) expect(await ask(`http://${address}:${port}/`, 'GET', {})).toBeUndefined()
    }
  })

  it('the CLI finds the engines by the file that only its owner reads', async () => {
    expect((await hooklatch(directory, 'send', 'stripe', '--id', 'evt_1')).code).toBe(0)
    const { out } = await hooklatch(directory, 'events', '--json')
    expect(JSON.parse(out).events).toMatchObject([{ eventId: 'evt_1' }])
  })

  it('the directories of a local instance are for their owner alone', () => {
    expect(modeOf(join(directory, '.hooklatch'))).toBe(0o700)
    expect(modeOf(join(directory, 'kept'))).toBe(0o700)
    expect(modeOf(join(directory, '.hooklatch/local.json'))).toBe(0o600)
  })
})

describe('directories', () => {
  it('a directory of an older version is closed, and one that is not ours stays as it is', () => {
    const place = mkdtempSync(join(workplace(), 'data-'))
    const [old, empty, theirs] = ['old', 'empty', 'theirs'].map(name => join(place, name)) as [string, string, string]
    for (const each of [old, empty, theirs]) mkdirSync(each)
    for (const each of [old, empty, theirs]) chmodSync(each, 0o755)
    for (const file of ['fingerprint.key', 'dynoxide.db', 'fauxqs.db-wal']) writeFileSync(join(old, file), 'x')
    writeFileSync(join(theirs, 'package.json'), '{}')
    for (const each of [old, empty, theirs]) makePrivate(each)
    expect([old, empty, theirs].map(modeOf)).toEqual([0o700, 0o700, 0o755])
  })

  it('git takes nothing of a directory of ours, and nothing is written into one that is not', () => {
    const place = mkdtempSync(join(workplace(), 'git-'))
    const [ours, theirs] = ['ours', 'theirs'].map(name => join(place, name)) as [string, string]
    mkdirSync(theirs)
    writeFileSync(join(theirs, 'package.json'), '{}')
    for (const each of [ours, theirs, ours]) makePrivate(each)
    writeFileSync(join(ours, 'secrets.json'), '{}')
    const git = (...args: string[]) => execFileSync('git', args, { cwd: place, encoding: 'utf8' })
    git('init', '--quiet')
    expect(git('ls-files', '--others', '--exclude-standard')).toBe('theirs/package.json\n')
  })

  it('a directory that is not ours stays open to others after an instance has put its data there', () => {
    const theirs = mkdtempSync(join(workplace(), 'theirs-'))
    writeFileSync(join(theirs, 'package.json'), '{}')
    chmodSync(theirs, 0o755)
    const data = takeDataDir(theirs)
    deliveryLog({
      file: join(theirs, 'deliveries.log'),
      keep: true,
      terminal: { out: () => {}, style: (_, text) => text },
    })
    if ('release' in data) data.release()
    expect('fingerprintKey' in data && modeOf(theirs)).toBe(0o755)
  })
})

describe.skipIf(!(await javaAvailable()))('DynamoDB Local', () => {
  it('a stranger finds DynamoDB Local empty, no web page can read it, and the data is there after a restart', async () => {
    const directory = workplace()
    const flags = ['--data', join(directory, 'kept')]
    const first = await startLocal(directory, flags, 'node', OTHER_MACHINE)
    const { endpoints } = first
    for (const accessKey of ['local', 'AKIAIOSFODNN7EXAMPLE']) {
      const stranger = await ask(endpoints.dynamodb, 'POST', { ...signedAs(accessKey, 'dynamodb'), ...EVIL })
      expect(stranger?.body).toBe('{"TableNames":[]}')
      expect(stranger?.headers).not.toHaveProperty('access-control-allow-origin')
    }
    const preflight = { ...EVIL, 'access-control-request-method': 'POST' }
    expect((await ask(endpoints.dynamodb, 'OPTIONS', preflight))?.headers).not.toHaveProperty(
      'access-control-allow-origin',
    )
    const before = await localSdk(endpoints).tables.send(new ListTablesCommand())
    expect(before.TableNames).toHaveLength(2)
    await hooklatch(directory, 'send', 'stripe', '--id', 'evt_kept')
    first.pressCtrlC()
    await first.finished
    // As a version before this one had it.
    const own = join(directory, 'kept', `${endpoints.accessKey}_us-east-1.db`)
    renameSync(own, join(directory, 'kept/shared-local-instance.db'))
    await startLocal(directory, flags, 'node', OTHER_MACHINE)
    expect(JSON.parse((await hooklatch(directory, 'events', '--json')).out).events).toMatchObject([
      { eventId: 'evt_kept' },
    ])
  })
})
