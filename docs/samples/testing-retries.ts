import { expect, test } from 'vitest'
import type { Handler } from '../../lib/consume.ts'
import { testReceiver } from '../../lib/testing.ts'
import sources from './sources.ts'

let isDatabaseUp = false

const work: Handler = () => {
  if (!isDatabaseUp) throw new Error('the database is down')
}

test('an event is tried again until the database is back', async () => {
  const receiver = await testReceiver({ sources, work })
  const event = await receiver.send('stripe')
  expect(event).toMatchObject({ status: 'working', lastError: 'Error: the database is down' })

  await receiver.advance('3h')
  isDatabaseUp = true
  await receiver.advance('3h')
  expect(event.status).toBe('done')
})

test('an event that never works fails after its last try, and can be replayed', async () => {
  isDatabaseUp = false
  const receiver = await testReceiver({ sources, work, tries: 3 })
  const event = await receiver.send('stripe')
  await receiver.advance('1h')
  expect(event).toMatchObject({ status: 'failed', attempts: 3 })

  isDatabaseUp = true
  await receiver.replay(event)
  expect(event).toMatchObject({ status: 'done', generation: 1 })
})
