import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { sha256 } from '../../../functions/domain/identity.ts'
import { inlineBody, messageText, needsPointer } from '../../../functions/domain/message.ts'
import { receiveRig } from '../../support/receive-rig.ts'

/** Bytes that do not compress. */
const noise = (length: number): Buffer =>
  Buffer.concat(
    Array.from({ length: Math.ceil(length / 32) }, (_, index) => createHash('sha256').update(`${index}`).digest()),
  ).subarray(0, length)

describe('a body', () => {
  test.each([
    ['the largest that fits', noise(725_424), false],
    ['one byte more', noise(725_425), true],
    ['a larger one that compresses', Buffer.alloc(2_000_000), false],
  ])('a body travels in its message if it fits, and by pointer if it does not: %s', (_name, bytes, byPointer) => {
    expect(needsPointer(bytes)).toBe(byPointer)
    expect(inlineBody(bytes, sha256(bytes)) === undefined).toBe(byPointer)
  })
})

describe('the text of a message', () => {
  const message = async (body: object, retain: 'none' | '7d' = '7d') => {
    const at = receiveRig({ sources: { stripe: { provider: 'stripe', retain } } })
    await at.stripe(body)
    const [sent] = at.messages()
    if (!sent) throw new Error('nothing was sent')
    return sent
  }

  test.each([
    ['inline', {}],
    ['by pointer', { noise: noise(900_000).toString('base64') }],
  ])(
    'the text of a message with its body %s is ASCII, which SQS never refuses, and says what the message says',
    async (_name, more) => {
      const sent = { ...(await message({ id: 'evt_1', ...more })), eventId: 'é\u0001\ud800"' }
      expect(messageText(sent)).toMatch(/^[\x20-\x7e]*$/)
      expect(JSON.parse(messageText(sent))).toEqual(sent)
    },
  )

  test('a message says how long its body is kept', async () => {
    expect((await message({ id: 'evt_1' })).retain).toBe(7 * 86_400)
    expect((await message({ id: 'evt_1' }, 'none')).retain).toBe(0)
  })
})
