import { iso } from '../../../functions/domain/brands.ts'
import { readSecretList } from '../../../functions/domain/secret-list.ts'
import type { Source } from '../../../functions/domain/source.ts'
import type { Connection } from '../../connect/connection.ts'
import { usesOf } from '../../connect/counts-of.ts'
import { findSource } from '../../connect/find-source.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import {
  type Change,
  type ChangeAnswer,
  changeSecrets,
  finishRotation,
  valuesOf,
} from '../../operator/change-secrets.ts'
import { judgeSecret } from '../../operator/judge-secret.ts'
import { hasChangedOver, secretUse } from '../../operator/secret-uses.ts'
import { readSecret } from '../../terminal/read-secret.ts'
import type { Terminal } from '../../terminal/terminal.ts'

export interface Given {
  readonly connection: Connection
  readonly sources: ReadonlyMap<string, Source>
  /** The source; empty where the action takes none. */
  readonly name: string
  readonly json: boolean
  readonly yes: boolean
  readonly span: string
  /** confirm: which one, if several were handed over. */
  readonly fingerprint: string | undefined
  /** confirm: print it, once. */
  readonly show: boolean
  /** set: the key for the sender's own API is meant. */
  readonly apiKey?: boolean
}

/** Reads a value, checks that it fits the sender, and puts it where the receiver finds it. */
export const changeSecret = async (
  action: 'set' | 'rotate',
  changeTo: (value: string) => Change,
  given: Given,
  terminal: Terminal,
): Promise<number | Refusal> => {
  const { connection, sources, name } = given
  const source = findSource(sources, name)
  if (isRefusal(source)) return source
  // A sender that publishes its keys needs none, but one that is set is used without a download.
  if (source.scheme.kind === 'none')
    return refuse(`The source "${name}" needs no secret: ${source.provider.name} does not use one.`)
  const value = await readSecret(
    `The ${action === 'set' ? '' : 'new '}signing secret of "${name}"`,
    `npx hooklatch secrets ${action} ${name}`,
    terminal,
  )
  if (isRefusal(value)) return value
  const judgement = judgeSecret(source.scheme, value)
  if (judgement.kind === 'unfit') {
    return refuse(
      `Nothing was changed: ${judgement.mistake}. \`npx hooklatch providers ${source.provider.id}\` says how ${source.provider.name} signs.`,
    )
  }
  for (const warning of judgement.warnings) terminal.err(`Warning: ${warning}.`)
  const answer = await changeSecrets(connection.secrets, name, changeTo(value))
  return conclude(action, answer, given, terminal)
}

const HOUR_MS = 3_600_000

export const finishSecretRotation = async (given: Given, terminal: Terminal): Promise<number | Refusal> => {
  const { connection, sources, name, yes } = given
  const source = findSource(sources, name)
  if (isRefusal(source)) return source
  const risk = yes ? undefined : await riskOf(connection, name)
  if (risk !== undefined) return refuse(`${risk} Nothing was changed: look again in an hour, or repeat with --yes.`)
  return conclude('finish-rotation', await changeSecrets(connection.secrets, name, finishRotation), given, terminal)
}

/** Why its sender may still sign with the previous secret. */
const riskOf = async (connection: Connection, name: string): Promise<string | undefined> => {
  const { lists, changedAt } = await connection.secrets.read()
  if (readSecretList(valuesOf(lists, name)).secrets.length < 2) return undefined
  const uses = await usesOf(connection, [name])
  if (typeof uses === 'string') return uses
  const use = secretUse(uses, name)
  const { previousUsedAt } = use
  // A figure of an hour bears the time of its beginning.
  if (previousUsedAt !== null && connection.now() - previousUsedAt < 2 * HOUR_MS) {
    return `A delivery to "${name}" was signed with the previous secret recently (${iso(previousUsedAt)}): its sender may not use the new one yet.`
  }
  return hasChangedOver(use, changedAt)
    ? undefined
    : `No delivery to "${name}" is known that was signed with the new secret: its sender may not use it yet.`
}

type Action = 'set' | 'rotate' | 'finish-rotation' | 'confirm'

/** Says what became of a change; `more` is for JSON. */
export const conclude = (
  action: Action,
  answer: ChangeAnswer,
  given: Given,
  terminal: Terminal,
  more: Readonly<Record<string, string>> = {},
): number | Refusal => {
  const { connection, name, json } = given
  if (answer.kind === 'unchanged') {
    const said = UNCHANGED[answer.why](name)
    if (!said.fine) return refuse(said.says)
    if (json) terminal.out(JSON.stringify({ source: name, action, changed: false }))
    else terminal.out(said.says)
    return 0
  }
  if (json) terminal.out(JSON.stringify({ source: name, action, changed: true, secrets: answer.secrets, ...more }))
  else {
    const effect = connection.kind === 'local' ? 'It takes effect at once.' : EFFECT[action]
    terminal.out(`${CHANGED[action](name, answer.replaced)} ${effect}`)
  }
  return 0
}

const CHANGED = {
  set: (name, replaced) =>
    replaced > 0
      ? `"${name}" has a new secret. Deliveries signed with the old one are refused from now on; \`rotate\` would have kept it.`
      : `The secret of "${name}" is set.`,
  rotate: name =>
    `"${name}" has a new secret and still accepts the previous one. End that with \`npx hooklatch secrets finish-rotation ${name}\`.`,
  'finish-rotation': name => `"${name}" now accepts only its current secret.`,
  confirm: name => `What was handed over is now the secret of "${name}".`,
} as const satisfies Record<Action, (name: string, replaced: number) => string>

/** The receiver keeps secrets for five minutes, and looks again when a signature does not fit. */
const EFFECT = {
  set: 'It takes effect with the first delivery signed with it; the old one may be accepted for five more minutes.',
  rotate: 'It takes effect with the first delivery signed with it.',
  'finish-rotation': 'It takes effect within five minutes.',
  confirm: 'It takes effect within 15 seconds.',
} as const satisfies Record<Action, string>

interface Said {
  readonly says: string
  /** It already is as it was asked for. */
  readonly fine: boolean
}

const UNCHANGED = {
  same: name => ({ says: `That is already the secret of "${name}": nothing was changed.`, fine: true }),
  'no-previous': name => ({ says: `"${name}" has no previous secret: no rotation is going on.`, fine: true }),
  'no-secret': name => ({ says: `"${name}" has no secret yet: \`npx hooklatch secrets set ${name}\`.`, fine: false }),
  'has-secret': name => ({
    says: `"${name}" has a secret meanwhile, and a handshake never replaces one: nothing was changed.`,
    fine: false,
  }),
  'not-offered': name => ({
    says: `What was handed over to "${name}" has changed meanwhile. Look with \`npx hooklatch secrets list\`, then try again.`,
    fine: false,
  }),
  rotating: name => ({
    says: `"${name}" still has a previous secret from the last rotation, and a third would replace it. First run \`npx hooklatch secrets finish-rotation ${name}\`.`,
    fine: false,
  }),
  'somebody-else': name => ({
    says: `Somebody else changed the secret of "${name}" at the same moment: your change was not written. Look with \`npx hooklatch secrets list\`, then try again.`,
    fine: false,
  }),
} as const satisfies Record<Extract<ChangeAnswer, { kind: 'unchanged' }>['why'], (name: string) => Said>
