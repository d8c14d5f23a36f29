import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Exchange, exchange, type Incoming, type Outgoing } from '../../../functions/adapters/lean/exchange.ts'

/** How an engine in this process answers an operation of its service. */
export type Answering = (
  operation: string,
  input: Readonly<Record<string, unknown>>,
) => { readonly status: number; readonly body: object } | Promise<{ readonly status: number; readonly body: object }>

/**
 * What our own client calls engines with, by their endpoints: those in this process get the signed request and give the answer that HTTP
 * would carry, without a socket, which would take more time than all of the rest. Everything else goes over HTTP.
 */
export const inProcess =
  (engines: ReadonlyMap<string, Answering>): Exchange =>
  (request, patience) => {
    const target = request.headers['x-amz-target']
    const engine = target && engines.get(request.url.origin)
    return engine ? answered(engine, target, request) : exchange(request, patience)
  }

const answered = async (engine: Answering, target: string, { body: text }: Outgoing): Promise<Incoming> => {
  // Else whoever works off a long queue would keep new deliveries waiting.
  await nextTurn()
  const { status, body } = await engine(target.slice(target.indexOf('.') + 1), JSON.parse(String(text)))
  return { status, headers: {}, body: Buffer.from(JSON.stringify(body)) }
}
