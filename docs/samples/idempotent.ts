import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { createAnswerStore, idempotently } from '../../lib/idempotent.ts'

const store = createAnswerStore({ table: process.env.ANSWERS_TABLE ?? '' })

export const handler = idempotently(
  { store, ttl: '1d', payload: 'canonical' },
  async (event: APIGatewayProxyEventV2, _context, idempotency) => {
    const { amount } = JSON.parse(event.body ?? '{}')

    // A try before this one died, and may have charged: the next API is asked under the same key, and does it once.
    const charge = await fetch('https://payments.example.com/charges', {
      method: 'POST',
      headers: { 'idempotency-key': idempotency?.downstreamKey ?? '' },
      body: JSON.stringify({ amount }),
    })
    return { statusCode: charge.ok ? 201 : 502, body: await charge.text() }
  },
)
