import { DEAD_LETTERS } from '../../functions/contract/queues.ts'
import { memoryQueue } from '../../lib/memory-aws/hooklatch-resources.ts'

/** The queues of destinations, and where to find each. */
export const memoryDestinations = (names: readonly string[]) => {
  const urls = Object.fromEntries(names.map(name => [name, `memory://sqs/hooklatch-to-${name}`]))
  const queues = Object.values(urls).flatMap(url => [
    [url, memoryQueue(`${url}-dead-letters`)] as const,
    [`${url}-dead-letters`, DEAD_LETTERS] as const,
  ])
  return { urls, queues: Object.fromEntries(queues) }
}
