import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { millis } from '../../../functions/domain/brands.ts'
import { Unprocessable } from '../../../functions/domain/event.ts'
import { replay } from '../../../functions/operate/replay.ts'
import { checkTraffic } from '../../../lib/cli/checks/check-traffic.ts'
import { findFailed } from '../../../lib/cli/checks/find-failed.ts'
import type { Connection } from '../../../lib/connect/connection.ts'
import { scratchDirectory } from '../../support/scratch-directory.ts'
import { wholeRig } from '../../support/whole-rig.ts'

/** Two events that fail for good, and what doctor says of them at any time. */
const failedTwice = async () => {
  const at = wholeRig()
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const ids: string[] = []
  for (const id of ['evt_1', 'evt_2']) {
    const { body } = await at.stripe({ id, object: 'event', type: 'invoice.paid' })
    ids.push(body.id as string)
    await at.deliver(() => Promise.reject(new Unprocessable('no')), at.texts().slice(-1), { write })
  }
  at.advance(60_000)
  const file = join(scratchDirectory(), 'deliveries.log')
  const found = () => {
    writeFileSync(file, [...at.lines, ...lines].join(''))
    const { now, sources } = at.world
    const connection = { kind: 'local', instance: { deliveries: file }, stores: at.memory.stores, now }
    return checkTraffic({ connection: connection as unknown as Connection, sources })
  }
  const fix = async (id: string | undefined) => {
    const now = at.world.now()
    const from = millis(now - 86_400_000)
    const [record] = (await at.world.records.list({ limit: 10, now, from })).records.filter(
      ({ fingerprint }) => fingerprint === id,
    )
    if (!record) throw new Error('it is gone')
    await replay(at.world, { id: record.fingerprint, actor: 'ada', reason: 'fixed', job: null })
    await at.deliver(async () => {}, at.texts().slice(-1), { write })
    at.advance(60_000)
  }
  return { at, ids, found, fix }
}

describe('doctor and failures', () => {
  it('doctor counts the events that are still failed, and not those that were fixed since', async () => {
    const { ids, found, fix } = await failedTwice()
    const failed = { level: 'wrong', subject: 'stripe', fix: 'npx hooklatch events --source stripe --status failed' }
    expect(await found()).toMatchObject([{ ...failed, says: expect.stringMatching(/^2 events have failed/) }])
    await fix(ids[0])
    expect(await found()).toMatchObject([{ ...failed, says: expect.stringMatching(/^1 event has failed/) }])
    await fix(ids[1])
    expect(await found()).toMatchObject([{ level: 'ok', subject: null }])
  })

  it('a failure of the day before yesterday is no longer counted', async () => {
    const { at, found } = await failedTwice()
    at.advance(25 * 3_600_000)
    expect(await found()).toMatchObject([{ level: 'ok' }])
    expect((await findFailed(at.world.records, at.world.now())).bySource.size).toBe(0)
  })

  it('a search for failed events says if there were more events than it read', async () => {
    const { at } = await failedTwice()
    const found = await findFailed(at.world.records, at.world.now(), 1)
    expect(found).toEqual({ bySource: new Map([['stripe', 1]]), complete: false })
    expect(await findFailed(at.world.records, at.world.now())).toMatchObject({ complete: true })
  })
})
