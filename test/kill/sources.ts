import type { Sources } from '../../functions/domain/source.ts'

/** One sender that retries until it hears a 2xx, and one that never does. */
export default { stripe: { provider: 'stripe' }, github: { provider: 'github' } } satisfies Sources

export const SECRETS = { stripe: ['whsec_kill_0123456789'], github: ['github-kill-0123456789'] } as const
