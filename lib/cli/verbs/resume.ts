import { operate } from '../../connect/operator-of.ts'
import { isRefusal } from '../../connect/refusal.ts'
import { tellPause } from '../print/pause-sentence.ts'
import { readReason } from '../steps/how.ts'
import { TARGET_FLAGS } from '../target-flags.ts'
import { verb } from '../verb.ts'

export const resume = verb({
  summary: 'Hand events to a paused destination again.',
  operands: ['<destination>'],
  flags: {
    reason: { value: 'TEXT', help: 'Why, for the record (default "resumed").' },
    json: { help: 'Print { "kind", "destination", "message" }.' },
    ...TARGET_FLAGS,
  },
  teaches: [
    'What waited is handled now, as fast as the rate and concurrency of the destination allow.',
    '',
    '  npx hooklatch resume crm',
    '  npx hooklatch resume worker --reason "database is back" --stack Hooklatch-production',
  ].join('\n'),
  async run({ flags, positionals: [destination = ''] }, terminal) {
    const reason = readReason(flags.reason ?? 'resumed')
    if (isRefusal(reason)) return reason
    const operator = await operate(flags)
    if (isRefusal(operator)) return operator
    const answer = await operator.resumeDestination({ destination, reason })
    return tellPause(answer, destination, flags.json === true, terminal)
  },
})
