import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { OUTPUTS, urlOutput } from '../../functions/contract/outputs.ts'
import type { Instance } from '../../lib/connect/instance.ts'
import { eventually, until } from '../support/local-rig.ts'
import { installApp } from './installed.ts'

vi.setConfig({ hookTimeout: 300_000 })
/** A busy machine bundles five functions, or synthesises a stack, in a minute. */
const PATIENCE_MS = 180_000

type App = Awaited<ReturnType<typeof installApp>>

/** As `npm start` in a terminal; in a process group of its own, so all of it can be ended. */
const npmStart = async ({ app, env }: App) => {
  const child = spawn('npm', ['start', '--', '--port', '0'], { cwd: app, env, detached: true })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (said += text))
  const closed = new Promise(resolve => child.once('close', resolve))
  await until('the banner', () => said.includes('Ctrl-C ends it.') || child.exitCode !== null, PATIENCE_MS)
  const file = join(app, '.hooklatch/local.json')
  if (!existsSync(file)) throw new Error(`npm start did not start: ${said}`)
  return {
    said: () => said,
    instance: JSON.parse(readFileSync(file, 'utf8')) as Instance,
    end: () => {
      if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), 'SIGINT')
      return closed
    },
  }
}

const itemsOf = async ({ endpoints, credentials }: Instance, TableName: string) => {
  const { region, ...keys } = credentials
  const client = new DynamoDBClient({ endpoint: endpoints.dynamodb, region, credentials: keys })
  return (await client.send(new ScanCommand({ TableName }))).Items ?? []
}

describe.each([
  ['the default sources', [], 'stripe', 'Invoices'],
  ['--sources slack,github', ['--sources', 'slack,github'], 'slack', 'Received'],
] as const)('a first hour with %s, from nothing but the tarball', (_, flags, source, table) => {
  let app: App
  let local: Awaited<ReturnType<typeof npmStart>>
  beforeAll(async () => {
    app = await installApp(...flags)
  })
  afterAll(async () => {
    await local?.end()
    app?.remove()
  })
  const hooklatch = async (...args: string[]): Promise<string> => (await app.node(app.command, ...args)).stdout

  it('init says what it made and what to do next, depends on the tarball, and a second one overwrites nothing', async () => {
    expect(app.made).toMatch(/^Made package\.json, .*worker\.test\.ts/)
    expect(app.made).toContain('npm install\n')
    expect(app.made).toContain(`npx hooklatch send ${source}`)
    const { dependencies } = JSON.parse(readFileSync(join(app.app, 'package.json'), 'utf8'))
    expect(dependencies.hooklatch).toMatch(/^file:\.\.\/hooklatch-\d.*\.tgz$/)
    await expect(app.node(app.command, 'init')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Nothing/),
    })
  })

  it('init with a tarball that is not there makes nothing', async () => {
    await expect(app.node(app.command, 'init', 'elsewhere', '--package', './nope.tgz')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^--package: there is no .*nope\.tgz/),
    })
    expect(existsSync(join(app.app, 'elsewhere'))).toBe(false)
  })

  it('npm test is green, and so are the types', async () => {
    const { stdout } = await app.npm('test')
    expect(stdout).toMatch(/fail 0/)
    expect(stdout).not.toMatch(/tests 0/)
    await app.npm('run', 'check')
  })

  it('the types of the worker also hold if the packages with the types of its senders are installed', async () => {
    for (const name of ['stripe', '@octokit/webhooks-types']) app.add(name)
    await app.npm('run', 'check')
  })

  it('npm start without a flag takes an event to done, with its effect in the app’s own table', async () => {
    local = await npmStart(app)
    const { instance } = local
    expect(Object.keys(instance.app.tables)).toEqual([expect.stringMatching(new RegExp(`^${table}`))])
    expect(local.said()).not.toMatch(/^! /m)
    expect(await hooklatch('send', source)).toMatch(/^202 /)
    const [event] = await eventually(
      'an event that is done',
      async () => JSON.parse(await hooklatch('events', '--status', 'done', '--json')).events,
      events => events.length > 0,
      PATIENCE_MS,
    )
    expect(await itemsOf(instance, Object.values(instance.app.tables)[0] ?? '')).toHaveLength(1)
    const shown = JSON.parse(await hooklatch('show', event.id, '--json'))
    expect(shown.effects).toMatchObject([{ item: { id: expect.any(String) } }])
    await local.end()
  })

  it('npx cdk synth is clean', async () => {
    const { stderr } = await app.node('node_modules/aws-cdk/bin/cdk', 'synth', '--quiet')
    expect(stderr.split('\n').filter(line => /\[(warning|error)|deprecated/i.test(line))).toEqual([])
    const { Outputs } = JSON.parse(readFileSync(join(app.app, 'cdk.out/Webhooks.template.json'), 'utf8'))
    // What the README tells to paste, and what the commands with --stack read.
    expect(Object.keys(Outputs)).toEqual(expect.arrayContaining([urlOutput(source), OUTPUTS.eventsTable]))
  })

  it('and reads what the command line says of the stack', async () => {
    const context = ['-c', 'environment=staging', '-c', 'throwAway=true']
    await app.node('node_modules/aws-cdk/bin/cdk', 'synth', '--quiet', ...context)
    const staging = JSON.parse(readFileSync(join(app.app, 'cdk.out/Webhooks-staging.template.json'), 'utf8'))
    const tables = Object.values<{ Type: string; DeletionPolicy: string }>(staging.Resources).filter(
      ({ Type }) => Type === 'AWS::DynamoDB::Table',
    )
    expect(tables.map(({ DeletionPolicy }) => DeletionPolicy)).toEqual(['Delete', 'Delete', 'Delete'])
    await expect(app.node('node_modules/aws-cdk/bin/cdk', 'synth', '-c', 'api=soap')).rejects.toMatchObject({
      stderr: expect.stringContaining('-c api: found "soap", expected one of "http", "rest", "url"'),
    })
  })
})
