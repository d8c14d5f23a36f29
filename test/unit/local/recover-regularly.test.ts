import { expect, it, onTestFinished, vi } from 'vitest'
import { millis } from '../../../functions/domain/brands.ts'
import { recoverRegularly } from '../../../lib/local/recover-regularly.ts'
import { claimedRecord, NOON } from '../../support/events.ts'
import { wholeRig } from '../../support/whole-rig.ts'

const regularly = (world: Parameters<typeof recoverRegularly>[0]) => {
  const lines: string[] = []
  const complaints: string[] = []
  const recovery = recoverRegularly(world, {
    every: millis(1),
    write: each => lines.push(each),
    warn: each => complaints.push(each),
  })
  onTestFinished(recovery.stop)
  return { lines, complaints, ...recovery }
}

it('recovery runs at once and again, one after the other, and writes nothing when there was nothing to do', async () => {
  const { world } = wholeRig()
  let runs = 0
  let atOnce = 0
  let most = 0
  const cursor = async () => {
    runs++
    most = Math.max(most, ++atOnce)
    await new Promise(resolve => setTimeout(resolve, 5))
    atOnce--
    return undefined
  }
  const { lines, stop } = regularly({ ...world, recovery: { ...world.recovery, cursor } })
  await vi.waitUntil(() => runs > 9)
  await stop()
  const ended = runs
  expect({ most, lines }).toEqual({ most: 1, lines: [] })
  await new Promise(resolve => setTimeout(resolve, 20))
  expect(runs).toBe(ended)
})

it('recovery that found something writes one line', async () => {
  const { world, records, advance } = wholeRig()
  records.set(claimedRecord(NOON, { source: 'stripe' }))
  advance(180_000)
  const { lines, stop } = regularly(world)
  await vi.waitUntil(() => lines.length > 0)
  await stop()
  expect(lines.map(each => JSON.parse(each))).toMatchObject([{ recovery: true, Waiting: 1, Recovered: 0 }])
})

it('recovery that fails warns and tries again', async () => {
  const { world } = wholeRig()
  const cursor = () => Promise.reject(new Error('no store'))
  const { complaints } = regularly({ ...world, recovery: { ...world.recovery, cursor } })
  await vi.waitUntil(() => complaints.length > 1)
  expect(complaints[0]).toBe('Recovery failed: no store')
})
