/** What the world of a proof must have had. */
// biome-ignore format: a list of names
export const WORLD = [
  'changedBodies', 'equalBodies', 'guarded', 'pointers', 'outages', 'permanentFaults', 'malformedAnswers', 'expired', 'absent',
  'fifoGroups', 'midnights', 'days', 'batches', 'replays', 'workersAway', 'skews', 'leanClient', 'laterMessages',
  'copies', 'ignored', 'paused', 'destinationOutages', 'reconciled', 'accepted', 'bulkReplays', 'erased',
  'forged',
] as const

export type WorldCounts = Record<(typeof WORLD)[number], number>

export const noCounts = (): WorldCounts => Object.fromEntries(WORLD.map(name => [name, 0])) as WorldCounts

export const addCounts = (sum: WorldCounts, more: Readonly<WorldCounts>): void => {
  for (const name of WORLD) sum[name] += more[name]
}
