import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { NOON } from '../support/events.ts'
import { DISAGREEMENTS, explanation } from './disagreements.ts'
import { MUTATED } from './mutations.ts'
import { ORACLES, type Sdk, weBelieve } from './oracles.ts'

const RUNS = 2_000
const SEED = 1

/** The vendors' libraries look at the clock themselves. */
beforeAll(() => void vi.useFakeTimers({ now: NOON, toFake: ['Date'] }))
afterAll(() => void vi.useRealTimers())

describe('our verdict beside that of a vendor’s own verifier', () => {
  const seen = new Map<string, number>()
  const agreed = { believed: 0, refused: 0 }

  it.each(Object.keys(ORACLES) as Sdk[])(
    'every disagreement with the verifier of %s has its reason',
    { timeout: 60_000 },
    async sdk => {
      const judged = fc.asyncProperty(MUTATED[sdk], async shown => {
        const [theirs, ours] = [await ORACLES[sdk].believes(shown), await weBelieve(sdk, shown)]
        if (theirs === ours) {
          agreed[ours ? 'believed' : 'refused']++
          return
        }
        const believer = theirs ? 'the SDK' : 'Hooklatch'
        const reason = explanation(sdk, shown, believer)
        expect(reason, `${believer} believes, and no rule says why`).toBeDefined()
        seen.set(reason ?? '', (seen.get(reason ?? '') ?? 0) + 1)
      })
      await fc.assert(judged, { seed: SEED, numRuns: RUNS })
    },
  )

  it('each reason for a disagreement occurs, and both verdicts are common', () => {
    expect([...seen.keys()].sort()).toEqual(Object.keys(DISAGREEMENTS).sort())
    expect(agreed.believed).toBeGreaterThan(RUNS / 4)
    expect(agreed.refused).toBeGreaterThan(RUNS / 4)
  })
})
