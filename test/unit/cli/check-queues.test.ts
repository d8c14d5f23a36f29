import { expect, it } from 'vitest'
import { checkQueues } from '../../../lib/cli/checks/check-queues.ts'
import type { Connection } from '../../../lib/connect/connection.ts'

it.each([
  [0, 'no messages are waiting'],
  [1, '1 message is waiting'],
  [2, '2 messages are waiting'],
])('doctor counts the messages that wait: %i', async (messages, says) => {
  const queueState = async (url: string) => ({ messages: url === 'queue' ? messages : 0 })
  const connection = {
    kind: 'local',
    aws: { queue: { queueState } },
    resources: { queueUrl: 'queue', deadLettersUrl: 'letters' },
    instance: { resources: { destinations: {}, destinationDeadLetters: {} } },
  }
  const found = await checkQueues({ connection: connection as unknown as Connection, sources: new Map() })
  expect(found).toMatchObject([{ says }])
})
