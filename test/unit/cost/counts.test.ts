import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countsOf } from '../../../lib/cost/counts.ts'
import { readPrices } from '../../../lib/cost/prices.ts'
import { type Counts, countAll, usagesOf } from '../../bench/counts.ts'
import { SIZES } from '../../bench/deliveries.ts'
import { type Stub, startStub } from '../../bench/stub.ts'
import { receiveRig } from '../../support/receive-rig.ts'

let counts: Counts
let stub: Stub
beforeAll(async () => {
  counts = await countAll(readPrices())
  stub = await startStub()
})
afterAll(() => stub.stop())

const sizes = Object.keys(SIZES) as (keyof typeof SIZES)[]

describe('what a delivery costs, without retention, from a sender that retries', () => {
  it.each(sizes)(
    'a delivery of %s costs three calls and three write units when new, one and one as a duplicate, none when forged',
    size => {
      expect(counts.new[size]).toMatchObject({ calls: 3, writeUnits: 3 })
      expect(counts.duplicate[size]).toMatchObject({ calls: 1, writeUnits: 1, queueChunks: 0 })
      expect(counts.forged[size]).toMatchObject({ calls: 0, writeUnits: 0, queueChunks: 0 })
    },
  )

  it('a delivery is one chunk of the queue up to 100 KB, and four for a megabyte of JSON', () => {
    expect(sizes.map(size => counts.new[size].queueChunks)).toEqual([1, 1, 1, 4])
  })

  it('a million deliveries of 8 KB cost at most $3.60 when new and $1.90 as duplicates', () => {
    expect(counts.new['8KB'].dollarsPerMillion).toBe(3.56)
    expect(counts.duplicate['8KB'].dollarsPerMillion).toBe(1.86)
    expect(counts.forged['8KB'].dollarsPerMillion).toBe(1.21)
  })
})

describe('with retention', () => {
  it('retention costs one call more for a new event, with a small body in DynamoDB and a large one in S3', async () => {
    const { new: each } = await usagesOf(stub, {})
    expect(sizes.map(size => each[size].calls)).toEqual([4, 4, 4, 4])
    expect(sizes.map(size => each[size].objectPuts)).toEqual([0, 0, 1, 1])
    const dollars = (await countAll(readPrices(), {})).new['8KB'].dollarsPerMillion
    expect(dollars).toBeLessThanOrEqual(5.2)
  })
})

describe('the model of `hooklatch cost`', () => {
  it('a copy for replay takes no time of its own: it is written while the message is sent', async () => {
    const at = receiveRig()
    const [sending, writing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { queue, bodies } = at.world
    // Each waits for the other to begin: one after the other, they would wait for ever.
    const send: typeof queue.send = async (...message) => {
      sending.resolve()
      await writing.promise
      return queue.send(...message)
    }
    const keep: typeof bodies.keep = async (...body) => {
      writing.resolve()
      await sending.promise
      return bodies.keep(...body)
    }
    const world = { ...at.world, queue: { ...queue, send }, bodies: { ...bodies, keep } }
    expect((await receiveRig({ world }).stripe({ id: 'evt_1', object: 'event', type: 'invoice.paid' })).status).toBe(
      202,
    )
  })

  it.each([
    ['none', false],
    ['7d', true],
  ] as const)('the model of `hooklatch cost` counts what the receiver does with retain %s', async (retain, kept) => {
    stub.forget()
    const counted = await usagesOf(stub, { retain })
    for (const [size, bytes] of Object.entries(SIZES)) {
      const model = countsOf({ bytes, kept })
      for (const name of ['new', 'duplicate', 'forged'] as const) {
        expect({ size, name, ...model[name] }).toEqual({ size, name, ...counted[name][size as keyof typeof SIZES] })
      }
    }
  })
})
