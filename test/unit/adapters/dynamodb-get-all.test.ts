import { describe, expect, it } from 'vitest'
import { getAll } from '../../../functions/adapters/dynamodb-get-all.ts'
import type { BatchGet, BatchGot } from '../../../functions/adapters/wire/dynamo-calls.ts'

/** A table that gets to so many keys of each call, call by call, and then to all of them. */
const tableThat = (...getsTo: readonly number[]) => {
  const asked: number[] = []
  const pauses: number[] = []
  const left = [...getsTo]
  const batchGetItem = async ({ Keys }: BatchGet): Promise<BatchGot> => {
    asked.push(Keys.length)
    const many = left.shift() ?? Keys.length
    return { items: Keys.slice(0, many), unprocessed: Keys.slice(many) }
  }
  const read = (count: number, random = 1) =>
    getAll(
      { batchGetItem },
      'events',
      Array.from({ length: count }, (_, index) => ({ fingerprint: `f${index}` })),
      { consistent: true, pause: async span => void pauses.push(span), random: () => random },
    )
  return { read, asked, pauses }
}

describe('many keys', () => {
  it('keys are read a hundred at a time, without a pause', async () => {
    const { read, asked, pauses } = tableThat()
    expect(await read(250)).toHaveLength(250)
    expect([asked, pauses]).toEqual([[100, 100, 50], []])
  })

  it('keys that the table did not get to are asked for again after pauses that grow', async () => {
    const { read, asked, pauses } = tableThat(0, 0, 0, 40)
    expect(await read(100)).toHaveLength(100)
    expect(asked).toEqual([100, 100, 100, 100, 60])
    expect(pauses).toEqual([50, 100, 200, 50])
  })

  it('a pause is cut by chance, so those who were throttled together do not come back together', async () => {
    const { read, pauses } = tableThat(0, 0)
    await read(10, 0.5)
    expect(pauses).toEqual([25, 50])
  })

  it('a table that gets to nothing eleven times in a row is given up', async () => {
    const { read, asked, pauses } = tableThat(...Array.from({ length: 50 }, () => 0))
    await expect(read(3)).rejects.toThrow('did not get to 3 keys')
    expect(asked).toHaveLength(11)
    expect(Math.max(...pauses)).toBe(2_000)
  })

  it('a table that is slow, and gets to some each time, is not given up', async () => {
    const { read } = tableThat(...Array.from({ length: 50 }, () => 1))
    expect(await read(50)).toHaveLength(50)
  })
})
