import { expect, it } from 'vitest'
import { type Millis, millis } from '../../../functions/domain/brands.ts'
import type { Identified } from '../../../functions/domain/evidence.ts'
import { noteTaking } from '../../../functions/operate/note-taking.ts'
import { anyFence, claimedRecord, NOON } from '../../support/events.ts'
import { receiveRig } from '../../support/receive-rig.ts'

const CLOCK_BEHIND = millis(NOON - 60_000)
const ACCEPTING = { reason: 'late', job: null, act: 'accept' } as const

it('an operator whose clock is behind the receiver stays on record when an event is taken after they began to replay it', async () => {
  const { world } = receiveRig()
  const failed = claimedRecord(NOON, { status: 'failed' })
  await world.claims.claim(failed)
  const body = { ...failed, bodyAt: 'dynamodb', now: CLOCK_BEHIND } as const
  const by = { fence: anyFence(), now: CLOCK_BEHIND, leaseUntil: millis(CLOCK_BEHIND + 15_000) }
  const asked = { actor: 'ada', reason: 'fixed', job: null }
  expect(await world.replays.begin(failed, by, asked, body)).toMatchObject({ kind: 'begun' })
  expect(await noteTaking(world, failed as unknown as Identified, { ...ACCEPTING, actor: 'bob' })).toMatchObject({
    kind: 'noted',
  })
  expect(await world.replays.audits(failed.fingerprint, [1])).toMatchObject([{ act: 'replay', actor: 'ada' }])
})

it('of two operators who accept one event at once, the first is the one on record', async () => {
  const { world } = receiveRig()
  const identified = claimedRecord(NOON) as unknown as Identified
  const at = (now: Millis) => ({ ...world, now: () => now })
  await noteTaking(at(NOON), identified, { ...ACCEPTING, actor: 'ada' })
  await noteTaking(at(millis(NOON + 1)), identified, { ...ACCEPTING, actor: 'bob' })
  expect(await world.replays.audits(identified.fingerprint, [0])).toMatchObject([{ actor: 'ada' }])
})
