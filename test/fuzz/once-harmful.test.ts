import type { Context } from 'aws-lambda'
import { describe, expect, it } from 'vitest'
import { lambdaHandler } from '../../functions/receive/lambda.ts'
import { receiveRig } from '../support/receive-rig.ts'
import { plain, signedAttempt, toEvent } from './attempt.ts'
import { lawful } from './laws.ts'
import { fuzzRig } from './rig.ts'
import { secretOf, sourceNamed } from './targets.ts'

const stripe = (json: string) =>
  signedAttempt(sourceNamed('stripe'), { secret: secretOf('stripe'), body: Buffer.from(json) })

/** What these fuzzers found, each fixed since. */
describe('inputs that once did harm', () => {
  it('an id with half a surrogate pair, which UTF-8 would make another one\u2019s, is refused', async () => {
    const { status } = await lawful(await fuzzRig().receiver().deliver(stripe('{"id":"\\ud800"}')))
    expect(status).toBe(400)
  })

  it.each([
    ['id', 400],
    ['type', 202],
  ])('a name (%s) too long for the queue is refused or clipped (%i)', async (field, expected) => {
    const names = { id: 'evt_1', type: 't', [field]: 'x'.repeat(1_200_000) }
    const { status } = await lawful(
      await fuzzRig()
        .receiver()
        .deliver(stripe(JSON.stringify(names))),
    )
    expect(status).toBe(expected)
  })

  it('a gateway event whose query no URL can hold is answered and logged like any other', async () => {
    const lines: string[] = []
    const handler = lambdaHandler(receiveRig().world, line => void lines.push(line))
    const event = toEvent({ ...plain('stripe', Buffer.from('{}'), []), format: 'v1' })
    const unreadable = { ...event, multiValueQueryStringParameters: { a: ['\ud800'] } } as typeof event
    const { statusCode } = await handler(unreadable, {} as Context)
    expect([statusCode, lines.length]).toEqual([401, 1])
  })
})
