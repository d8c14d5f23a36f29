import { beforeAll, describe, expect, it } from 'vitest'
import { type Growth, measureGrowth } from '../bench/growth.ts'

let small: Growth
let large: Growth
beforeAll(async () => {
  small = await measureGrowth(3_000)
  large = await measureGrowth(30_000)
})

describe('what an operator does costs the same whatever the table holds', () => {
  it('a page of fifty is 17 calls, and a shard more if chance has it, at the front and in the middle', () => {
    for (const { firstPage, laterPage } of [small, large])
      for (const page of [firstPage, laterPage]) {
        expect(page.calls).toBeGreaterThanOrEqual(17)
        expect(page.calls).toBeLessThanOrEqual(19)
        expect(page.readUnits).toBeLessThanOrEqual(60)
      }
  })

  it('one replay makes as many calls among 30,000 records as among 3,000', () => {
    expect(large.replay).toEqual(small.replay)
  })

  it('recovery of a thousand new events makes as many calls among 30,000 records as among 3,000', () => {
    // And the one that was replayed.
    expect([small.seen, large.seen]).toEqual([1_001, 1_001])
    expect(large.recovery.calls).toBe(small.recovery.calls)
  })
})
