import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isoOf } from '../../../functions/contract/iso.ts'

/** Year 1 to 9999. */
const instants = fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 })

describe('an instant as text', () => {
  it('an instant reads as JavaScript writes a date, whichever was asked for before', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(instants, fc.integer({ min: 0, max: 2_000 })), { minLength: 1 }), pairs => {
        for (const [instant, later] of pairs)
          for (const each of [instant, instant + later, Math.abs(instant) + 0.5])
            expect(isoOf(each)).toBe(new Date(each).toISOString())
      }),
    )
  })

  it('what is no instant is refused, as JavaScript refuses it', () => {
    for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, 1e300]) expect(() => isoOf(wrong)).toThrow(RangeError)
  })
})
