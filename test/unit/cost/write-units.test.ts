import { describe, expect, it } from 'vitest'
import { itemBytes, writeUnits } from '../../bench/write-units.ts'

const small = { fingerprint: { S: 'f' }, status: { S: 'claimed' } }
const listed = { ...small, listing: { S: '2026-11-16#f' }, claimedAt: { S: '2026-11-16T00:00:00.000Z#f' } }
const large = { fingerprint: { S: 'f' }, text: { S: 'x'.repeat(2_000) } }

describe('the size of an item', () => {
  it.each([
    [{ a: { S: 'é' } }, 3],
    [{ n: { N: '1794744000000' } }, 6],
    [{ n: { N: '7' } }, 3],
    [{ b: { B: Buffer.from('abcd').toString('base64') } }, 5],
    [{ y: { BOOL: true }, z: { NULL: true } }, 4],
    [{ m: { M: { a: { S: 'b' } } }, l: { L: [{ S: 'cd' }] } }, 13],
  ])('the item %j is %d bytes', (item, bytes) => {
    expect(itemBytes(item)).toBe(bytes)
  })
})

describe('a write is billed', () => {
  it.each([
    ['one unit for a small item', { after: small }, 1],
    ['one more for its place in the index', { after: listed }, 2],
    [
      'nothing for an index that it does not touch',
      { before: listed, after: { ...listed, status: { S: 'queued' } } },
      1,
    ],
    ['two more when it moves in the index', { before: listed, after: { ...listed, claimedAt: { S: 'later' } } }, 3],
    ['by the whole KB of what it leaves', { after: large }, 2],
    ['by what it found, where that was larger', { before: large, after: small }, 2],
    ['as the item it was refused by', { before: listed, after: listed }, 1],
  ])('a write is billed %s', (_name, write, units) => {
    expect(writeUnits(write)).toBe(units)
  })
})
