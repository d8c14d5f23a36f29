import { describe, expect, inject, it } from 'vitest'
import { rigOf } from './rig.ts'
import { SECRETS } from './sources.ts'

describe.concurrent.each(inject('deployments'))('the secret of a source behind $api', deployment => {
  const rig = rigOf(deployment)
  const [before = ''] = SECRETS.rotated ?? []
  const after = 'whsec_integration_after_0123456789'
  const statusWith = async (secret: string) => (await rig.stripe({}, { source: 'rotated', secret })).status

  it('a secret is rotated without a deployment and without a gap', async () => {
    expect(await statusWith(before)).toBe(202)
    expect(await statusWith(after)).toBe(401)
    await rig.setSecrets({ rotated: [after, before] })
    // Looked up again when a signature fails, at most every five minutes: until then the old one is still good.
    await rig.until(
      'the new secret',
      async () => [await statusWith(before), await statusWith(after)],
      ([old, young]) => {
        expect(old).toBe(202)
        return young === 202
      },
    )
    expect(await statusWith('whsec_integration_never_0123456789')).toBe(401)
  })
})
