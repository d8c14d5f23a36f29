import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda'
import type { Millis } from '../../functions/domain/brands.ts'

export interface Invoked {
  readonly handler: (
    event: SQSEvent,
    context: Pick<Context, 'getRemainingTimeInMillis'>,
  ) => Promise<SQSBatchResponse | undefined>
  readonly timeout: Millis
}

/** Calls a function as Lambda does: in real time, whatever the local instance's clock says, and no longer than its timeout. */
export const invoke = async ({ handler, timeout }: Invoked, event: SQSEvent): Promise<unknown> => {
  const deadline = performance.now() + timeout
  const answered = new AbortController()
  const tooLate = async (): Promise<never> => {
    await sleep(timeout, undefined, { signal: answered.signal })
    throw new Error(`the function was still running after ${timeout / 1000} seconds.`)
  }
  try {
    const getRemainingTimeInMillis = () => Math.max(0, Math.floor(deadline - performance.now()))
    return await Promise.race([handler(event, { getRemainingTimeInMillis }), tooLate()])
  } finally {
    answered.abort()
  }
}
