import { describe, expect, it } from 'vitest'
import { REHEARSAL_SECRET, rehearsalAws } from '../../functions/adapters/rehearsal-aws.ts'
import { secretsManagerSecrets } from '../../functions/adapters/secrets-manager-secrets.ts'
import { storesOver } from '../../functions/adapters/stores.ts'
import { lambdaHandler } from '../../functions/receive/lambda.ts'
import { RECEIVER_STORES } from '../../functions/receive/receiver-stores.ts'
import { REHEARSED, rehearse, rehearsedSource } from '../../functions/receive/rehearse.ts'
import { RIG_NAMES } from '../support/memory-rig.ts'
import { receiveRig } from '../support/receive-rig.ts'

describe('the rehearsal before the first delivery', () => {
  it('the rehearsal before the first delivery goes all the way to a 202, on stores that lead nowhere', async () => {
    const { world } = receiveRig()
    const makers = { ...RECEIVER_STORES, secrets: secretsManagerSecrets } as const
    const lines: string[] = []
    const rehearsal = {
      ...world,
      sources: new Map([[REHEARSED, rehearsedSource]]),
      ...storesOver(rehearsalAws(REHEARSED), RIG_NAMES, makers, world.now),
    }
    await rehearse(
      lambdaHandler(rehearsal, line => void lines.push(line)),
      REHEARSAL_SECRET,
    )
    expect(lines.map(line => JSON.parse(line))).toMatchObject([
      { outcome: 'accepted', status: 202, eventId: REHEARSED },
    ])
  })
})
