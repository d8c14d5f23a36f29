/** What the record of an event says whose destination is not in destinations.ts any more. */
export const whyRemoved = (to: readonly string[]): string => {
  const gone = to.length === 1 ? `destinations.ts has no ${to[0]} any more` : 'no route leads to several any more'
  return `Removed: ${gone}; replay it by today's routes`
}

/** A deployment changes one function after the other, and may be rolled back: until then, what one of them does not know may only be new. */
export const DEPLOYING_MS = 15 * 60_000
