/**
 * Yours to fill in, so handlers know the names of your sources and what they send:
 * `declare module 'hooklatch/consume' { interface Register { sources: typeof sources } }`
 */
// biome-ignore lint/suspicious/noEmptyInterface: a declaration of the user's adds to it
export interface Register {}
