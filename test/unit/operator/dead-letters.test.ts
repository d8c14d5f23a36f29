import { expect, it } from 'vitest'
import { millis } from '../../../functions/domain/brands.ts'
import { deadLetters } from '../../../lib/operator/dead-letters.ts'

const records = { list: async () => ({ records: [], next: null }), read: async () => undefined }
const query = { limit: 10, from: millis(0), now: millis(1) }

it('whoever may not look at the dead-letter queues is shown the failed events, and told why the rest is not known', async () => {
  const message = 'User: ada is not authorized to perform: sqs:GetQueueAttributes on resource: dead'
  const denied = Object.assign(new Error(message), { name: 'AccessDenied' })
  const page = await deadLetters({ records, deadLetterQueues: { waiting: () => Promise.reject(denied) } }, query)
  expect(page).toMatchObject({ events: [], waiting: null })
  expect(page.why).toMatch(
    /^What waits in the dead-letter queues cannot be read\. ada has no permission for sqs:GetQueueAttributes.*ReadPolicy/,
  )
})

it('whoever may look at the dead-letter queues is told how many wait in them', async () => {
  const page = await deadLetters({ records, deadLetterQueues: { waiting: async () => 3 } }, query)
  expect(page).toMatchObject({ waiting: 3 })
  expect(page.why).toBeUndefined()
})
