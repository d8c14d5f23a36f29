import { toSeconds } from '../domain/brands.ts'
import type { BodyStore, KeptBody } from '../domain/ports.ts'
import { isExpired } from '../domain/record.ts'

/** The twin of the AWS body store for tests and the simulator. */
export const memoryBodies = (): BodyStore => {
  const kept = new Map<string, { readonly body: KeptBody; readonly expiresAt: Parameters<BodyStore['keep']>[2] }>()
  return {
    async keep(body, _now, expiresAt) {
      const key = `${body.fingerprint}/${body.sha256}`
      const before = kept.get(key)
      const first = before?.body ?? { ...body, bytes: new Uint8Array(body.bytes) }
      if (!before || before.expiresAt < expiresAt) kept.set(key, { body: first, expiresAt })
      return { kind: 'kept', at: 'memory' }
    },
    async fetch(fingerprint, sha256, _at, now) {
      const found = kept.get(`${fingerprint}/${sha256}`)
      return found && !isExpired(found, toSeconds(now)) ? found.body : undefined
    },
  }
}
