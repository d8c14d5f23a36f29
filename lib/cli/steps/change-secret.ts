import { iso } from '../../../functions/domain/brands.ts'
import { needsSecret } from '../../../functions/domain/scheme.ts'
import type { Source } from '../../../functions/domain/source.ts'
import type { Connection } from '../../connect/connection.ts'
import { findSource } from '../../connect/find-source.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import { usesOf } from '../../connect/uses-of.ts'
import { type Change, type ChangeAnswer, changeSecrets, finishRotation } from '../../operator/change-secrets.ts'
import { judgeSecret } from '../../operator/judge-secret.ts'
import { secretUse } from '../../operator/secret-uses.ts'
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
  if (!needsSecret(source.scheme))
    return refuse(`The source "${name}" needs no secret: ${source.provider.name} has none to give.`)
  const value = await readSecret(
    `The ${action === 'set' ? '' : 'new '}signing secret of "${name}"`,
    `npx hooklatch secrets ${action} ${name}`,
    terminal,
  )
  if (isRefusal(value)) return value
  const judgement = judgeSecret(source.scheme, value)
  if (judgement.kind === 'unfit') {
    return refuse(
      `Nothing was changed: ${judgement.problem}. \`npx hooklatch providers ${source.provider.id}\` says how ${source.provider.name} signs.`,
    )
  }
  for (const warning of judgement.warnings) terminal.err(`Look twice: ${warning}.`)
  const answer = await changeSecrets(connection.secrets, name, changeTo(value))
  return conclude(action, answer, given, terminal)
}

const HOUR_MS = 3_600_000

export const finishSecretRotation = async (given: Given, terminal: Terminal): Promise<number | Refusal> => {
  const { connection, sources, name, yes } = given
  const source = findSource(sources, name)
  if (isRefusal(source)) return source
  const uses = yes ? 'not asked' : await usesOf(connection, [name])
  const usedAt = typeof uses === 'string' ? null : secretUse(uses, name).previousUsedAt
  // A figure of an hour bears the time of its beginning.
  if (usedAt !== null && connection.now() - usedAt < 2 * HOUR_MS) {
    const warning = `A delivery to "${name}" was signed with the previous secret not long ago (${iso(usedAt)}): its sender may not have changed over.`
    if (terminal.interactive) return refuse(`${warning} Look again in an hour, or repeat with --yes.`)
    terminal.err(warning)
  }
  return conclude('finish-rotation', await changeSecrets(connection.secrets, name, finishRotation), given, terminal)
}

type Action = 'set' | 'rotate' | 'finish-rotation'

const conclude = (action: Action, answer: ChangeAnswer, given: Given, terminal: Terminal): number | Refusal => {
  const { connection, name, json } = given
  if (answer.kind === 'unchanged') {
    const said = UNCHANGED[answer.why](name)
    if (!said.fine) return refuse(said.says)
    if (json) terminal.out(JSON.stringify({ source: name, action, changed: false }))
    else terminal.out(said.says)
    return 0
  }
  if (json) terminal.out(JSON.stringify({ source: name, action, changed: true, secrets: answer.secrets }))
  else terminal.out([CHANGED[action](name, answer.replaced), EFFECT[connection.kind][action]].join(' '))
  return 0
}

const CHANGED = {
  set: (name, replaced) =>
    replaced > 0
      ? `"${name}" has a new secret, and deliveries signed with the old one are refused from now on (\`rotate\` would have kept it).`
      : `"${name}" has its secret.`,
  rotate: name =>
    `"${name}" has a new secret, and still accepts the previous one: end that with \`npx hooklatch secrets finish-rotation ${name}\`.`,
  'finish-rotation': name => `"${name}" accepts only its current secret.`,
} as const satisfies Record<Action, (name: string, replaced: number) => string>

/** The receiver keeps secrets for five minutes, and looks again when a signature does not fit. */
const EFFECT = {
  local: { set: 'It counts at once.', rotate: 'It counts at once.', 'finish-rotation': 'It counts at once.' },
  aws: {
    set: 'It counts with the first delivery signed with it; an old one may be accepted for five minutes more.',
    rotate: 'It counts with the first delivery signed with it.',
    'finish-rotation': 'It counts within five minutes.',
  },
} as const satisfies Record<Connection['kind'], Record<Action, string>>

interface Said {
  readonly says: string
  /** What was asked for is so already. */
  readonly fine: boolean
}

const UNCHANGED = {
  same: name => ({ says: `It is the secret of "${name}" already: nothing was changed.`, fine: true }),
  'no-previous': name => ({ says: `"${name}" has no previous secret: no rotation is going on.`, fine: true }),
  'no-secret': name => ({ says: `"${name}" has no secret yet: \`npx hooklatch secrets set ${name}\`.`, fine: false }),
  rotating: name => ({
    says: `"${name}" has a previous secret from the last rotation, which a third would push out: first \`npx hooklatch secrets finish-rotation ${name}\`.`,
    fine: false,
  }),
  'somebody-else': name => ({
    says: `Somebody else changed the secret of "${name}" at the same moment: nothing of yours was written. Look with \`npx hooklatch secrets list\`, then try again.`,
    fine: false,
  }),
} as const satisfies Record<Extract<ChangeAnswer, { kind: 'unchanged' }>['why'], (name: string) => Said>
