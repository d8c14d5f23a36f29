import { expect, it } from 'vitest'
import { type Millis, millis } from '../../../functions/domain/brands.ts'
import type { DestinationPause } from '../../../functions/domain/pauses.ts'
import { checkPauses } from '../../../lib/cli/checks/check-pauses.ts'
import type { Connection } from '../../../lib/connect/connection.ts'

const at = (time: string): Millis => millis(Date.parse(`2026-11-16T${time}Z`))

it('doctor says of a pause that was made longer since when the destination has been paused', async () => {
  const longer: DestinationPause = {
    destination: 'worker',
    state: 'paused',
    reason: 'the database is down',
    actor: 'ada',
    at: at('12:00:00'),
    since: at('10:00:00'),
    until: at('18:00:00'),
  }
  const pauses = { read: async () => longer }
  const local = { kind: 'local', instance: { resources: { destinations: {} } }, resources: { destinations: {} } }
  const connection = { ...local, stores: { pauses }, now: () => at('13:00:00') } as unknown as Connection
  const says = 'paused since 2026-11-16T10:00:00.000Z, until 2026-11-16T18:00:00.000Z, by ada: the database is down'
  expect(await checkPauses({ connection, sources: new Map() })).toMatchObject([{ level: 'warning', says }])
})
