import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asStored, MOST_VERSION_CHARACTERS, sortsAs, type Version } from '../../../functions/domain/version.ts'

const isOlder = (left: Version, right: Version): boolean => sortsAs(left) < sortsAs(right)

describe('versions', () => {
  it.each<readonly [Version, Version]>([
    [9, 10],
    ['9', '10'],
    [9, '10'],
    ['999999999999999', '1000000000000000'],
    [999_999_999_999_999, '1000000000000000'],
    ['9007199254740992', '9007199254740993'],
    ['999999999999999999', '1000000000000000000'],
    [-2, -1],
    [-1.5, -1.25],
    [-10, -9],
    [-1, 0],
    [0, 1e-7],
    [1e-7, 2e-7],
    [1.25, 1.5],
    [1, 1.5],
    [1.5, 2],
    [1e21, 1e22],
    ['2026-11-15T12:00:00Z', '2026-11-15T12:00:01Z'],
    [Date.UTC(2026, 10, 15), '2026-11-15T12:00:01Z'],
  ])('the version %j is older than %j', (older, newer) => {
    expect(isOlder(older, newer)).toBe(true)
    expect(isOlder(newer, older)).toBe(false)
  })

  it('a version in digits is the same as the number, with or without zeros before it', () => {
    expect([sortsAs('7'), sortsAs('007'), sortsAs('0')]).toEqual([sortsAs(7), sortsAs(7), sortsAs(0)])
  })

  it('any two versions that are numbers sort as numbers do', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e40, max: 1e40 })
    fc.assert(
      fc.property(number, number, (left, right) => left === right || isOlder(left, right) === left < right),
      { numRuns: 2_000 },
    )
  })

  it('any two versions in digits sort as numbers do, however long they are', () => {
    const digits = fc.bigInt({ min: 0n, max: 10n ** 100n })
    fc.assert(
      fc.property(digits, digits, (left, right) => isOlder(`${left}`, `${right}`) === left < right),
      { numRuns: 2_000 },
    )
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 'x'.repeat(MOST_VERSION_CHARACTERS + 1)])(
    'the value %j is not a version',
    version => {
      expect(() => sortsAs(version)).toThrow(RangeError)
    },
  )

  it('a version is stored beside as version 0.1 stored it', () => {
    const versions = ['7', '999999999999999', '1000000000000000', 7, 2 ** 60, '2026-11-15']
    const stored = [7, 999_999_999_999_999, '1000000000000000', 7, '1152921504606846976', '2026-11-15']
    expect(versions.map(asStored)).toEqual(stored)
  })
})
