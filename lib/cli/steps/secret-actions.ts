import { durationSeconds, isDuration } from '../../../functions/domain/duration.ts'
import type { Source } from '../../../functions/domain/source.ts'
import type { Connection } from '../../connect/connection.ts'
import { findSource } from '../../connect/find-source.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import { awaitSecret } from '../../operator/await-secret.ts'
import { rotateTo, setTo } from '../../operator/change-secrets.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { printSecrets } from '../print/print-secrets.ts'
import { changeSecret, finishSecretRotation } from './change-secret.ts'

export interface Given {
  readonly connection: Connection
  readonly sources: ReadonlyMap<string, Source>
  /** The source; empty where the action takes none. */
  readonly name: string
  readonly json: boolean
  readonly yes: boolean
  readonly span: string
}

export interface SecretAction {
  readonly ofSource: boolean
  readonly run: (given: Given, terminal: Terminal) => Promise<number | Refusal>
}

const awaitOne: SecretAction['run'] = async ({ connection, sources, name, span }, terminal) => {
  if (!isDuration(span)) return refuse(`--for ${span} is no time: expected such as 90s, 10m or 1h.`, 2)
  const source = findSource(sources, name)
  if (isRefusal(source)) return source
  if (source.provider.handshake?.offers === undefined) {
    return refuse(
      `${source.provider.name} hands no secret over: take it from there and \`npx hooklatch secrets set ${name}\`.`,
    )
  }
  const snapshot = await connection.secrets.read()
  const opened = awaitSecret(snapshot.lists, name, connection.now(), durationSeconds(span))
  if (!opened) return refuse(`The source "${name}" has a secret, and no handshake may replace it.`)
  if ((await connection.secrets.write(opened, snapshot)) === 'changed') {
    return refuse('Somebody else changed the secrets at the same moment: nothing was written. Try again.')
  }
  terminal.out(`The first secret that a handshake brings to "${name}" within ${span} will be stored.`)
  return 0
}

export const SECRET_ACTIONS = {
  set: { ofSource: true, run: (given, terminal) => changeSecret('set', setTo, given, terminal) },
  rotate: { ofSource: true, run: (given, terminal) => changeSecret('rotate', rotateTo, given, terminal) },
  'finish-rotation': { ofSource: true, run: finishSecretRotation },
  list: { ofSource: false, run: printSecrets },
  await: { ofSource: true, run: awaitOne },
} as const satisfies Record<string, SecretAction>
