import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { stsCallers } from '../../functions/adapters/sts-callers.ts'
import { randomFence, systemClock, systemPause } from '../../functions/adapters/system.ts'
import { OUTPUTS } from '../../functions/contract/outputs.ts'
import { millis } from '../../functions/domain/brands.ts'
import { operate } from '../../functions/operate/operate.ts'
import { connectLocal } from '../../lib/connect/connect-local.ts'
import { DEFAULT_SOURCE_FILE } from '../../lib/connect/default-files.ts'
import { fileSecrets } from '../../lib/connect/file-secrets.ts'
import { fingerprintKeyOf } from '../../lib/connect/fingerprint-key.ts'
import { loadSources } from '../../lib/connect/load-sources.ts'
import { isRefusal } from '../../lib/connect/refusal.ts'
import { fakeCloud } from '../support/fake-cloud.ts'
import {
  endLocals,
  eventually,
  hooklatch,
  hooklatchOnWith,
  hooklatchWith,
  type RunningLocal,
  startLocal,
  until,
  workplace,
} from '../support/local-rig.ts'
import { stripeEvents } from '../support/sender-stubs.ts'
import { httpOf, type StubRequest } from '../support/stub-api.ts'
import { hooklatchFed } from './fed.ts'

const ADA = 'arn:aws:sts::123456789012:assumed-role/operator/ada'
const STACK = ['--stack', 'Hooklatch-production']

/** What Stripe would list: the events that were sent, and one that never came. */
const LISTED = ['evt_one', 'evt_two', 'evt_three', 'evt_never_came'].map((id, number) => ({
  id,
  type: 'invoice.paid',
  at: Date.now() - number * 60_000,
}))
const calledAtStripe: StubRequest[] = []
/** What Lambda was asked to do with the worker's mappings. */
const enabled: boolean[] = []

let cloud: Awaited<ReturnType<typeof fakeCloud>>
let directory: string
let elsewhere: string
let env: Record<string, string>

/** The operate function itself, on the tables and queues of a local instance; Lambda and STS are played. */
const openFunction = async (local: RunningLocal) => {
  const { stores, instance } = connectLocal(local)
  const sources = await loadSources(DEFAULT_SOURCE_FILE)
  if (isRefusal(sources)) throw new Error(sources.refused)
  const world = {
    ...stores,
    environment: 'local',
    sources,
    secrets: fileSecrets(instance.secretsFile, fingerprintKeyOf(instance), systemClock),
    http: httpOf(stripeEvents(LISTED), calledAtStripe),
    // As the template of a stack without destinations tells the function.
    mappings: { names: ['worker'], enable: async (_: string, value: boolean) => enabled.push(value) > 0 },
    callers: stsCallers({ AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL_STS: cloud.url }),
    now: systemClock,
    newFence: randomFence,
    pause: systemPause,
    leaseMillis: millis(15_000),
  }
  return (payload: unknown) => operate(world, payload, { account: '123456789012', stop: new AbortController().signal })
}

beforeAll(async () => {
  cloud = await fakeCloud()
  directory = workplace()
  elsewhere = workplace()
  const local = await startLocal(directory)
  const { orderedQueueUrl, orderedDeadLettersUrl, destinations, destinationDeadLetters, ...stores } = local.resources
  env = {
    ...cloud.env,
    AWS_ACCESS_KEY_ID: local.endpoints.accessKey ?? '',
    AWS_ENDPOINT_URL_DYNAMODB: local.endpoints.dynamodb,
    AWS_ENDPOINT_URL_SQS: local.endpoints.sqs,
    AWS_ENDPOINT_URL_S3: local.endpoints.s3,
  }
  const named = Object.fromEntries(
    Object.entries(stores).map(([name, value]) => [OUTPUTS[name as keyof typeof stores], value]),
  )
  const outputs = { ...named, Environment: 'local', SigningSecrets: 's', FingerprintKey: 'f' }
  cloud.stacks['Hooklatch-production'] = { outputs: { ...outputs, OperateFunction: 'the-operate-function' } }
  cloud.stacks['Hooklatch-older'] = { outputs }
  cloud.functions['the-operate-function'] = await openFunction(local)
  for (const id of ['evt_one', 'evt_two', 'evt_three']) await hooklatch(directory, 'send', 'stripe', '--id', id)
  await eventually(
    'three events that are done',
    async (): Promise<readonly unknown[]> =>
      JSON.parse((await onStack('events', '--status', 'done', '--json', ...STACK)).out).events,
    events => events.length === 3,
  )
})

afterEach(() => {
  delete cloud.faults.Invoke
  cloud.calls.length = 0
})

afterAll(async () => {
  endLocals()
  await cloud.close()
})

const onStack = (...args: string[]) => hooklatchWith(env, elsewhere, ...args)
const replayed = (...args: string[]) => onStack('replay', ...args, '--yes', '--json', ...STACK)

describe('an operator of a stack', () => {
  it('listen reads events and bodies of a stack, and asks for no name, no secret and no function', async () => {
    const got: string[] = []
    const server = createServer((request, response) => {
      got.push(String(request.headers['stripe-signature']))
      request.resume().on('end', () => response.end())
    }).listen(0, '127.0.0.1')
    await until('the server', () => server.listening)
    const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
    const command = hooklatchOnWith(
      env,
      elsewhere,
      'listen',
      '--to',
      to,
      '--since',
      '1h',
      '--source',
      'stripe',
      ...STACK,
    )
    const all = ['evt_one', 'evt_two', 'evt_three']
    await until('three lines', () => all.every(id => command.out().includes(id)))
    command.pressCtrlC()
    expect(await command.finished).toMatchObject({ code: 0, err: 'Sent: 3.\n' })
    server.close()
    expect(got).toEqual(all.map(() => expect.stringMatching(/^t=\d+,v1=[0-9a-f]{64}$/)))
    expect(new Set(cloud.calls)).toEqual(new Set(['DescribeStacks']))
  })

  it('a replay is done by the operate function, and recorded under the name that STS tells it', async () => {
    const { code, out, err } = await replayed('evt_one', '--reason', 'fixed')
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(out)).toMatchObject({ result: 'replayed', generation: 1, queued: true })
    expect(cloud.calls.filter(call => call === 'Invoke')).toHaveLength(1)
    const shown = JSON.parse((await onStack('show', 'evt_one', '--json', ...STACK)).out)
    expect(shown.audit).toMatchObject([{ actor: ADA, reason: 'fixed', generation: 1 }])
  })

  it('a dry run invokes nothing, and a job is run by the operate function to its end', async () => {
    const filter = ['--source', 'stripe', '--status', 'done', '--since', '1h']
    const dry = await onStack('replay', ...filter, '--dry-run', '--json', ...STACK)
    expect(JSON.parse(dry.out)).toMatchObject({ result: 'dry-run' })
    expect(cloud.calls).not.toContain('Invoke')
    const { code, out } = await replayed(...filter, '--reason', 'all of them', '--rate', '100')
    expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 0, result: 'finished', job: { actor: ADA } })
    expect(cloud.calls.filter(call => call === 'Invoke')).toHaveLength(2)
  })

  it('the worker of a stack without destinations is paused and resumed by the operate function', async () => {
    const paused = await onStack('pause', 'worker', '--reason', 'deploying', '--for', '2h', '--json', ...STACK)
    expect({ code: paused.code, err: paused.err }).toEqual({ code: 0, err: '' })
    expect(JSON.parse(paused.out)).toMatchObject({ kind: 'paused', destination: 'worker' })
    const resumed = await onStack('resume', 'worker', ...STACK)
    expect(resumed).toMatchObject({ code: 0, err: '', out: 'worker gets its events again.\n' })
    expect(enabled).toEqual([false, true])
  })

  it('reconcile has the operate function read the list and take what never came, under the name that STS tells it', async () => {
    const key = { HOOKLATCH_API_KEY: 'rk_test_reconcile' }
    const run = (...args: string[]) =>
      hooklatchWith({ ...env, ...key }, elsewhere, 'reconcile', 'stripe', '--json', ...args, ...STACK)
    const dry = await run('--dry-run')
    expect({ code: dry.code, ...JSON.parse(dry.out) }).toMatchObject({
      code: 3,
      known: 3,
      missing: [{ eventId: 'evt_never_came' }],
    })
    const took = await run('--yes', '--reason', 'outage')
    expect({ code: took.code, err: took.err, ...JSON.parse(took.out) }).toMatchObject({ code: 0, err: '', taken: 1 })
    expect(new Set(calledAtStripe.map(({ host }) => host))).toEqual(new Set(['api.stripe.com']))
    const shown = JSON.parse((await onStack('show', 'evt_never_came', '--json', ...STACK)).out)
    expect(shown).toMatchObject({ via: 'reconcile', audit: [{ act: 'reconcile', actor: ADA, reason: 'outage' }] })
  })

  it('on a stack, reconcile takes no host and no account from the command line, and secrets set keeps no API key that no schedule reads', async () => {
    const key = { HOOKLATCH_API_KEY: 'rk_test_reconcile' }
    for (const flags of [
      ['--api-url', 'http://127.0.0.1:9'],
      ['--account', 'acme'],
    ]) {
      const { code, err } = await hooklatchWith(
        { ...env, ...key },
        elsewhere,
        'reconcile',
        'stripe',
        '--dry-run',
        ...flags,
        ...STACK,
      )
      expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('are for the local instance') })
    }
    const { code, err } = await hooklatchFed(
      'rk_1\n',
      env,
      elsewhere,
      'secrets',
      'set',
      'stripe',
      '--api-key',
      ...STACK,
    )
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('set HOOKLATCH_API_KEY') })
    // It is refused before anybody is asked for a key.
    expect(err).not.toContain('What the key needs')
  })

  it('a replay without the permission to invoke names the policy that gives it, and does nothing', async () => {
    cloud.faults.Invoke = {
      name: 'AccessDeniedException',
      message: `User: ${ADA} is not authorized to perform: lambda:InvokeFunction on resource: arn:aws:lambda:eu-west-1:123456789012:function:x because`,
    }
    const { code, out, err } = await replayed('evt_two', '--reason', 'fixed')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain('output ReplayPolicy is the ARN of the policy that gives it')
  })

  it('a stack of an older version says that it has to be deployed again before it can replay', async () => {
    const { code, err } = await onStack('replay', 'evt_two', '--reason', 'x', '--yes', '--stack', 'Hooklatch-older')
    expect(code).toBe(1)
    expect(err).toContain(
      'The stack Hooklatch-older was deployed by an older version, which has no operate function: deploy it again.',
    )
  })
})
