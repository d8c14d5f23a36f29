import { operate } from '../../connect/operator-of.ts'
import { isRefusal, refuse } from '../../connect/refusal.ts'
import type { Change, Comparison } from '../../operator/compare.ts'
import { jsonLines, type Terminal } from '../../terminal/terminal.ts'
import { allOf } from '../flags.ts'
import { findKept } from '../steps/find-kept.ts'
import { TARGET_FLAGS } from '../target-flags.ts'
import { verb } from '../verb.ts'

export const compare = verb({
  summary: 'Show what changed between two captured deliveries: headers, body, and whether the id stayed.',
  operands: ['<first>', '<second>'],
  flags: {
    source: { value: 'NAME', help: 'Look only among those of this source.', choices: 'sources' },
    json: { help: 'Print { "sameEventId", "sameBody", "secondsBetween", "headers": [...], "body": [...], ... }.' },
    ...TARGET_FLAGS,
  },
  teaches: [
    '<first> and <second> are deliveries as `npx hooklatch capture list` prints them; their first characters are enough. JSON bodies',
    'are compared field by field. A changed signature is reported, but never shown. Exit code 1 if the event id changed.',
    '',
    '  npx hooklatch compare 3f9c2a71 b0de44aa',
  ].join('\n'),
  async run({ flags, positionals: [first = '', second = ''] }, terminal) {
    const operator = await operate(flags, flags.source)
    if (isRefusal(operator)) return operator
    const found = allOf(
      await findKept(operator, 'capture', flags.source, first),
      await findKept(operator, 'capture', flags.source, second),
    )
    if (isRefusal(found)) return { ...found, exitCode: 1 }
    const [one, other] = found
    if (one.source !== other.source) {
      return refuse(
        `They belong to two sources, ${one.source} and ${other.source}: only deliveries of one source can be compared.`,
      )
    }
    const comparison = await operator.compare(one.source, one.key, other.key)
    if (!comparison) return refuse('One of them is no longer kept.')
    if (flags.json) terminal.out(jsonLines(comparison))
    else print(comparison, terminal)
    return comparison.sameEventId === false ? 1 : 0
  },
})

const print = (
  { first, second, secondsBetween, sameEventId, sameBody, headers, body }: Comparison,
  terminal: Terminal,
): void => {
  const { out, style } = terminal
  out(`${first.time} (${first.status}) and ${second.time} (${second.status}), ${secondsBetween} s apart`)
  if (sameEventId === null) out(style('yellow', 'one of them has no event id to compare'))
  else if (sameEventId) out(style('green', `the same event id: ${first.eventId ?? ''}`))
  else out(style('red', `a different event id: ${first.eventId ?? ''}, then ${second.eventId ?? ''}`))
  out(sameBody ? 'the same body, byte for byte' : `${body.length} changes in the body`)
  for (const line of [
    ...headers.map(change => lineOf('header', change)),
    ...body.map(change => lineOf('body', change)),
  ])
    out(line)
}

const lineOf = (where: string, { path, first, second }: Change): string =>
  `  ${where} ${path}: ${first ?? '(absent)'} -> ${second ?? '(absent)'}`
