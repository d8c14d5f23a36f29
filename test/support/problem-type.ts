/** The `type` of a problem, written out here a second time: senders and producers match on it. */
export const problemType = (word: string): string => `https://hooklatch.example/docs/problems.md#${word}`
