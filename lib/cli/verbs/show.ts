import { millis } from '../../../functions/domain/brands.ts'
import { operate } from '../../connect/operator-of.ts'
import { isRefusal, refuse } from '../../connect/refusal.ts'
import type { EventDetail } from '../../operator/show.ts'
import { jsonLines, type Terminal } from '../../terminal/terminal.ts'
import { readDuration } from '../flags.ts'
import { TARGET_FLAGS } from '../target-flags.ts'
import { verb } from '../verb.ts'

export const show = verb({
  summary: 'Show one event: where it is, its record, its timeline, and its body if kept.',
  operands: ['<id>'],
  flags: {
    json: { help: 'Print everything as JSON; a body that is not text is in base64.' },
    source: { value: 'NAME', help: 'The source, if two senders use the same event id.', choices: 'sources' },
    since: { value: 'DURATION', help: 'How far back to look for an event id (default 30d).' },
    ...TARGET_FLAGS,
  },
  teaches: [
    "<id> is the id in our answer (64 hex characters, or the first 12), or the sender's own event id; the newest event with it.",
    'The timeline is made from the record, the replays and the log lines; "notes" in --json says what could not be read.',
    '',
    '  npx hooklatch show evt_1QmX2mHooklatch',
    '  npx hooklatch show evt_1QmX2mHooklatch --json | jq -r .body',
  ].join('\n'),
  async run({ flags, positionals: [id = ''] }, terminal) {
    const since = readDuration(flags.since, 'since', '30d')
    if (isRefusal(since)) return since
    const operator = await operate(flags)
    if (isRefusal(operator)) return operator
    const detail = await operator.show({ id, from: millis(operator.now() - since), source: flags.source })
    if (detail === undefined)
      return refuse(
        `There is no event with the id ${id}: expected the sender's whole id, or at least the first 12 characters of ours. \`npx hooklatch events\` lists both.`,
      )
    if (flags.json) terminal.out(jsonLines(detail))
    else print(detail, terminal)
    return 0
  },
})

const print = (detail: EventDetail, terminal: Terminal): void => {
  const { headers, body, bodyEncoding, timeline, audit, where, effects, notes, copies, ...record } = detail
  const { style, out } = terminal
  out(style('bold', where))
  out('')
  const width = Math.max(...Object.keys(record).map(name => name.length))
  for (const [name, value] of Object.entries({ ...record, bodyAt: placeOf(record.bodyAt) })) {
    const text = String(value ?? '-')
    out(`${style('dim', name.padEnd(width))}  ${name === 'lastError' && value !== null ? style('red', text) : text}`)
  }
  out('')
  for (const line of [...copyLines(copies, terminal), ...timelineLines(timeline, terminal)]) out(line)
  for (const note of notes) terminal.err(note)
  out('')
  for (const line of effectLines(effects, terminal)) out(line)
  for (const [name, value] of Object.entries(headers)) out(`${style('dim', name)}: ${value}`)
  out('')
  if (body === null) out(whyNoBody(detail))
  else out(bodyEncoding === 'base64' ? `(base64) ${body}` : body.split('\n'))
}

const whyNoBody = ({ erasedAt, bodyAt }: EventDetail): string => {
  if (erasedAt !== null) return `The body was erased at ${erasedAt}.`
  return bodyAt === null ? 'The body is not kept.' : 'The body is no longer kept.'
}

const copyLines = (copies: EventDetail['copies'], { style }: Terminal): string[] =>
  copies.length === 0 ? [] : [...copies.map(copy => `${style('bold', copy.destination)}  ${copy.where}`), '']

/** What it did: each item that it wrote, as it is in the user's own table now. */
const effectLines = (effects: EventDetail['effects'], { style }: Terminal): string[] => {
  const lines = effects.map(({ table, key, item }) =>
    item === null ? `${table}  ${JSON.stringify(key)} is gone` : `${table}  ${JSON.stringify(item)}`,
  )
  return lines.length === 0 ? [] : [style('dim', 'In your tables:'), ...lines, '']
}

const timelineLines = (timeline: EventDetail['timeline'], { style }: Terminal): string[] => {
  const width = Math.max(...timeline.map(({ what }) => what.length))
  return timeline.map(({ time, what, generation, detail }) => {
    const which = generation ? `generation ${generation}${detail === '' ? '' : ', '}` : ''
    return `${style('dim', time)}  ${what.padEnd(width)}  ${which + detail}`.trimEnd()
  })
}

/** `s3:7d` is the class of S3 objects that are deleted after seven days. */
const placeOf = (bodyAt: string | null): string => {
  if (bodyAt === null) return 'not kept'
  const days = /^s3:(\d+)d:/.exec(bodyAt)?.[1]
  return days === undefined ? bodyAt : `s3, ${days} days`
}
