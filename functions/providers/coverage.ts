import type { Coverage } from '../domain/coverage.ts'
import type { Place, SignedScheme, SingleScheme } from '../domain/scheme.ts'
import type { Selector } from '../domain/selector.ts'
import type { TemplateToken, TokenName } from './parse-template.ts'
import { recipesOf } from './recipe.ts'

/** What a way of proof covers: read from its template, or said by its code. */
export const coverageOf = (scheme: SingleScheme): Coverage => ({ ...NOTHING, ...covered(scheme) })

const NOTHING: Coverage = {
  body: 'nothing',
  fields: [],
  proof: [],
  checksum: false,
  repeats: false,
  headers: [],
  fixed: [],
  url: 'nothing',
  method: false,
  time: 'never',
}

const covered = (scheme: SingleScheme): Partial<Coverage> => {
  switch (scheme.kind) {
    case 'hmac':
    case 'digest':
    case 'ed25519':
    case 'ecdsa':
    case 'rsa':
      return byTemplate(scheme)
    case 'jwt':
      return scheme.code.covers(scheme)
    case 'code':
      return scheme.code.covers(scheme)
    case 'token':
      return { proof: inBody(scheme.token) }
    case 'basic':
    case 'none':
      return {}
  }
}

const WHOLE_BODY: readonly TokenName[] = ['body', 'body_sha256_hex', 'body_json']

const byTemplate = (scheme: SignedScheme): Partial<Coverage> => {
  const { sig, ts } = scheme
  const tokens = recipesOf(scheme).flatMap(({ parts }) => parts.filter(isToken))
  const has = (...names: readonly TokenName[]) => tokens.some(({ token }) => names.includes(token))
  const bytes = has(...WHOLE_BODY)
  const time = [ts ?? []].flat().filter(({ in: place }) => has('ts') || (bytes && place === 'json'))
  const fields = bytes ? [] : [...named(tokens, 'json'), ...named(tokens, 'form'), ...time.flatMap(inBody)]
  return {
    body: bytes ? 'bytes' : fields.length > 0 ? 'fields' : 'nothing',
    fields,
    checksum: has('crc32'),
    proof: inBody(sig),
    headers: headersOf(scheme),
    url: URL_TOKENS.find(([token]) => has(token))?.[1] ?? 'nothing',
    method: has('method'),
    time: time.length > 0 ? 'always' : 'never',
  }
}

const URL_TOKENS = [
  ['url', 'whole'],
  ['url_decoded', 'decoded'],
  ['path_and_query', 'path and query'],
  ['path', 'path'],
] as const satisfies readonly (readonly [TokenName, Coverage['url']])[]

/** Those of every family, and not the signature's own. */
const headersOf = (scheme: SignedScheme): readonly string[] =>
  recipesOf(scheme).flatMap(({ headers, sig }) => headers.filter(name => name !== sig.name))

const isToken = (part: string | TemplateToken): part is TemplateToken => typeof part !== 'string'

const named = (tokens: readonly TemplateToken[], place: 'json' | 'form'): readonly Selector[] =>
  tokens.filter(({ token }) => token === place).map(({ argument }) => `${place}:${argument}` as const)

const inBody = ({
  in: place,
  name,
}: Pick<Place, 'name'> & { readonly in: Place['in'] | 'sig' }): readonly Selector[] =>
  place === 'json' || place === 'form' ? [`${place}:${name}`] : []
