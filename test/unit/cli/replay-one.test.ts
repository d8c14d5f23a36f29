import { expect, it } from 'vitest'
import { toBeShown } from '../../../lib/cli/steps/replay-one.ts'
import type { EventSeen } from '../../../lib/operator/show.ts'

const EVENT = {
  ...{ source: 'stripe', eventId: 'evt_1', type: 'invoice.paid', status: 'failed', generation: 2 },
  copies: [
    { destination: 'billing', status: 'done', generation: 4 },
    { destination: 'crm', status: 'failed', generation: 7 },
  ],
} as unknown as EventSeen

it.each([
  ['the event', undefined, { what: 'stripe evt_1 (invoice.paid)', status: 'failed', generation: 2 }],
  [
    'the copy for a destination',
    'crm',
    { what: 'stripe evt_1 (invoice.paid) for crm', status: 'failed', generation: 7 },
  ],
  [
    'the event, if there is no copy',
    'worker',
    { what: 'stripe evt_1 (invoice.paid)', status: 'failed', generation: 2 },
  ],
])('before a replay the terminal shows the status and the generation of what is replayed: %s', (_, to, shown) => {
  expect(toBeShown(EVENT, to)).toEqual(shown)
})
