import { describe, expect, it } from 'vitest'
import { millis } from '../../../functions/domain/brands.ts'
import type { Admitted } from '../../../functions/domain/evidence.ts'
import { withCapture } from '../../../functions/domain/secret-list.ts'
import { reverify } from '../../../functions/operate/quarantine.ts'
import { coverageOf } from '../../../functions/providers/coverage.ts'
import { capture } from '../../../functions/receive/capture.ts'
import { receive } from '../../../functions/receive/receive.ts'
import { verify } from '../../../functions/receive/verify.ts'
import { receiveRig } from '../../support/receive-rig.ts'
import { everyProvider, NOW, otherSecret, type Played, URL } from '../providers/every-provider.ts'
import { delivery } from '../providers/rig.ts'

/** Sent beside the proof, by a sender or by a proxy before us. */
const LIVE = 'live-credential-0123456789'
const BESIDE = { authorization: `Basic ${LIVE}`, cookie: `a=${LIVE}`, 'x-api-key': LIVE, 'x-webhook-secret': LIVE }
const UNTIL = millis(NOW * 1000 + 600_000)

/** With credentials in each header that its sender does not use, and in the query. */
const sentBy = (played: Played) => {
  const { headers, ...request } = played.send({ url: `${URL}?token=${LIVE}` })
  return { ...delivery({ ...request, headers: { ...BESIDE, ...headers } }), receivedAt: millis(NOW * 1000) }
}

const rigOf = (played: Played, ...secrets: string[]) => {
  const at = receiveRig({ sources: { acme: { ...played.config, quarantine: true } }, secrets: { acme: secrets } })
  return { ...at, world: { ...at.world, now: () => millis(NOW * 1000) } }
}

const textOf = (kept: { readonly body: Uint8Array } | undefined): string =>
  JSON.stringify({ ...kept, body: Buffer.from(kept?.body ?? []).toString('utf8') })

/** Its key is a public one, and its token does not cover the body: nobody but Google can make the signature again. */
const CANNOT_BE_COMPARED = ['google-pubsub-push']

const refusing = everyProvider.filter(({ secret, scheme }) => secret !== '' && scheme.kind !== 'none')

describe.each(refusing)('a delivery of $name', played => {
  it('is kept by a quarantine without the credentials beside its proof, and is genuine once its secret is right', async () => {
    const at = rigOf(played, otherSecret(played))
    expect((await receive(at.world, sentBy(played))).outcome).toBe('rejected')
    const [kept] = await at.world.deliveries.list('quarantine', 'acme', millis(0), at.world.now(), 10)
    const signsQuery = !['nothing', 'path'].includes(coverageOf(played.scheme).url)
    expect(textOf(kept).replace(signsQuery ? `?token=${LIVE}` : '', '')).not.toContain(LIVE)

    at.memory.setSecrets({ acme: [played.secret] })
    at.advance(600_000)
    const genuine = !CANNOT_BE_COMPARED.includes(played.name)
    expect(await reverify(at.world, 'acme', kept?.key ?? '')).toEqual(
      genuine ? { kind: 'genuine' } : { kind: 'distrusted', reason: 'signature-mismatch' },
    )
  })

  it('is captured without a credential that would prove another delivery', async () => {
    const at = rigOf(played, ...withCapture([played.secret], { until: UNTIL, answer: null }))
    const sent = sentBy(played)
    await capture(at.world, sent, await receive(at.world, sent), 202)
    const [kept] = await at.world.deliveries.list('capture', 'acme', millis(0), at.world.now(), 10)
    expect(textOf(kept)).not.toContain(LIVE)

    const other = { ...sent, headers: new Map(Object.entries(kept?.headers ?? {})), url: kept?.url ?? '' }
    const forged = { ...other, body: Buffer.from('{"forged":true}') }
    expect(kept?.outcome).not.toBe('rejected')
    const admitted = { delivery: forged, source: played.source } as unknown as Admitted
    expect(await verify(at.world, admitted)).toMatchObject({ outcome: 'rejected' })
  })
})
