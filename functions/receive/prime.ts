import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from './world.ts'

/** Lambda ends a start after ten seconds; what is not ready by then is fetched by the first delivery. */
const AT_MOST_MS = 3_000

/** Fetches the secrets and opens the connections before the first delivery comes. Faults are left for it to meet, and to tell. */
export const prime = async ({ secrets, sources }: World, connect: () => Promise<void>): Promise<void> => {
  const [anySource = ''] = sources.keys()
  /** One after the other over one connection: a second would cost another handshake, and take as long. */
  const bothSecrets = async () => [await secrets.signingSecrets(anySource), await secrets.fingerprintKey()]
  const ready = new AbortController()
  const tooLate = sleep(AT_MOST_MS, undefined, { signal: ready.signal }).catch(() => undefined)
  await Promise.race([Promise.all([bothSecrets(), connect()]), tooLate])
  ready.abort()
}
