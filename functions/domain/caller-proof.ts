import { hash } from 'node:crypto'
import type { Unavailable } from './ports.ts'

/**
 * What makes up a request to STS that only the holder of somebody's credentials can sign, `GetCallerIdentity`. Whoever is given it asks STS, and learns
 * who signed. One of its signed headers is the hash of a command, so it proves that this command was wanted, and no other.
 */
export interface CallerProof {
  readonly authorization: string
  /** As in `x-amz-date`. */
  readonly date: string
  /** Of temporary credentials. */
  readonly token?: string | undefined
}

export type CallerAnswer =
  | { readonly kind: 'known'; readonly arn: string }
  | { readonly kind: 'refused'; readonly why: string }
  | Unavailable

export interface Callers {
  /** Who of this account signed the proof for this command. */
  identify(proof: CallerProof, command: string, account: string): Promise<CallerAnswer>
}

/** The request without what its signature adds. Nothing of it is chosen by the caller but the command. */
export const proofRequest = (command: string) => ({
  method: 'POST',
  path: '/',
  headers: {
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    'x-hooklatch-command': hash('sha256', command),
  },
  body: 'Action=GetCallerIdentity&Version=2011-06-15',
})

/** A signature that leaves one of them out proves less than it seems to. */
export const signsTheCommand = ({ authorization, token }: CallerProof): boolean => {
  const names = [
    'content-type',
    'host',
    'x-amz-date',
    ...(token ? ['x-amz-security-token'] : []),
    'x-hooklatch-command',
  ]
  const signed = names.join(';')
  return new RegExp(`^AWS4-HMAC-SHA256 Credential=[^, ]+, SignedHeaders=${signed}, Signature=[0-9a-f]+$`).test(
    authorization,
  )
}
