import { generateKeyPairSync } from 'node:crypto'
import { millis } from '../../../functions/domain/brands.ts'
import { isSigned, type Scheme, type SingleScheme } from '../../../functions/domain/scheme.ts'
import type { Source, SourceConfig } from '../../../functions/domain/source.ts'
import { providers } from '../../../functions/providers/catalogue.ts'
import { exampleSecret } from '../../../lib/sender/example-secret.ts'
import { exampleSource } from '../../../lib/sender/example-source.ts'
import { sample } from '../../../lib/sender/sample.ts'
import { type SignedRequest, sign } from '../../../lib/sender/sign.ts'
import { source } from './rig.ts'

export const NOW = 1_760_000_000
export const URL = 'https://hooks.example.com/in/acme'

/** One way of one provider, ready to be played. */
export interface Played {
  readonly name: string
  /** What a user would write. */
  readonly config: SourceConfig
  readonly source: Source
  readonly scheme: SingleScheme
  readonly secret: string
  send(options?: { id?: string; at?: number; secret?: string; body?: Uint8Array; url?: string }): SignedRequest
}

const waysOf = (scheme: Scheme): readonly (string | undefined)[] =>
  scheme.kind === 'any' ? Object.keys(scheme.of) : [undefined]

const play = (name: string, variant: string | undefined): Played => {
  const provider = providers[name]
  if (provider === undefined) throw new Error(`no provider ${name}`)
  const example = exampleSource(provider)
  const config = variant ? { ...example, config: { ...example.config, variant } } : example
  const of = source(config)
  const secret = exampleSecret(of.scheme)
  return {
    name: variant ? `${name} (${variant})` : name,
    config,
    source: of,
    scheme: of.scheme as SingleScheme,
    secret,
    send: ({ id = 'id-1', at = NOW, secret: other = secret, body, url = URL } = {}) => {
      const now = millis(at * 1000)
      const made = sample(of, { unique: 'u-1', id, now: millis(NOW * 1000) })
      return sign(of, other, {
        url,
        headers: { ...extraHeaders(of.scheme), ...made.headers },
        body: body ?? made.body,
        now,
      })
    },
  }
}

/** HubSpot says which of its old ways it means. */
const extraHeaders = (scheme: Scheme): Record<string, string> => {
  const { when } = scheme as { when?: { header: string; is: string } }
  return when ? { [when.header]: when.is } : {}
}

export const everyProvider: readonly Played[] = Object.entries(providers).flatMap(([name, { scheme }]) =>
  waysOf(scheme).map(variant => play(name, variant)),
)

/** The header that holds the proof; undefined when it is in the body or the URL. */
export const proofHeader = (scheme: SingleScheme): string | undefined => {
  if (isSigned(scheme)) return scheme.sig.in === 'header' ? scheme.sig.name : undefined
  switch (scheme.kind) {
    case 'token':
      return scheme.token.in === 'header' ? scheme.token.name : undefined
    case 'jwt':
      return scheme.token.in === 'header' ? scheme.token.name : undefined
    case 'basic':
      return 'authorization'
    case 'code':
      // Where the catalogue says that the proof is.
      return / in `([^`]+)`/.exec(scheme.code.words(scheme))?.[1]
    default:
      return undefined
  }
}

const pem = (pair: { publicKey: { export(options: { format: 'pem'; type: 'spki' }): string | Buffer } }): string =>
  pair.publicKey.export({ format: 'pem', type: 'spki' }).toString()

const OTHERS = {
  ed25519: pem(generateKeyPairSync('ed25519')),
  ec: pem(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
  rsa: pem(generateKeyPairSync('rsa', { modulusLength: 2048 })),
}

/** Another key of the same kind. */
export const otherSecret = ({ secret, scheme }: Played): string => {
  if (!secret.startsWith('-----BEGIN')) return secret.replace(/.$/, last => (last === 'f' || last === '=' ? 'e' : 'f'))
  const kind = scheme.kind === 'jwt' ? scheme.algorithms[0] : 'keyType' in scheme ? scheme.keyType : scheme.kind
  return OTHERS[/^ES|ecdsa/.test(kind ?? '') ? 'ec' : /^RS|rsa/.test(kind ?? '') ? 'rsa' : 'ed25519']
}
