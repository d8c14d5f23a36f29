import { plus, toMillis } from '../../../functions/domain/brands.ts'
import { durationSeconds, isDuration } from '../../../functions/domain/duration.ts'
import type { Source } from '../../../functions/domain/source.ts'
import { findSource } from '../../connect/find-source.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import { awaitSecret, changeSecrets } from '../../operator/change-secrets.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { Given } from './change-secret.ts'

/** Lets the next handshake of a source bring its secret, for an operator to confirm. */
export const awaitHandshake = async (
  { connection, sources, name, span, json }: Given,
  terminal: Terminal,
): Promise<number | Refusal> => {
  if (!isDuration(span)) return refuse(`--for ${span} is not a duration: expected such as 90s, 10m or 1h.`, 2)
  const source = findOffering(sources, name)
  if (isRefusal(source)) return source
  const until = plus(connection.now(), toMillis(durationSeconds(span)))
  const answer = await changeSecrets(connection.secrets, name, awaitSecret(until))
  if (answer.kind === 'unchanged') {
    return answer.why === 'has-secret'
      ? refuse(`The source "${name}" already has a secret, and a handshake never replaces one.`)
      : refuse('Somebody else changed the secrets at the same moment: nothing was written. Try again.')
  }
  if (json) terminal.out(JSON.stringify({ source: name, action: 'await', changed: true }))
  else {
    terminal.out(
      `What a handshake brings to "${name}" within ${span} is kept, and used once you have confirmed it. ${NEXT[connection.kind]} Then run \`npx hooklatch secrets confirm ${name}\`.`,
    )
  }
  return 0
}

/** A function looks for a secret that is not there every 15 seconds. */
const NEXT = {
  local: 'Create the webhook at the sender now.',
  aws: 'Wait 15 seconds, and create the webhook at the sender.',
} as const

/** A source whose sender hands over its secret. */
export const findOffering = (sources: ReadonlyMap<string, Source>, name: string): Source | Refusal => {
  const source = findSource(sources, name)
  if (isRefusal(source) || source.provider.handshake?.offers) return source
  return refuse(
    `${source.provider.name} does not hand over its secret: copy it from there, then \`npx hooklatch secrets set ${name}\`.`,
  )
}
