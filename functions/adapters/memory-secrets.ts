import type { SecretStore } from '../domain/ports.ts'
import { Secret } from '../domain/secret.ts'

/** The twin of Secrets Manager for tests and the simulator; `secrets` may be changed while it runs, as a rotation would. */
export const memorySecrets = (secrets: Record<string, readonly string[]>, fingerprintKey: string): SecretStore => ({
  async signingSecrets(source) {
    const found = Object.hasOwn(secrets, source) ? (secrets[source] ?? []) : []
    return found.length > 0 ? { kind: 'found', secrets: found.map(value => new Secret(value)) } : { kind: 'absent' }
  },
  refresh: async () => ({ kind: 'too-soon' }),
  fingerprintKey: async () => new Secret(fingerprintKey),
})
