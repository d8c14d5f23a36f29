import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Exchange, exchange, type Incoming } from '../../../functions/adapters/lean/exchange.ts'

interface Answer {
  readonly status: number
  readonly body: object
}

/** How an engine in this process answers an operation of its service; `undefined` if only its server can. */
export type Answering = (
  operation: string,
  input: Readonly<Record<string, unknown>>,
) => Answer | Promise<Answer> | undefined

/**
 * What our own client calls engines with, by their endpoints: those in this process get the signed request and give the answer that HTTP
 * would carry, without a socket, which would take more time than all of the rest. Everything else goes over HTTP.
 */
export const inProcess =
  (engines: ReadonlyMap<string, Answering>): Exchange =>
  (request, patience) => {
    const { 'x-amz-target': target = '' } = request.headers
    const engine = target === '' ? undefined : engines.get(request.url.origin)
    const answer = engine?.(target.slice(target.indexOf('.') + 1), JSON.parse(String(request.body)))
    return answer ? carried(answer) : exchange(request, patience)
  }

const carried = async (answer: Answer | Promise<Answer>): Promise<Incoming> => {
  const { status, body } = await answer
  const bytes = Buffer.from(JSON.stringify(body))
  // Else whoever works off a long queue would keep new deliveries waiting.
  await nextTurn()
  return { status, headers: {}, body: bytes }
}
