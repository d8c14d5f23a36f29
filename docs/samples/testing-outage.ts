import { expect, test } from 'vitest'
import { testReceiver } from '../../lib/testing.ts'
import sources from './sources.ts'
import { work } from './worker.ts'

const tables = { invoices: { partitionKey: 'id' } }

test('what is sent while DynamoDB is away is refused, and taken when its sender tries again', async () => {
  const receiver = await testReceiver({ sources, work, tables })
  const end = receiver.outage('dynamodb')
  const event = await receiver.send('stripe', { type: 'invoice.paid' })
  expect(event.answer.status).toBe(503)

  end()
  expect((await receiver.resend(event)).status).toBe(202)
  expect(event.status).toBe('done')
})

test('a GitHub event whose receiver died is finished without its sender', async () => {
  const receiver = await testReceiver({ sources, work, tables })
  receiver.crash('after-claim')
  const event = await receiver.send('github')
  expect(event).toMatchObject({ status: 'claimed', answer: { status: 500 } })

  await receiver.advance('5m')
  expect(event.status).toBe('ignored')
})
