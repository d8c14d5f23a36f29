import { createHash } from 'node:crypto'
import type { Fingerprint, Sha256 } from '../domain/brands.ts'
import { canonicalJson } from '../domain/canonical-json.ts'
import type { HttpRequest } from '../domain/http.ts'
import { textOf } from '../domain/parse-json.ts'
import type { Rules } from './rules.ts'

export interface Scope {
  readonly caller: string
  readonly operation: string
  readonly key: string
}

/** Whose key it is, for what: the place of its answer. */
export const nameOf = ({ caller, operation, key }: Scope): Fingerprint =>
  digest(['answer', '1', caller, operation, key]) as Fingerprint

/** What was asked: a key that comes again with anything else of it is a mistake of the caller's. */
export const payloadOf = ({ method, path, query, body }: HttpRequest, mode: Rules['payload']): Sha256 =>
  digest([method, path, query, mode === 'canonical' ? canonical(body) : body]) as Sha256

/** Length-prefixed, so that ("a","bc") and ("ab","c") differ. */
const digest = (parts: readonly (string | Uint8Array)[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'utf8') : part
    hash.update(`${bytes.length}:`).update(bytes)
  }
  return hash.digest('hex')
}

/** Whatever its key order and white space. What is not JSON is its bytes. */
const canonical = (body: Uint8Array): string | Uint8Array => {
  try {
    return canonicalJson(textOf(body), [])
  } catch {
    return body
  }
}
