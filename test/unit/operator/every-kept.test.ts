import { beforeAll, expect, it } from 'vitest'
import { type Millis, millis, seconds } from '../../../functions/domain/brands.ts'
import { findKept } from '../../../lib/cli/steps/find-kept.ts'
import { allKept, everyKept } from '../../../lib/operator/every-kept.ts'
import { type Operating, type Operator, openOperator } from '../../../lib/operator/open-operator.ts'
import { memoryRig } from '../../support/memory-rig.ts'

const NOW = millis(Date.parse('2026-11-16T12:00:00Z'))
const KEPT = 1_010

let operator: Operator

const keyOf = (number: number): string => `${new Date(NOW - number * 60_000).toISOString()}#id-${number}-`

beforeAll(async () => {
  const { stores } = memoryRig({ now: () => NOW })
  for (let number = 1; number <= KEPT; number += 1) {
    await stores.deliveries.keep('quarantine', {
      ...{ source: 'stripe', key: keyOf(number), at: (NOW - number * 60_000) as Millis, method: 'POST', url: '/' },
      ...{ headers: {}, body: Buffer.from('{}'), correlationId: `id-${number}-`, status: 401, outcome: 'rejected' },
      ...{ reason: 'signature-mismatch', id: null, eventId: null, attempt: null, expiresAt: seconds(NOW / 1000 + 60) },
    })
  }
  const sources = new Map([['stripe', {}]])
  operator = openOperator({ ...stores, now: () => NOW, sources, acts: {} } as unknown as Operating)
})

it('whoever verifies or accepts a source reaches every delivery that is kept of it, however many came after', async () => {
  const keys = (await allKept(operator, 'quarantine', 'stripe')).map(({ key }) => key)
  expect([keys.length, keys.at(0), keys.at(-1)]).toEqual([KEPT, keyOf(1), keyOf(KEPT)])
})

it('the oldest delivery is found by its key and by the beginning of its correlation id, in one source or in any', async () => {
  const oldest = expect.objectContaining({ key: keyOf(KEPT) })
  for (const text of [keyOf(KEPT), `id-${KEPT}`, `id-${KEPT}-`])
    for (const source of ['stripe', undefined]) {
      expect(await findKept(operator, 'quarantine', source, text)).toEqual(oldest)
    }
  expect(await findKept(operator, 'quarantine', 'stripe', 'id-10')).toMatchObject({ exitCode: 2 })
})

it('an empty text is no delivery, although every correlation id begins with it', async () => {
  expect(await findKept(operator, 'quarantine', 'stripe', '')).toMatchObject({ exitCode: 2 })
})

it('a list says that older ones are left out', async () => {
  const page = await everyKept(operator, 'quarantine', undefined)
  expect([page.deliveries.length, page.deliveries[0]?.key, page.more]).toEqual([1_000, keyOf(1), true])
  expect(await everyKept(operator, 'quarantine', 'stripe', KEPT)).toMatchObject({ more: false })
})
