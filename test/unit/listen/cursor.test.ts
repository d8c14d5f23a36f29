import { describe, expect, it } from 'vitest'
import { millis } from '../../../functions/domain/brands.ts'
import type { EventRecord } from '../../../functions/domain/record.ts'
import { advance, cursorFile, isSettled, keyOf, resume, startingAt } from '../../../lib/listen/cursor.ts'
import { scratchDirectory } from '../../support/scratch-directory.ts'

const at = (claimedAt: number, fingerprint = 'a', generation = 0): EventRecord =>
  ({ fingerprint, generation, claimedAt: millis(claimedAt) }) as EventRecord

const NOW = millis(10_000)
const kept = {
  ...startingAt(millis(5_000)),
  from: millis(8_000),
  settled: new Map([[keyOf(at(8_500)), millis(8_500)]]),
}

describe('the cursor of listen', () => {
  it('the first run begins now, or as far back as it is asked to', () => {
    expect(resume(undefined, undefined, NOW)).toEqual(startingAt(NOW))
    expect(resume(undefined, millis(3_000), NOW)).toEqual(startingAt(millis(3_000)))
  })

  it('a later run goes on where the last one ended, also if it names a time in between', () => {
    expect(resume(kept, undefined, NOW)).toBe(kept)
    expect(resume(kept, millis(6_000), NOW)).toBe(kept)
  })

  it('a run that goes back further sends what came before the first run, and nothing twice', () => {
    const cursor = resume(kept, millis(1_000), NOW)
    expect(cursor.from).toBe(1_000)
    const settled = [at(2_000, 'b'), at(5_000, 'b'), at(7_999, 'b'), at(8_000, 'b'), at(8_500)]
    expect(settled.map(each => isSettled(cursor, each))).toEqual([false, true, true, false, true])
    expect(isSettled(advance(cursor, millis(6_000)), at(7_000, 'b'))).toBe(true)
    expect(advance(cursor, millis(8_000)).skip).toBeNull()
  })

  it('a run that asks for less leaves out what is older', () => {
    expect(resume(kept, millis(9_000), NOW)).toMatchObject({ start: 9_000, from: 9_000 })
  })

  it('a cursor of another time than the instance has is not used', () => {
    expect(resume(kept, undefined, millis(7_000))).toEqual(startingAt(millis(7_000)))
  })

  it('a replayed event is a new one to the cursor, and an event that was taken over is not', () => {
    expect(isSettled(kept, at(9_000, 'a', 1))).toBe(false)
    expect(isSettled(kept, at(9_000, 'a', 0))).toBe(true)
  })

  it('what lies before the cursor is not remembered one by one', () => {
    expect(advance(kept, millis(8_501)).settled.size).toBe(0)
    expect(advance(kept, millis(8_500)).settled.size).toBe(1)
    expect(advance(kept, millis(1)).from).toBe(8_000)
  })

  it('a cursor is read as it was written, and a file that is damaged is none', () => {
    const directory = scratchDirectory()
    const file = cursorFile(directory, { to: 'http://localhost:3000' })
    expect(file.read()).toBeUndefined()
    const skipping = resume(kept, millis(1_000), NOW)
    file.write(skipping)
    expect(file.read()).toEqual(skipping)
    expect(cursorFile(directory, { to: 'http://localhost:4000' }).read()).toBeUndefined()
  })
})
