import type { Sources } from 'hooklatch/providers'

/** Who may post to you: each name is an endpoint, `/webhooks/{name}`. `npx hooklatch providers` lists the senders. */
export default {
  stripe: { provider: 'stripe' },
  github: { provider: 'github' },
} satisfies Sources
