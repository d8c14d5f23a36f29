import { operate } from '../../connect/operator-of.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import { captureRefusal } from '../../operator/capture-refusal.ts'
import { everyKept } from '../../operator/every-kept.ts'
import type { Operator } from '../../operator/open-operator.ts'
import type { CaptureAnswer } from '../../operator/set-capture.ts'
import { printTable } from '../../terminal/table.ts'
import { jsonLines, type Terminal } from '../../terminal/terminal.ts'
import { allOf, readDuration, readNumber } from '../flags.ts'
import { printKept } from '../print/kept-lines.ts'
import { findKept } from '../steps/find-kept.ts'
import { TARGET_FLAGS } from '../target-flags.ts'
import { findAction, verb } from '../verb.ts'

const LONGEST_MS = 7 * 86_400_000
export const capture = verb({
  summary:
    'Keep every delivery of a source for a while, with headers, body and answer, to compare what changes between tries.',
  operands: ['<start|stop|status|list|show>', '[source]', '[delivery]'],
  completes: [['start', 'stop', 'status', 'list', 'show'], 'sources'],
  flags: {
    for: { value: 'DURATION', help: 'How long, at most 7d; then it ends by itself (default 10m).' },
    answer: {
      value: 'STATUS',
      help: 'A drill: genuine deliveries are answered with this status (400 to 599) and not accepted.',
    },
    json: {
      help: 'Print JSON: { "source", "until", "answer", "takesEffect" }, { "sources": [...] } or { "deliveries": [...], "more" }.',
    },
    ...TARGET_FLAGS,
  },
  teaches: [
    'Captured deliveries are kept for three days, at most 30 a minute of a source and 256 KB each. Duplicates and rejected deliveries',
    'are captured too. It begins at once on a laptop and within five minutes in AWS, because the switch is stored with the signing',
    'secrets: a delivery costs no extra call. --answer 500 makes the sender show its real retry schedule: `capture list` prints the',
    'time since the previous try, and `compare` says whether the id stays the same. An event that a drill turned away is accepted when',
    'its sender tries again after the drill. A sender that never retries cannot be drilled. Forged deliveries still get 401.',
    '',
    '  npx hooklatch capture start stripe --for 30m',
    '  npx hooklatch capture start stripe --for 2h --answer 500',
    '  npx hooklatch capture list stripe',
    '  npx hooklatch capture stop stripe',
  ].join('\n'),
  async run({ flags, positionals: [action = '', source, delivery] }, terminal) {
    const act = findAction(ACTIONS, action)
    if (isRefusal(act)) return act
    if (source === undefined && action !== 'list' && action !== 'status') {
      return refuse(`Say which source: npx hooklatch capture ${action} <source>`, 2)
    }
    const asked = allOf(readFor(flags.for), readAnswer(flags.answer))
    if (isRefusal(asked)) return asked
    const [forMs, answer] = asked
    const operator = await operate(flags, source)
    if (isRefusal(operator)) return operator
    const how = { source, delivery, forMs, answer, json: flags.json === true }
    return act(operator, how, terminal)
  },
})

const readFor = (text: string | undefined): number | Refusal => {
  const forMs = readDuration(text, 'for', '10m')
  if (isRefusal(forMs) || forMs <= LONGEST_MS) return forMs
  return refuse(`--for ${text} is too long: expected at most 7d.`, 2)
}

const readAnswer = (text: string | undefined): number | undefined | Refusal =>
  text === undefined ? undefined : readNumber(text, 'answer', { min: 400, max: 599, otherwise: 500 })

interface How {
  readonly source: string | undefined
  readonly delivery: string | undefined
  readonly forMs: number
  readonly answer: number | undefined
  readonly json: boolean
}

const start = async (operator: Operator, { source = '', forMs, answer, json }: How, terminal: Terminal) =>
  tell(await operator.capture.start({ source, forMs, answer }), json, terminal)

const stop = async (operator: Operator, { source = '', json }: How, terminal: Terminal) =>
  tell(await operator.capture.stop(source), json, terminal)

const tell = (answer: CaptureAnswer, json: boolean, terminal: Terminal): number | Refusal => {
  if (answer.kind !== 'set') return refuse(captureRefusal(answer))
  const { state, takesEffect } = answer
  const drilled = state.answer === null ? '' : `, and genuine ones are answered ${state.answer}`
  if (json) terminal.out(jsonLines({ ...state, takesEffect }))
  else if (state.until === null)
    terminal.out(`Deliveries of "${state.source}" are no longer captured. This takes effect ${takesEffect}.`)
  else
    terminal.out(
      `Deliveries of "${state.source}" are captured until ${state.until}${drilled}. This takes effect ${takesEffect}.`,
    )
  return 0
}

const status = async (operator: Operator, { source, json }: How, terminal: Terminal): Promise<number> => {
  const states = (await operator.capture.status()).filter(each => source === undefined || each.source === source)
  if (json) terminal.out(jsonLines({ sources: states }))
  else {
    const rows = states.map(each => [
      each.source,
      each.until ?? 'off',
      each.answer === null ? '-' : String(each.answer),
    ])
    printTable(terminal, ['source', 'captured until', 'answer'], rows)
  }
  return 0
}

const list = async (operator: Operator, { source, json }: How, terminal: Terminal): Promise<number> => {
  const kept = await everyKept(operator, 'capture', source)
  if (json) terminal.out(jsonLines(kept))
  else printKept(kept, 'Nothing is captured. `npx hooklatch capture start <source>` starts a capture.', terminal)
  return 0
}

const show = async (operator: Operator, { source, delivery }: How, terminal: Terminal): Promise<number | Refusal> => {
  if (delivery === undefined) return refuse('Say which delivery: npx hooklatch capture show <source> <delivery>', 2)
  const found = await findKept(operator, 'capture', source, delivery)
  if (isRefusal(found)) return found
  terminal.out(jsonLines(await operator.capture.show(found.source, found.key)))
  return 0
}

const ACTIONS = { start, stop, status, list, show }
