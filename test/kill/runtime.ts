import { performance } from 'node:perf_hooks'

interface Context {
  readonly awsRequestId: string
  getRemainingTimeInMillis(): number
}

/** What AWS's own runtime does: asks for the next invocation, runs the handler, says what it returned, for ever. */
export const serve = async (handler: (event: never, context: never) => unknown): Promise<never> => {
  const api = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/invocation`
  for (;;) {
    // Nobody asked for five minutes, or the Lambda is gone: an environment that is needed is started anew.
    const next = await fetch(`${api}/next`).catch(() => process.exit())
    const id = next.headers.get('lambda-runtime-aws-request-id') ?? ''
    const until = performance.now() + Number(next.headers.get('kill-remaining-ms'))
    const context: Context = { awsRequestId: id, getRemainingTimeInMillis: () => until - performance.now() }
    const event = await next.json()
    try {
      const value = (await handler(event as never, context as never)) ?? null
      await post(`${api}/${id}/response`, value)
    } catch (error) {
      await post(`${api}/${id}/error`, { errorMessage: String(error) })
    }
  }
}

const post = async (url: string, value: unknown): Promise<void> => {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(value) })
  await answer.arrayBuffer()
}
