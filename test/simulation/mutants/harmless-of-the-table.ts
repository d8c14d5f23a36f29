import type { Equivalent } from './equivalent.ts'
import { otherItemMutants } from './of-other-items.ts'
import { tableMutants } from './of-the-table.ts'

/** Changes of the table that break no promise, each with its reason. */
export const harmlessOfTheTable = (): readonly Equivalent[] =>
  [...tableMutants(), ...otherItemMutants()].flatMap(mutant => {
    const why = REASONS.get(mutant.name)
    return why === undefined ? [] : [{ ...mutant, why }]
  })

/** A fence is made for one act, and says by itself which event, which generation and which attempt is meant. */
const HARMLESS: Readonly<Record<string, readonly string[]>> = {
  'It shows the fence of an attempt, and each attempt makes its own: nobody has the fence and another generation.': [
    'commit does not ask for generation = seenGeneration',
    'finish does not ask for generation = seenGeneration',
    'giveBack does not ask for generation = seenGeneration',
    'ignore does not ask for generation = seenGeneration',
    'report does not ask for generation = seenGeneration',
  ],
  'It shows the fence of an attempt, which comes into the record together with `working`, and never into a claim.': [
    'commit starts from claimed too',
    'commit starts from queued too',
    'finish starts from claimed too',
    'finish starts from queued too',
    'giveBack starts from claimed too',
    'giveBack starts from queued too',
    'ignore starts from claimed too',
    'ignore starts from queued too',
    'report starts from claimed too',
    'report starts from queued too',
  ],
  'The lease ends by itself: the next try has to wait for it, and nothing is promised about how long.': [
    'release does not start from claimed',
  ],
  'It shows the fence of an attempt, and one attempt never says two of done, ignored and failed.': [
    'commit starts from ignored too',
    'finish starts from failed too',
    'finish starts from ignored too',
    'ignore starts from done too',
    'ignore starts from failed too',
  ],
  'A repeat that is refused is shown the record as it stands, is told that it is over, and the message is deleted all the same.':
    ['finish does not start from done', 'ignore does not start from ignored'],
  'It gives back a try of which the handler was not called, so the attempt whose fence it shows never ends in anything.':
    ['giveBack starts from done too', 'giveBack starts from failed too', 'giveBack starts from ignored too'],
  'An attempt reports that it failed, that it hung, or that its commit got no answer: after none of them it says ignored.':
    ['report starts from ignored too'],
  'What fails has its body kept and noted by the same write. What is lost has none, and is lost 14 days after the last settlement.':
    ['noteBody does not start from failed'],
  'Every generation after the first is begun with its body noted, and what is noted stays.': [
    'noteBody does not ask for generation = seenGeneration',
  ],
  'Who looks has seen that the lease is over, and under the same fence a lease never grows.': [
    'beginAnew does not ask for leaseUntil <= now',
    'park does not ask for leaseUntil <= now',
    'replay does not ask for leaseUntil <= now',
    'takeOver does not ask for leaseUntil <= now',
  ],
  'Whoever took the claim over meanwhile has let its lease pass, too: it is as abandoned as the one that was seen.': [
    'beginAnew does not ask for fence = seenFence',
    'park does not ask for fence = seenFence',
    'replay does not ask for fence = seenFence',
    'takeOver does not ask for fence = seenFence',
  ],
  'Who has the body keeps it from now on: what they write ends later than a failure without a body, and that is enough.':
    ['fail does not ask for bodyAt absent'],
  'Besides, it asks for a generation and for a life that has not ended: what is absent has neither.': [
    'erase starts from absent too',
  ],
  'An event ends once in a generation, and the generation is asked for, too.': [
    'erase does not ask for status = seenStatus',
  ],
  'Nothing is asked of an item that is there, so no condition is sent at all, and none is refused.': [
    'blankBody does not start from absent',
    'keepDelivery does not start from absent',
  ],
  'The name of the request is in its key: whoever keeps it again keeps the same.': [
    'keepDelivery does not start from present',
  ],
  'The guard was deleted since it was looked at: the claim is refused, its sender comes again and finds none.': [
    'inheritGuard does not start from absent',
  ],
  'The token of the transaction makes a repeat of it one act.': ['inheritGuard does not ask for guards = fingerprint'],
  'A repeat that is refused is shown the record, and knows its own fence in it.': [
    'recreateFailed does not ask for fence = fence',
  ],
}

export const isHarmless = (name: string): boolean => REASONS.has(name)

const REASONS = new Map(Object.entries(HARMLESS).flatMap(([why, names]) => names.map(name => [name, why] as const)))
