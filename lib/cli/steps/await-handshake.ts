import { durationSeconds, isDuration } from '../../../functions/domain/duration.ts'
import { findSource } from '../../connect/find-source.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import { awaitSecret } from '../../operator/await-secret.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { Given } from './change-secret.ts'

/** Lets the next handshake of a source store the secret that it brings. */
export const awaitHandshake = async (
  { connection, sources, name, span }: Given,
  terminal: Terminal,
): Promise<number | Refusal> => {
  if (!isDuration(span)) return refuse(`--for ${span} is not a duration: expected such as 90s, 10m or 1h.`, 2)
  const source = findSource(sources, name)
  if (isRefusal(source)) return source
  if (source.provider.handshake?.offers === undefined) {
    return refuse(
      `${source.provider.name} does not hand over its secret: copy it from there, then \`npx hooklatch secrets set ${name}\`.`,
    )
  }
  const snapshot = await connection.secrets.read()
  const opened = awaitSecret(snapshot.lists, name, connection.now(), durationSeconds(span))
  if (!opened) return refuse(`The source "${name}" already has a secret, and a handshake never replaces one.`)
  if ((await connection.secrets.write(opened, snapshot)) === 'changed') {
    return refuse('Somebody else changed the secrets at the same moment: nothing was written. Try again.')
  }
  terminal.out(`The first secret that a handshake brings to "${name}" within ${span} will be stored.`)
  return 0
}
