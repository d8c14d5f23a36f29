import { describe, expect, it } from 'vitest'
import { bodiesOver } from '../../functions/adapters/body-places.ts'
import { eventsOver } from '../../functions/adapters/event-claims.ts'
import { queueOver } from '../../functions/adapters/message-queue.ts'
import { REHEARSAL_SECRET, rehearsalAws } from '../../functions/adapters/rehearsal-aws.ts'
import { secretsOver } from '../../functions/adapters/secrets-manager.ts'
import { lambdaHandler } from '../../functions/receive/lambda.ts'
import { REHEARSED, rehearse, rehearsedSource } from '../../functions/receive/rehearse.ts'
import { receiveRig } from '../support/receive-rig.ts'

describe('the rehearsal before the first delivery', () => {
  it('goes through the whole sentence to a 202, on a world that leads nowhere', async () => {
    const { world } = receiveRig()
    const aws = rehearsalAws(REHEARSED)
    const lines: string[] = []
    const rehearsal = {
      ...world,
      sources: new Map([[REHEARSED, rehearsedSource]]),
      secrets: secretsOver(aws.secrets, { signingSecrets: 'signing', fingerprintKey: 'key' }, world.now),
      events: eventsOver(aws.dynamo, 'events'),
      bodies: bodiesOver(aws, { table: 'bodies', bucket: 'bodies' }),
      queue: queueOver(aws.queue, { standard: 'https://sqs.example/1/events' }),
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
