import { expect, it } from 'vitest'
import { millis } from '../../../functions/domain/brands.ts'
import { toBeShown } from '../../../lib/cli/steps/replay-one.ts'
import type { Operator } from '../../../lib/operator/operator.ts'
import { NOON } from '../../support/events.ts'

const EVENT = { source: 'stripe', eventId: 'evt_1', type: 'invoice.paid', status: 'failed', generation: 2 }
const COPIES = [
  { destination: 'billing', status: 'done', generation: 4 },
  { destination: 'crm', status: 'failed', generation: 7 },
]

const operator = {
  now: () => millis(NOON),
  list: async () => ({ events: [EVENT], next: null }),
  show: async () => ({ ...EVENT, copies: COPIES }),
} as unknown as Operator

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
])('before a replay the terminal shows the status and the generation of what is replayed: %s', async (_, to, shown) => {
  expect(await toBeShown(operator, { id: 'evt_1', to })).toEqual(shown)
})
