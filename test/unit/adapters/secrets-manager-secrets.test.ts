import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager'
import { mockClient } from 'aws-sdk-client-mock'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { sdkSecrets } from '../../../functions/adapters/sdk/secrets.ts'
import { secretsManagerSecrets } from '../../../functions/adapters/secrets-manager-secrets.ts'
import type { SecretCalls } from '../../../functions/adapters/wire/secret-calls.ts'
import { millis } from '../../../functions/domain/brands.ts'
import type { Secret } from '../../../functions/domain/secret.ts'
import { NOON } from '../../support/events.ts'
import { memoryRig, RIG_NAMES } from '../../support/memory-rig.ts'

const client = mockClient(SecretsManagerClient)
// Other files of this process speak to a server.
afterAll(() => {
  client.restore()
})
const MINUTE = 60_000

let now = NOON
const open = () =>
  secretsManagerSecrets(
    { secrets: sdkSecrets(new SecretsManagerClient({ region: 'us-east-1' })) },
    { signingSecrets: 'signing', fingerprintKey: 'key' },
    () => now,
  )

const holds = (value: unknown) =>
  client
    .on(GetSecretValueCommand, { SecretId: 'signing' })
    .resolves({ SecretString: JSON.stringify(value), VersionId: 'v-1' })

const revealed = async (store: ReturnType<typeof open>, source: string) => {
  const answer = await store.signingSecrets(source)
  return answer.kind === 'found' ? answer.secrets.map(secret => secret.reveal()) : answer.kind
}

beforeEach(() => {
  client.reset()
  now = NOON
})

describe('signing secrets', () => {
  it('secrets come current first, then previous, from one call for all sources', async () => {
    holds({ stripe: ['new', 'old'], github: ['g'] })
    const store = open()
    expect(await revealed(store, 'stripe')).toEqual(['new', 'old'])
    expect(await revealed(store, 'github')).toEqual(['g'])
    expect(client.calls()).toHaveLength(1)
  })

  it('secrets are looked up again after five minutes, and not before', async () => {
    const store = open()
    holds({ stripe: ['one'] })
    await revealed(store, 'stripe')
    holds({ stripe: ['two'] })
    now = millis(NOON + 5 * MINUTE - 1)
    expect(await revealed(store, 'stripe')).toEqual(['one'])
    now = millis(NOON + 5 * MINUTE)
    expect(await revealed(store, 'stripe')).toEqual(['two'])
  })

  it.each([{}, { stripe: [] }, { stripe: [''] }, { stripe: '' }, { stripe: [7] }])(
    'a source has no secrets in %j',
    async value => {
      holds(value)
      expect(await revealed(open(), 'stripe')).toBe('absent')
    },
  )

  it('absent secrets that a sender can do without are asked for again after five minutes: a stranger costs no more', async () => {
    const store = open()
    holds({})
    for (let at = 0; at < 20; at++) {
      expect(await store.signingSecrets('paypal', true)).toEqual({ kind: 'absent' })
      now = millis(now + 15_000)
    }
    expect(client.calls()).toHaveLength(1)
  })

  it('absent secrets are asked for again after fifteen seconds: an operator may just have stored them', async () => {
    const store = open()
    holds({})
    expect(await revealed(store, 'stripe')).toBe('absent')
    holds({ stripe: ['s'] })
    now = millis(NOON + 14_999)
    expect(await revealed(store, 'stripe')).toBe('absent')
    now = millis(NOON + 15_000)
    expect(await revealed(store, 'stripe')).toEqual(['s'])
  })

  it('a source named like an object internal has no secrets', async () => {
    holds({ stripe: ['s'] })
    expect(await revealed(open(), '__proto__')).toBe('absent')
    expect(await revealed(open(), 'constructor')).toBe('absent')
  })

  it('secrets that cannot be fetched are unavailable, and the failure is not remembered', async () => {
    const store = open()
    client.on(GetSecretValueCommand).rejects(new Error('throttled'))
    expect(await revealed(store, 'stripe')).toBe('unavailable')
    holds({ stripe: ['s'] })
    expect(await revealed(store, 'stripe')).toEqual(['s'])
  })

  it('secrets that are not JSON are unavailable, and the fault does not quote them', async () => {
    client.on(GetSecretValueCommand).resolves({ SecretString: 'whsec_canary' })
    const answer = await open().signingSecrets('stripe')
    expect(answer.kind).toBe('unavailable')
    expect(JSON.stringify(answer)).not.toContain('canary')
  })
})

describe('a refresh after a failed signature', () => {
  it('a refresh brings a rotated secret at once, and happens once in five minutes however many signatures fail', async () => {
    const store = open()
    holds({ stripe: ['one'] })
    await revealed(store, 'stripe')
    holds({ stripe: ['two', 'one'] })
    expect(await store.refresh()).toEqual({ kind: 'refreshed' })
    expect(await revealed(store, 'stripe')).toEqual(['two', 'one'])
    for (let attempt = 0; attempt < 100; attempt++) expect(await store.refresh()).toEqual({ kind: 'too-soon' })
    expect(client.calls()).toHaveLength(2)
    now = millis(NOON + 5 * MINUTE)
    expect(await store.refresh()).toEqual({ kind: 'refreshed' })
  })

  it('an answer that is older than what a refresh has brought does not take its place', async () => {
    const store = open()
    const late = Promise.withResolvers<{ SecretString: string; VersionId: string }>()
    client.on(GetSecretValueCommand, { SecretId: 'signing' }).callsFakeOnce(() => late.promise)
    const first = revealed(store, 'stripe')
    holds({ stripe: ['two', 'one'] })
    expect(await store.refresh()).toEqual({ kind: 'refreshed' })
    late.resolve({ SecretString: '{"stripe":["one"]}', VersionId: 'v-0' })
    expect(await first).toEqual(['two', 'one'])
    expect(await revealed(store, 'stripe')).toEqual(['two', 'one'])
  })

  it('a refresh that fails says so and keeps the secrets there were', async () => {
    const store = open()
    holds({ stripe: ['one'] })
    await revealed(store, 'stripe')
    client.on(GetSecretValueCommand).rejects(new Error('down'))
    for (let attempt = 0; attempt < 10; attempt++) expect((await store.refresh()).kind).toBe('unavailable')
    expect(client.calls()).toHaveLength(2)
    expect(await revealed(store, 'stripe')).toEqual(['one'])
    holds({ stripe: ['two'] })
    now = millis(NOON + 5_000)
    expect(await store.refresh()).toEqual({ kind: 'refreshed' })
  })
})

describe('a secret that a handshake offers', () => {
  const offer = (store: ReturnType<typeof open>, offered = 'offered-secret') => store.accept('asana', offered)

  const awaitedFor = (milliseconds: number) => `await:${new Date(NOON + milliseconds).toISOString()}`

  it.each([
    { asana: ['the-secret-there-is'] },
    { asana: [] },
    {},
    { asana: [awaitedFor(0)] },
    { asana: [`${awaitedFor(0)} what-was-handed-over`] },
    { asana: [`${awaitedFor(MINUTE)} one two three four`] },
  ])('offered secrets that nobody awaits, as in %j, cost one call together: anybody can offer one', async value => {
    holds(value)
    const store = open()
    for (let offered = 0; offered < 100; offered++) expect((await offer(store)).kind).toBe('closed')
    expect(client.calls()).toHaveLength(1)
  })

  it('offered secrets cost no call of their own, since a source without a secret is looked up every 15 seconds anyway', async () => {
    holds({ asana: [awaitedFor(0)] })
    const store = open()
    for (let seconds = 0; seconds < 60; seconds++) {
      now = millis(NOON + seconds * 1_000)
      await offer(store, `offered-${seconds}`)
      await store.signingSecrets('asana')
    }
    expect(client.calls()).toHaveLength(4)
  })

  it('offers at an open door are bounded: four are kept, however many come, and junk costs no call', async () => {
    const at = memoryRig({ secrets: { asana: [awaitedFor(MINUTE)] } })
    let calls = 0
    const counted = Object.fromEntries(
      Object.entries(at.aws.secrets).map(([name, call]) => [
        name,
        (...args: readonly unknown[]) => {
          calls += 1
          return (call as (...args: readonly unknown[]) => unknown)(...args)
        },
      ]),
    ) as unknown as SecretCalls
    const store = secretsManagerSecrets({ secrets: counted }, RIG_NAMES, () => NOON)
    await store.signingSecrets('asana')
    for (let offered = 0; offered < 100; offered++) await store.accept('asana', 'j u n k')
    expect(calls).toBe(1)
    for (let offered = 0; offered < 100; offered++) await store.accept('asana', `offered-${offered}`)
    expect(at.secretLists().asana).toEqual([`${awaitedFor(MINUTE)} offered-0 offered-1 offered-2 offered-3`])
    // A look, a new version and a label for each of four, a look for the fifth.
    expect(calls).toBe(1 + 4 * 3 + 1)
    expect(await store.signingSecrets('asana')).toEqual({ kind: 'absent' })
  })

  it('an offer that could not be stored is not tried again for five seconds', async () => {
    holds({ asana: [awaitedFor(MINUTE)] })
    client.on(PutSecretValueCommand).rejects(new Error('denied'))
    const store = open()
    for (let offered = 0; offered < 100; offered++) {
      expect((await offer(store, `offered-${offered}`)).kind).toBe('unavailable')
    }
    expect(client.commandCalls(PutSecretValueCommand)).toHaveLength(1)
    now = millis(NOON + 5_000)
    await offer(store)
    expect(client.commandCalls(PutSecretValueCommand)).toHaveLength(2)
  })

  it('an offered secret is kept 15 seconds after an operator began to await it', async () => {
    const store = open()
    holds({})
    await offer(store)
    holds({ asana: [`await:${new Date(NOON + MINUTE).toISOString()}`], stripe: ['s'] })
    client.on(PutSecretValueCommand).resolves({ VersionId: 'v-2' })
    client.on(UpdateSecretVersionStageCommand).resolves({})
    now = millis(NOON + 15_000)
    expect(await offer(store)).toEqual({ kind: 'stored' })
    const [put] = client.commandCalls(PutSecretValueCommand)
    const asana = [`${awaitedFor(MINUTE)} offered-secret`]
    expect(put?.args[0].input.SecretString).toBe(JSON.stringify({ asana, stripe: ['s'] }))
    const [moved] = client.commandCalls(UpdateSecretVersionStageCommand)
    expect(moved?.args[0].input).toMatchObject({ MoveToVersionId: 'v-2', RemoveFromVersionId: 'v-1' })
    holds({ asana: ['offered-secret'] })
    expect(await offer(store)).toEqual({ kind: 'known' })
    expect(await offer(store, 'another-secret')).toEqual({ kind: 'closed' })
  })
})

describe('a secret that a handshake offers beside a rotation', () => {
  const awaited = { asana: [`await:${new Date(NOON + MINUTE).toISOString()}`] }

  /** An operator changes the secrets each time the handshake has looked at them, so many times. */
  const beside = (rotations: number) => {
    const at = memoryRig({ secrets: { ...awaited, stripe: ['rotated-0'] } })
    let rotated = 0
    const secrets: SecretCalls = {
      ...at.aws.secrets,
      getSecret: async id => {
        const seen = await at.aws.secrets.getSecret(id)
        if (rotated < rotations) at.setSecrets({ ...at.secretLists(), stripe: [`rotated-${++rotated}`] })
        return seen
      },
    }
    const store = secretsManagerSecrets({ secrets }, RIG_NAMES, () => NOON)
    return { accept: () => store.accept('asana', 'offered-secret'), lists: at.secretLists }
  }

  it('an offered secret is stored beside what an operator stored at the same moment', async () => {
    const { accept, lists } = beside(2)
    expect(await accept()).toEqual({ kind: 'stored' })
    expect(lists()).toEqual({ asana: [`${awaited.asana} offered-secret`], stripe: ['rotated-2'] })
  })

  it('an offered secret is not stored if the secrets change each time, and what operators stored stays', async () => {
    const { accept, lists } = beside(Number.POSITIVE_INFINITY)
    expect((await accept()).kind).toBe('unavailable')
    expect(lists()).toEqual({ ...awaited, stripe: ['rotated-3'] })
  })
})

describe('the fingerprint key', () => {
  it('the fingerprint key is fetched once and for good', async () => {
    client.on(GetSecretValueCommand, { SecretId: 'key' }).resolves({ SecretString: 'k' })
    const store = open()
    expect(((await store.fingerprintKey()) as Secret).reveal()).toBe('k')
    now = millis(NOON + 60 * MINUTE)
    await store.fingerprintKey()
    expect(client.calls()).toHaveLength(1)
  })

  it('an empty fingerprint key is unavailable', async () => {
    client.on(GetSecretValueCommand).resolves({ SecretString: '' })
    expect(await open().fingerprintKey()).toMatchObject({ kind: 'unavailable' })
  })
})
