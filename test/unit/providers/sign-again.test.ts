import { describe, expect, test } from 'vitest'
import { millis } from '../../../functions/domain/brands.ts'
import { signAgain } from '../../../lib/sender/sign-again.ts'
import { everyProvider, NOW, otherSecret, type Played } from './every-provider.ts'
import { judged } from './rig.ts'

const proving = everyProvider.filter(({ scheme }) => scheme.kind !== 'none')
const URL = 'http://localhost:3000/hooks'
const LATER = NOW + 90 * 86_400

/** A delivery of long ago, of which only what the receiver keeps is left. */
const again = (played: Played) => {
  const { source, send } = played
  const secret = localSecret(played)
  const { body, headers } = send({ url: 'https://hooks.example.com/webhooks/acme' })
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => source.keepHeaders.includes(name)))
  return {
    body,
    made: signAgain(source, secret, { bytes: body, headers: kept }, { url: URL, now: millis(LATER * 1000) }),
  }
}

/** Not the one that the sender used; of a key pair there is only one here. */
const localSecret = (played: Played): string =>
  played.secret.startsWith('-----BEGIN') ? played.secret : otherSecret(played)

/** Their proof, or the time that it proves, is part of the body. */
const IN_BODY = ['aws-sns', 'microsoft-graph', 'wix', 'linear', 'mailgun', 'exact-online', 'braintree', 'adyen (items)']

describe('an event that is signed again', () => {
  test.each(proving)('an event of $name that is signed again for another address is believed there', async played => {
    const { made } = again(played)
    expect(made.unsigned).toBeNull()
    expect(await judged(played.source, made, localSecret(played), LATER)).toBe('genuine')
  })

  test('an event that is signed again has the bytes of its sender, but for senders whose proof is in the body', () => {
    const changed = proving.filter(played => {
      const { body, made } = again(played)
      return !Buffer.from(body).equals(Buffer.from(made.body))
    })
    expect(changed.map(({ name }) => name).toSorted()).toEqual(IN_BODY.toSorted())
  })

  test('an event of a source that is no longer in the file is sent as it is', () => {
    const kept = { bytes: Buffer.from('{}'), headers: { 'content-type': 'application/json' } }
    const made = signAgain(undefined, '', kept, { url: URL, now: millis(0) })
    expect(made).toEqual({
      url: URL,
      body: kept.bytes,
      headers: kept.headers,
      unsigned: 'its source is not in the source file',
    })
  })
})
