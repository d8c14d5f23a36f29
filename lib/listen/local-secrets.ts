import { needsSecret } from '../../functions/domain/scheme.ts'
import { Secret } from '../../functions/domain/secret.ts'
import type { Source } from '../../functions/domain/source.ts'
import { readKey } from '../../functions/providers/read-key.ts'
import { type Refusal, refuse } from '../connect/refusal.ts'
import { exampleSecret } from '../sender/example-secret.ts'

/** Tells a person what a server has to know. */
type Tell = (lines: readonly string[]) => void

/**
 * The secret that each source's events are signed with on this laptop: the given one if its sender signs with such, else a local one,
 * which is told when it is first used.
 */
export const localSecrets = (
  sources: ReadonlyMap<string, Source>,
  name: string | undefined,
  given: string | undefined,
): ((tell: Tell) => (source: Source) => string) | Refusal => {
  const source = name === undefined ? undefined : sources.get(name)
  const problem = source && given !== undefined ? problemOf(source, given) : undefined
  if (problem !== undefined) return refuse(`--secret cannot sign as ${name} does: ${problem}.`, 2)
  return tell => {
    const told = new Set<string>()
    return each => {
      if (given !== undefined && problemOf(each, given) === undefined) return given
      const secret = exampleSecret(each.scheme)
      if (!told.has(each.name)) tell(wordsFor(each, secret))
      told.add(each.name)
      return secret
    }
  }
}

const isPublicKey = (secret: string): boolean => secret.startsWith('-----BEGIN')

const problemOf = ({ scheme }: Source, given: string): string | undefined => {
  if (scheme.kind === 'none') return 'its sender signs nothing. Leave it out'
  const local = exampleSecret(scheme)
  if (isPublicKey(local) && given !== local)
    return 'its sender has a private key. Leave it out, and give your server the public key that is printed'
  const key = readKey(scheme, new Secret(given))
  return 'problem' in key ? key.problem : undefined
}

const wordsFor = ({ name, scheme }: Source, secret: string): readonly string[] => {
  if (!needsSecret(scheme) && secret === '') return [`Events of ${name} are not signed.`]
  return isPublicKey(secret)
    ? [`Events of ${name} are signed with a local key. Its public key, for your server:`, ...secret.trim().split('\n')]
    : [`Events of ${name} are signed with the local secret ${secret}`]
}
