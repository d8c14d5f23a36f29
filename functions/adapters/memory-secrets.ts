import { millis } from '../domain/brands.ts'
import type { Clock, SecretStore } from '../domain/ports.ts'
import { Secret } from '../domain/secret.ts'
import { readSecretList, withOffered } from '../domain/secret-list.ts'

/** The twin of Secrets Manager for tests and the simulator; `secrets` may be changed while it runs, as a rotation would. */
export const memorySecrets = (
  secrets: Record<string, readonly string[]>,
  fingerprintKey: string,
  now: Clock = () => millis(0),
): SecretStore => ({
  async signingSecrets(source) {
    const found = readSecretList(Object.hasOwn(secrets, source) ? (secrets[source] ?? []) : [])
    return found.secrets.length > 0 ? { kind: 'found', secrets: found.secrets } : { kind: 'absent' }
  },
  async accept(source, offered) {
    const list = withOffered(secrets[source] ?? [], offered, now())
    if (typeof list === 'string') return { kind: list }
    secrets[source] = list
    return { kind: 'stored' }
  },
  capturing: async source => readSecretList(secrets[source] ?? []).capture,
  refresh: async () => ({ kind: 'too-soon' }),
  fingerprintKey: async () => new Secret(fingerprintKey),
})
