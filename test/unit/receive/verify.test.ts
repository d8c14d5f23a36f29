import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { millis } from '../../../functions/domain/brands.ts'
import type { Admitted } from '../../../functions/domain/evidence.ts'
import type { SecretStore } from '../../../functions/domain/ports.ts'
import type { SourceConfig } from '../../../functions/domain/source.ts'
import type { Receiving } from '../../../functions/domain/world.ts'
import { verify } from '../../../functions/receive/verify.ts'
import { memoryRig } from '../../support/memory-rig.ts'
import { isDown } from '../accept/rig.ts'
import { delivery, type Request, source } from '../providers/rig.ts'

const BODY = '{"id":"evt_1"}'
const NOW = 1_760_000_000
const STRIPE = { provider: 'stripe' }
const DISCORD = { provider: 'discord' }

const signedWith = (secret: string, at = NOW): Request => ({
  body: BODY,
  headers: { 'stripe-signature': `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${BODY}`).digest('hex')}` },
})

/** A store that notes what it is asked, and whose secrets are changed once it has looked at them. */
const vault = (before: string[], after = before, changed: Partial<SecretStore> = {}) => {
  const memory = memoryRig({ now: () => millis(NOW * 1_000), secrets: { acme: before } })
  const store = memory.stores.secrets
  const asked: string[] = []
  const watched: SecretStore = {
    ...store,
    signingSecrets: name => {
      asked.push('look')
      return store.signingSecrets(name)
    },
    refresh: () => {
      asked.push('look again')
      memory.setSecrets({ acme: after })
      return store.refresh()
    },
    ...changed,
  }
  return { asked, store: watched }
}

const verdict = (config: SourceConfig, request: Request, store: SecretStore) =>
  verify(
    { secrets: store, now: () => millis(NOW * 1_000) } as Receiving,
    { delivery: delivery(request), source: source(config) } as Admitted,
  )

describe('the secrets', () => {
  it('secrets are looked up once for a genuine delivery', async () => {
    const { store, asked } = vault(['test-key'])
    expect(await verdict(STRIPE, signedWith('test-key'), store)).toMatchObject({ matched: 0 })
    expect(asked).toEqual(['look'])
  })

  it('secrets are looked up again after a wrong signature, which a rotation may explain', async () => {
    const { store, asked } = vault(['old-key'], ['new-key'])
    expect(await verdict(STRIPE, signedWith('new-key'), store)).toMatchObject({ matched: 0 })
    expect(asked).toEqual(['look', 'look again', 'look'])
  })

  it('secrets are looked up again when none of them can be used', async () => {
    const { store, asked } = vault(['no-key'], ['a'.repeat(64)])
    const forged = { 'x-signature-ed25519': '0'.repeat(128), 'x-signature-timestamp': `${NOW}` }
    expect(await verdict(DISCORD, { body: BODY, headers: forged }, store)).toMatchObject({
      reason: 'signature-mismatch',
    })
    expect(asked.slice(0, 3)).toEqual(['look', 'look again', 'look'])
  })

  it.each([
    ['no signature', { body: BODY }, 'header-missing'],
    ['an old one', signedWith('test-key', NOW - 301), 'timestamp-stale'],
  ])('secrets are not looked up again for %s, which no rotation explains', async (_name, request, reason) => {
    const { store, asked } = vault(['test-key'])
    expect(await verdict(STRIPE, request, store)).toMatchObject({ outcome: 'rejected', reason })
    expect(asked).not.toContain('look again')
  })

  it.each([
    ['at first', { signingSecrets: isDown }],
    ['the second time', { refresh: isDown }],
  ])('secrets that cannot be read %s are an outage, and nobody is blamed', async (_name, changed) => {
    const { store } = vault(['test-key'], ['test-key'], changed)
    expect(await verdict(STRIPE, signedWith('other'), store)).toMatchObject({
      outcome: 'unavailable',
      reason: 'secret-store',
    })
  })

  it('secrets that cannot be used are an outage that says what is wrong with each', async () => {
    const { store } = vault(['no-key', 'neither'])
    const headers = { 'x-signature-ed25519': '0'.repeat(128), 'x-signature-timestamp': `${NOW}` }
    const answer = await verdict(DISCORD, { body: BODY, headers }, store)
    expect(answer).toMatchObject({ outcome: 'unavailable', reason: 'secret-unusable' })
    expect('cause' in answer && answer.cause).toMatch(/^\w.+; \w.+$/)
  })

  it('secrets are not asked for by a source that signs nothing', async () => {
    const { store } = vault([], [], { signingSecrets: isDown })
    expect(await verdict({ provider: 'mollie', unsigned: true }, { body: BODY }, store)).not.toHaveProperty('outcome')
  })
})

describe('a sender with several ways to sign', () => {
  const GITLAB = { provider: 'gitlab' }

  it('a sender with several ways to sign is refused when it shows none of them', async () => {
    const { store } = vault(['token-0123456789'])
    expect(await verdict(GITLAB, { body: BODY }, store)).toMatchObject({
      outcome: 'rejected',
      reason: 'header-missing',
    })
  })

  it('a sender that signs in a way that our secret is not for is refused, and it is no fault of ours', async () => {
    const { store } = vault(['token-0123456789'])
    const headers = { 'webhook-id': 'm', 'webhook-timestamp': `${NOW}`, 'webhook-signature': `v1,${'A'.repeat(43)}=` }
    expect(await verdict(GITLAB, { body: BODY, headers }, store)).toMatchObject({
      outcome: 'rejected',
      reason: 'signature-mismatch',
    })
  })
})
