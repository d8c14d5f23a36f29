import type { Scheme } from '../domain/scheme.ts'
import type { Secret } from '../domain/secret.ts'

const SHORT_CHARACTERS = 16

/** Real providers hand out such secrets, so they are used as they are; a person should still look twice. */
export const secretWarnings = (scheme: Scheme, secret: Secret): readonly string[] => {
  const value = secret.reveal()
  if (['ed25519', 'ecdsa', 'rsa'].includes(scheme.kind)) return []
  return WARNINGS.filter(({ applies }) => applies(value)).map(({ says }) => says)
}

const WARNINGS: readonly { readonly applies: (value: string) => boolean; readonly says: string }[] = [
  {
    applies: value => value.length < SHORT_CHARACTERS,
    says: `the secret is shorter than ${SHORT_CHARACTERS} characters: easy to guess`,
  },
  { applies: value => /\s/.test(value), says: 'the secret contains white space: often a copied newline' },
]
