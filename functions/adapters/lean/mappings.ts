import type { Mappings } from '../../domain/pauses.ts'
import { serviceOf } from './aws.ts'
import type { Settings } from './caller.ts'
import { readFault } from './json-protocol.ts'

/** Lambda's event source mappings of each destination, by their ids. */
export const lambdaMappings = (
  ids: Readonly<Record<string, readonly string[]>>,
  settings: Partial<Settings> = {},
): Mappings => {
  const lambda = serviceOf('lambda', settings)
  const headers = { 'content-type': 'application/json' }
  const pathOf = (id: string): string => `/2015-03-31/event-source-mappings/${id}`

  const stateOf = async (id: string): Promise<string> => {
    const { answer } = await lambda.call({ method: 'GET', path: pathOf(id), headers: {}, body: '', readFault })
    return String(JSON.parse(answer.body.toString('utf8')).State)
  }

  return {
    names: Object.keys(ids),
    async enable(destination, enabled) {
      let changed = false
      for (const id of ids[destination] ?? []) {
        if ((enabled ? ENABLED : DISABLED).has(await stateOf(id))) continue
        const body = JSON.stringify({ Enabled: enabled })
        await lambda.call({ method: 'PUT', path: pathOf(id), headers, body, readFault })
        changed = true
      }
      return changed
    },
  }
}

/** Nothing has to be said to a mapping that is there, or will be in a moment. */
const ENABLED: ReadonlySet<string> = new Set(['Enabled', 'Enabling', 'Creating'])
const DISABLED: ReadonlySet<string> = new Set(['Disabled', 'Disabling'])
