import { apisOf } from '../../../functions/senders/find-api.ts'
import { storeApiKey } from '../../connect/api-keys.ts'
import { findSource } from '../../connect/find-source.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import { readSecret } from '../../terminal/read-secret.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { Given } from './change-secret.ts'

/** Reads the key for a sender's own API, and keeps it: on a laptop for its commands, in a stack for the scheduled reconciler alone. */
export const setApiKey = async (
  { connection, sources, name, json }: Given,
  terminal: Terminal,
): Promise<number | Refusal> => {
  const source = findSource(sources, name)
  if (isRefusal(source)) return source
  const rights = [...new Set(apisOf(source.provider.id).flatMap(({ rights: { list, connect } }) => [list, connect]))]
  if (rights.length === 0)
    return refuse(`${source.provider.name} has no API that we know how to use: no key is needed.`)
  const set = connection.kind === 'local' ? (key: string) => storeApiKey(name, key) : connection.apiKeySetter(name)
  if (set === undefined) {
    return refuse(
      `Nothing was changed: the stack keeps API keys for sources with \`reconcile\` in sources.ts, for the schedule alone, and "${name}" has none there. For a command, set HOOKLATCH_API_KEY in its environment.`,
    )
  }
  terminal.err([`What the key needs: ${rights.filter(each => each !== undefined).join('; or ')}.`])
  const value = await readSecret(`The API key of "${name}"`, `npx hooklatch secrets set ${name} --api-key`, terminal)
  if (isRefusal(value)) return value
  if (/[^\x21-\x7e]/.test(value)) return refuse('Nothing was changed: an API key has no spaces and no line breaks.')
  await set(value)
  terminal.out(
    json ? JSON.stringify({ source: name, action: 'set', apiKey: true }) : `The API key of "${name}" is set.`,
  )
  return 0
}
