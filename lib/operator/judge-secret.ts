import type { Scheme } from '../../functions/domain/scheme.ts'
import { Secret } from '../../functions/domain/secret.ts'
import { readSecretList } from '../../functions/domain/secret-list.ts'
import { readKey } from '../../functions/providers/read-key.ts'
import { secretWarnings } from '../../functions/providers/secret-warnings.ts'

export type SecretJudgement =
  | { readonly kind: 'fits'; readonly warnings: readonly string[] }
  /** It cannot verify anything. `worthless`: it is not a secret at all, and would not protect anything either. */
  | { readonly kind: 'unfit'; readonly mistake: string; readonly worthless: boolean }

/** Whether a value can be the secret of a sender that signs like this. Never quotes any of it. */
export const judgeSecret = (scheme: Scheme, value: string): SecretJudgement => {
  if (value === '') return { kind: 'unfit', mistake: 'the secret is empty', worthless: true }
  if (readSecretList([value]).secrets.length === 0) {
    return {
      kind: 'unfit',
      mistake: 'the secret begins like one of the marks that Hooklatch stores among the secrets',
      worthless: false,
    }
  }
  const secret = new Secret(value)
  const key = readKey(scheme, secret)
  if ('problem' in key) return { kind: 'unfit', mistake: key.problem, worthless: key.worthless === true }
  return { kind: 'fits', warnings: secretWarnings(scheme, secret) }
}
