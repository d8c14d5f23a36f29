import type { AcceptAnswer } from '../../../functions/operate/quarantine.ts'
import { operate } from '../../connect/operator-of.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import { allKept, everyKept, type KeptPage } from '../../operator/every-kept.ts'
import type { Operator } from '../../operator/open-operator.ts'
import { confirm } from '../../terminal/confirm.ts'
import { printTable } from '../../terminal/table.ts'
import { jsonLines, type Terminal } from '../../terminal/terminal.ts'
import { printKept } from '../print/kept-lines.ts'
import { findKept } from '../steps/find-kept.ts'
import { readReason } from '../steps/how.ts'
import { TARGET_FLAGS } from '../target-flags.ts'
import { findAction, verb } from '../verb.ts'

export const quarantine = verb({
  summary: 'See deliveries that failed verification, verify them again after you fixed a secret, and accept them.',
  operands: ['<list|show|verify|accept>', '[source]', '[delivery]'],
  completes: [['list', 'show', 'verify', 'accept'], 'sources'],
  flags: {
    reason: {
      value: 'TEXT',
      help: 'Why you accept them. Required for accept, and recorded with your name before anything happens.',
    },
    yes: { help: 'Do not ask. Required if there is no terminal.' },
    json: {
      help: 'Print JSON: { "deliveries": [...], "more" }, one delivery, or { "results": [{ "key", "result", ... }] }.',
    },
    ...TARGET_FLAGS,
  },
  teaches: [
    'A source with `quarantine: true` in sources.ts keeps deliveries that were answered 401 for three days, at most 30 a minute',
    'and 256 KB each. They are not events: nothing was claimed or queued. verify checks them with the current secrets, as of the time',
    'they came; accept takes those that pass. One that was accepted before, or that its sender has sent again since, is a duplicate.',
    '<delivery> is its key, its correlation id or the first characters of that; without it, all deliveries of the source are meant.',
    'Signatures and tokens in headers are never shown.',
    '',
    '  npx hooklatch quarantine list stripe',
    '  npx hooklatch quarantine verify stripe',
    '  npx hooklatch quarantine accept stripe --reason "secret was rotated late" --yes',
  ].join('\n'),
  async run({ flags, positionals: [action = '', source, delivery] }, terminal) {
    const act = findAction(ACTIONS, action)
    if (isRefusal(act)) return act
    if (action !== 'list' && source === undefined) {
      return refuse(`Say which source: npx hooklatch quarantine ${action} <source>`, 2)
    }
    const reason = action === 'accept' ? readReason(flags.reason) : ''
    if (isRefusal(reason)) return reason
    const operator = await operate(flags, source)
    if (isRefusal(operator)) return operator
    const meant = await meantBy(operator, action, source, delivery)
    if (isRefusal(meant)) return meant
    const asked = { ...meant, reason, yes: flags.yes === true, json: flags.json === true }
    return act(operator, asked, terminal)
  },
})

interface Asked extends KeptPage {
  readonly reason: string
  readonly yes: boolean
  readonly json: boolean
}

const meantBy = async (
  operator: Operator,
  action: string,
  source: string | undefined,
  delivery: string | undefined,
): Promise<KeptPage | Refusal> => {
  if (delivery !== undefined) {
    const found = await findKept(operator, 'quarantine', source, delivery)
    return isRefusal(found) ? found : { deliveries: [found], more: false }
  }
  if (action === 'list' || action === 'show') return everyKept(operator, 'quarantine', source)
  return { deliveries: await allKept(operator, 'quarantine', source), more: false }
}

const list = async (_: Operator, { deliveries, more, json }: Asked, terminal: Terminal): Promise<number> => {
  if (json) terminal.out(jsonLines({ deliveries, more }))
  else
    printKept(
      { deliveries, more },
      'The quarantine is empty. A source with `quarantine: true` keeps its rejected deliveries.',
      terminal,
    )
  return 0
}

const show = async (
  operator: Operator,
  { deliveries: [kept] }: Asked,
  terminal: Terminal,
): Promise<number | Refusal> => {
  const detail = kept && (await operator.quarantine.show(kept.source, kept.key))
  if (!detail) return refuse('Say which delivery: npx hooklatch quarantine show <source> <delivery>', 2)
  terminal.out(jsonLines(detail))
  return 0
}

interface Result {
  readonly key: string
  readonly result: string
}

const verify = async (operator: Operator, { deliveries, json }: Asked, terminal: Terminal): Promise<number> => {
  const results: Result[] = []
  for (const { source, key } of deliveries) {
    const { kind, ...rest } = await operator.quarantine.reverify(source, key)
    results.push({ key, result: kind, ...rest })
  }
  return report(results, json, terminal, 'genuine')
}

const accept = async (operator: Operator, asked: Asked, terminal: Terminal): Promise<number | Refusal> => {
  const { deliveries, reason, yes, json } = asked
  const refused = yes
    ? undefined
    : await confirm(`Accept those of ${deliveries.length} deliveries that are genuine? [y/N]`, 'y')
  if (refused) return refused
  const results: Result[] = []
  // Oldest first, as they came.
  for (const { source, key } of [...deliveries].reverse()) {
    const { kind, ...rest }: AcceptAnswer = await operator.quarantine.accept({ source, key, reason })
    results.push({ key, result: kind, ...rest })
  }
  return report(results, json, terminal, 'taken')
}

/** 0 if every one has the result that was wanted. */
const report = (results: readonly Result[], json: boolean, terminal: Terminal, wanted: string): number => {
  if (json) terminal.out(jsonLines({ results }))
  else {
    const rows = results.map(({ key, result, ...rest }) => [key, result, Object.values(rest).join(' ')])
    printTable(terminal, ['delivery', 'result', ''], rows)
  }
  return results.every(({ result }) => result === wanted) ? 0 : 1
}

const ACTIONS = { list, show, verify, accept }
