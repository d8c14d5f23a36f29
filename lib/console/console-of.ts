import type { Connection } from '../connect/connection.ts'
import { explainFault } from '../connect/explain-fault.ts'
import type { Listening } from '../connect/listen-on.ts'
import { operatorOf } from '../connect/operator-of.ts'
import { isRefusal, type Refusal } from '../connect/refusal.ts'
import { buildPage, type Page } from './build-page.ts'
import { openConsole } from './open-console.ts'
import type { Place } from './world.ts'

export interface ConsoleRequest {
  readonly port: number
  readonly curl?: Place['curl']
  readonly complain: (sentence: string) => void
}

/** Opens the console on what a connection leads to. */
export const consoleOf = async (
  connection: Connection,
  { port, curl = null, complain }: ConsoleRequest,
): Promise<Listening | Refusal> => {
  const operator = await operatorOf(connection)
  if (isRefusal(operator)) return operator
  const { events, name, urlOf } = connection
  let built: Promise<Page> | undefined
  const page = (): Promise<Page> => (built ??= buildPage())
  return openConsole({
    world: { operator, events, place: { name, urlOf, curl } },
    page,
    port,
    complain,
    explain: explainFault,
  })
}
