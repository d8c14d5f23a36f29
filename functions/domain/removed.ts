/** What the record of an event says whose destination is not in destinations.ts any more. */
export const whyRemoved = (to: readonly string[]): string => {
  const gone = to.length === 1 ? `destinations.ts has no ${to[0]} any more` : 'no route leads to several any more'
  return `Removed: ${gone}; replay it by today's routes`
}
