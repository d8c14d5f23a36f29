import { createHmac, KeyObject } from 'node:crypto'
import type { Delivery } from '../domain/delivery.ts'
import type { Unavailable } from '../domain/ports.ts'
import type { Scheme } from '../domain/scheme.ts'
import type { Secret } from '../domain/secret.ts'
import type { World } from '../domain/world.ts'
import { readKey } from '../providers/read-key.ts'
import { swapSecrets } from '../providers/swap-secrets.ts'
import { markOf } from '../receive/conceal.ts'

/** A kept delivery as its sender sent it, if what was sent along is one of today's secrets; what is not stays a mark. */
export const revealed = async (
  { sources, secrets, environment }: World<'sources' | 'secrets' | 'environment'>,
  delivery: Delivery,
): Promise<Delivery | Unavailable> => {
  const source = sources.get(delivery.source)
  if (!source || !holdsMark(delivery)) return delivery
  const [key, today] = await Promise.all([secrets.fingerprintKey(), secrets.signingSecrets(source.name)])
  if ('kind' in key) return key
  if (today.kind === 'unavailable') return today
  const mark = markOf(key, environment, source.name)
  const secretsToday = today.kind === 'found' ? today.secrets : []
  const swap = (text: string, signed?: string): string =>
    secretsToday.flatMap(secret => spellings(source.scheme, secret, signed)).find(sent => mark(sent) === text) ?? text
  return swapSecrets(delivery, source, swap, 'quarantine')
}

/** As a token, without its `Bearer`, as basic credentials, and as the signature that it makes of a token. */
const spellings = (scheme: Scheme, secret: Secret, signed: string | undefined): readonly string[] => {
  const text = secret.reveal()
  const key = readKey(scheme, secret)
  const signature = signed !== undefined && key instanceof KeyObject ? hs256(key, signed) : undefined
  return [
    text,
    text.replace(/^bearer /i, ''),
    Buffer.from(text, 'utf8').toString('base64'),
    ...(signature === undefined ? [] : [signature]),
  ]
}

/** Only a secret can make it again: a token that was signed with a private key stays a mark. */
const hs256 = (key: KeyObject, signed: string): string | undefined =>
  key.type === 'secret' ? createHmac('sha256', key).update(signed, 'latin1').digest('base64url') : undefined

const holdsMark = ({ url, headers, body }: Delivery): boolean =>
  MARK.test(url) ||
  [...headers.values()].flat().some(value => MARK.test(value)) ||
  MARK.test(Buffer.from(body).toString('latin1'))

const MARK = /hmac[0-9a-f]{64}/
