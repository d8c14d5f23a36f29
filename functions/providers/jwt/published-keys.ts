import type { createPublicKey } from 'node:crypto'
import type { Download } from '../../domain/coded.ts'
import type { FetchAnswer, Unavailable } from '../../domain/ports.ts'
import { type Key, publicKeyOf } from '../read-key.ts'

const MOST_KEYS = 32

/** The keys of a JWKS that go by this name. One that is not there yet may have been published a moment ago. */
export const publishedKeys = async (
  url: string,
  kid: string | undefined,
  download: Download,
): Promise<readonly Key[] | Unavailable> => {
  const known = keysIn(await download(url), kid)
  return 'kind' in known || known.length > 0 ? known : keysIn(await download(url, 'again'), kid)
}

const keysIn = (answer: FetchAnswer, kid: string | undefined): readonly Key[] | Unavailable => {
  if (answer.kind === 'unavailable') return answer
  return readKeys(answer.text)
    .filter(jwk => kid === undefined || jwk.kid === kid)
    .slice(0, MOST_KEYS)
    .flatMap(jwk => publicKeyOf(() => ({ format: 'jwk', key: jwk })) ?? [])
}

type Jwk = Extract<Parameters<typeof createPublicKey>[0], { format: 'jwk' }>['key'] & { readonly kid?: unknown }

const readKeys = (text: string): readonly Jwk[] => {
  try {
    const { keys } = JSON.parse(text)
    return Array.isArray(keys) ? keys.filter(key => typeof key === 'object' && key !== null) : []
  } catch {
    return []
  }
}
