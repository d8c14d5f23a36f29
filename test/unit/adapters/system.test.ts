import { describe, expect, it } from 'vitest'
import { fencesFrom, randomFence } from '../../../functions/adapters/system.ts'

describe('the fences of a function', () => {
  it('a fence has 32 hex digits, and no two of ten thousand are alike', () => {
    const fences = Array.from({ length: 10_000 }, randomFence)
    expect(fences.every(fence => /^[0-9a-f]{32}$/.test(fence))).toBe(true)
    expect(new Set(fences).size).toBe(10_000)
  })

  it('random bytes that a process brought from a snapshot are not used: those older than a second are drawn anew', () => {
    let now = 1_000_000
    const draws: number[] = []
    const next = fencesFrom(
      () => now,
      bytes => {
        draws.push(now)
        return String(draws.length).repeat(2 * bytes)
      },
    )
    expect([next(), next()]).toEqual(['1'.repeat(32), '1'.repeat(32)])
    now += 999
    expect(next()).toBe('1'.repeat(32))
    now += 1
    expect(next()).toBe('2'.repeat(32))
    now -= 60_000
    expect(next()).toBe('3'.repeat(32))
    expect(draws).toHaveLength(3)
  })

  it('a draw is for sixteen fences', () => {
    let draws = 0
    const next = fencesFrom(
      () => 0,
      bytes => {
        draws += 1
        return 'a'.repeat(2 * bytes)
      },
    )
    for (let times = 0; times < 32; times += 1) next()
    expect(draws).toBe(2)
  })
})
