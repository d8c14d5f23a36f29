import { buildPage, type Page } from '../console/build-page.ts'
import { openConsole } from '../console/open-console.ts'
import type { Place } from '../console/world.ts'
import type { Listening } from '../local/listen-on.ts'
import { isRefusal, type Refusal } from '../local/refusal.ts'
import type { Connection } from './connection.ts'
import { explainFault } from './explain-fault.ts'
import { operatorOf } from './operator-of.ts'

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
