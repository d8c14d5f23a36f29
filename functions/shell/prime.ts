import type { World } from '../domain/world.ts'

/** Lambda ends a start after ten seconds; what is not ready by then is fetched by the first delivery. */
const AT_MOST_MS = 3_000

/** Waits for what is to be ready before the first delivery comes. Faults are left for it to meet, and to tell. */
export const prime = async (...preparations: readonly Promise<unknown>[]): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<void>(resolve => {
    timer = setTimeout(resolve, AT_MOST_MS)
  })
  await Promise.race([Promise.allSettled(preparations), tooLate])
  clearTimeout(timer)
}

/** One after the other over one connection: a second one would cost another handshake, and take as long. */
export const fetchSecrets = async ({ secrets, sources }: World<'secrets' | 'sources'>): Promise<void> => {
  const [anySource = ''] = sources.keys()
  await secrets.signingSecrets(anySource)
  await secrets.fingerprintKey()
}
