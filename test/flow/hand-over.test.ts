import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { changeSecrets, confirmSecret } from '../../lib/operator/change-secrets.ts'
import { cloudSecrets } from '../../lib/operator/cloud-secrets.ts'
import { NOON } from '../support/events.ts'
import { RIG_NAMES } from '../support/memory-rig.ts'
import { receiveRig } from '../support/receive-rig.ts'

const IN_TEN_MINUTES = `await:${new Date(NOON + 600_000).toISOString()}`
const SECRET = 'b537207f20cbfa02357cf448134da559e8bd39d61597dcd5631b8012eae53e81'

const open = (asana: string[]) => {
  const sources = { asana: { provider: 'asana' }, notion: { provider: 'notion' } }
  const at = receiveRig({ sources, secrets: { asana, notion: asana } })
  const offer = (secret: string) =>
    at.post({ source: 'asana', body: '{}', headers: { 'x-hook-secret': secret, 'content-type': 'application/json' } })
  const admin = cloudSecrets(at.memory.aws.secrets, RIG_NAMES.signingSecrets)
  const confirm = (fingerprint: string) => changeSecrets(admin, 'asana', confirmSecret(fingerprint))
  return { ...at, offer, confirm, stored: at.memory.secretLists }
}

describe('a secret that a handshake hands over', () => {
  it('an offered secret is sent back while an operator awaits it, and verifies nothing until the operator confirms it', async () => {
    const at = open([IN_TEN_MINUTES])
    const answer = await at.offer(SECRET)
    expect([answer.status, answer.headers['x-hook-secret']]).toEqual([200, SECRET])
    expect(at.stored().asana).toEqual([`${IN_TEN_MINUTES} ${SECRET}`])
    const body = '{"events":[{"action":"changed","resource":{"gid":"1"}}]}'
    const signature = createHmac('sha256', SECRET).update(body).digest('hex')
    const deliver = () => at.post({ source: 'asana', body, headers: { 'x-hook-signature': signature } })
    expect((await deliver()).status).toBe(503)
    expect(await at.confirm('sha256:0000000000000000')).toMatchObject({ kind: 'unchanged', why: 'not-offered' })
    expect(await at.confirm(`sha256:${createHash('sha256').update(SECRET).digest('hex').slice(0, 16)}`)).toMatchObject({
      kind: 'changed',
    })
    expect(at.stored().asana).toEqual([SECRET])
    at.advance(15_000)
    expect((await deliver()).status).toBe(202)
  })

  it('an offered secret is sent back again to a sender that did not hear the answer', async () => {
    const at = open([IN_TEN_MINUTES])
    await at.offer(SECRET)
    expect((await at.offer(SECRET)).status).toBe(200)
  })

  it('an offered secret never takes the place of another: an operator sees both', async () => {
    const at = open([IN_TEN_MINUTES])
    await at.offer(SECRET)
    expect((await at.offer('another-secret-of-a-stranger')).status).toBe(200)
    expect(at.stored().asana).toEqual([`${IN_TEN_MINUTES} ${SECRET} another-secret-of-a-stranger`])
    const confirmed = open([SECRET])
    expect((await confirmed.offer('another-secret-of-a-stranger')).status).toBe(401)
    expect(confirmed.stored().asana).toEqual([SECRET])
  })

  it('an offered secret is refused with 503 when nobody awaits it, or no longer', async () => {
    expect((await open([]).offer(SECRET)).status).toBe(503)
    const late = open([IN_TEN_MINUTES])
    late.advance(600_000)
    expect((await late.offer(SECRET)).status).toBe(503)
    expect(late.stored().asana).toEqual([IN_TEN_MINUTES])
  })

  it.each(['', 'short', 'with space in it', 'x'.repeat(513)])(
    'an offered secret that cannot be one is refused: %j',
    async secret => {
      const at = open([IN_TEN_MINUTES])
      expect((await at.offer(secret)).status).toBe(503)
      expect(at.stored().asana).toEqual([IN_TEN_MINUTES])
    },
  )

  it('an offered secret may come alone in the body', async () => {
    const at = open([IN_TEN_MINUTES])
    expect((await at.post({ source: 'notion', body: '{"verification_token":"secret_0123456789"}' })).status).toBe(200)
    expect(at.stored().notion).toEqual([`${IN_TEN_MINUTES} secret_0123456789`])
  })

  it('an offered secret leaves no trace of itself in the log, and no event', async () => {
    const at = open([IN_TEN_MINUTES])
    await at.offer(SECRET)
    expect(at.lines.join('')).not.toContain(SECRET)
    expect(at.records.size).toBe(0)
  })
})
