import type { Secret } from '../../../functions/domain/secret.ts'
import { readSecretList } from '../../../functions/domain/secret-list.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import { changeSecrets, confirmSecret, secretFingerprint, valuesOf } from '../../operator/change-secrets.ts'
import { judgeSecret } from '../../operator/judge-secret.ts'
import { confirm } from '../../terminal/confirm.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { findOffering } from './await-handshake.ts'
import { conclude, type Given } from './change-secret.ts'

/** Makes what a handshake brought the secret of its source: from now on it verifies deliveries, and not before. */
export const confirmHandedOver = async (given: Given, terminal: Terminal): Promise<number | Refusal> => {
  const { connection, sources, name, yes, show, json } = given
  const source = findOffering(sources, name)
  if (isRefusal(source)) return source
  const { lists } = await connection.secrets.read()
  const secret = choose(readSecretList(valuesOf(lists, name)).offered, given)
  if (isRefusal(secret)) return secret
  const judgement = judgeSecret(source.scheme, secret.reveal())
  if (judgement.kind === 'unfit') return refuse(`Nothing was changed: ${judgement.mistake}.`)
  for (const warning of judgement.warnings) terminal.err(`Warning: ${warning}.`)

  const fingerprint = secretFingerprint(secret)
  const asked = yes || given.fingerprint !== undefined
  const no = asked ? undefined : await confirm(`Use the secret ${fingerprint} for "${name}"? [y/N]`, 'y')
  if (no) return no
  const answer = await changeSecrets(connection.secrets, name, confirmSecret(fingerprint))
  const shown = show && answer.kind === 'changed' ? { secret: secret.reveal() } : {}
  const concluded = conclude('confirm', answer, given, terminal, { fingerprint, ...shown })
  if (shown.secret !== undefined && !json) terminal.out(shown.secret)
  return concluded
}

const choose = (offered: readonly Secret[], { name, fingerprint }: Given): Secret | Refusal => {
  const [first, ...others] = offered
  if (first === undefined) {
    return refuse(`Nothing was handed over to "${name}". First run \`npx hooklatch secrets await ${name}\`.`)
  }
  const list = offered.map(secret => `- ${secretFingerprint(secret)}`).join('\n')
  if (fingerprint !== undefined) {
    const meant = offered.find(secret => secretFingerprint(secret) === fingerprint)
    return meant ?? refuse(`No secret with this fingerprint was handed over to "${name}", but:\n${list}`)
  }
  if (others.length === 0) return first
  return refuse(
    `${offered.length} different secrets were handed over to "${name}", and only one can be its sender's:\n${list}\nIf you know which, add --fingerprint. Else delete the webhook at the sender and begin again with \`npx hooklatch secrets await ${name}\`.`,
  )
}
