import { appendFileSync } from 'node:fs'
import type { Context } from 'aws-lambda'
import type { GatewayEvent } from '../../functions/adapters/api-gateway.ts'
import { createAnswerStore } from '../../functions/idempotent/answer-store.ts'
import { idempotently } from '../../functions/idempotent/idempotent.ts'
import { clientsFor } from '../support/engines.ts'
import { askEvent } from '../support/idempotent-rig.ts'

/** One process that claims a key, acts, and is killed before its answer is stored. */
const { endpoint, table, effects } = JSON.parse(process.argv[2] ?? '')
const { dynamodb } = clientsFor({ dynamodb: endpoint })
const store = {
  ...createAnswerStore({ table, dynamodb }),
  complete: async () => {
    process.kill(process.pid, 'SIGKILL')
    return new Promise<never>(() => {})
  },
}
const handler = idempotently<GatewayEvent, object>({ store }, async () => {
  appendFileSync(effects, 'acted\n')
  return { statusCode: 200, body: 'first' }
})
await handler(askEvent(), { getRemainingTimeInMillis: () => 30_000 } as Context)
