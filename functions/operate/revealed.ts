import type { Delivery } from '../domain/delivery.ts'
import type { Unavailable } from '../domain/ports.ts'
import type { World } from '../domain/world.ts'
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
  const sent = today.kind === 'found' ? today.secrets.flatMap(secret => spellings(secret.reveal())) : []
  const byMark = new Map(sent.map(text => [mark(text), text]))
  return swapSecrets(delivery, source.scheme, text => byMark.get(text) ?? text)
}

/** As a token, without its `Bearer`, and as basic credentials. */
const spellings = (secret: string): readonly string[] => [
  secret,
  secret.replace(/^bearer /i, ''),
  Buffer.from(secret, 'utf8').toString('base64'),
]

const holdsMark = ({ url, headers, body }: Delivery): boolean =>
  MARK.test(url) ||
  [...headers.values()].flat().some(value => MARK.test(value)) ||
  MARK.test(Buffer.from(body).toString('latin1'))

const MARK = /hmac[0-9a-f]{64}/
