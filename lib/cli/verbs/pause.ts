import { operate } from '../../connect/operator-of.ts'
import { isRefusal, refuse } from '../../connect/refusal.ts'
import { allOf, readDuration } from '../flags.ts'
import { tellPause } from '../print/pause-sentence.ts'
import { readReason } from '../steps/how.ts'
import { TARGET_FLAGS } from '../target-flags.ts'
import { verb } from '../verb.ts'

const LONGEST = '7d'

export const pause = verb({
  summary: 'Stop handing events to a destination for a while.',
  operands: ['<destination>'],
  flags: {
    reason: { value: 'TEXT', help: 'Why. Required, and recorded with your name before anything happens.' },
    for: { value: 'DURATION', help: 'How long, such as 2h (default: until it is resumed, 7d at most).' },
    json: { help: 'Print { "kind", "destination", "until", "again", "message" }.' },
    ...TARGET_FLAGS,
  },
  teaches: [
    'Events wait in the queue of the destination: none is lost, and no try of theirs is used up. What is being handled comes to',
    'its end. A pause ends by itself, after seven days at most. `worker` is the destination that always exists.',
    '',
    '  npx hooklatch pause worker --reason "deploying the database" --for 2h',
    '  npx hooklatch pause crm --reason "CRM is down" --stack Hooklatch-production',
    '  npx hooklatch resume crm',
  ].join('\n'),
  async run({ flags, positionals: [destination = ''] }, terminal) {
    const asked = allOf(readReason(flags.reason), readDuration(flags.for, 'for', LONGEST))
    if (isRefusal(asked)) return asked
    const [reason, span] = asked
    if (span > MOST_MS) return refuse(`--for ${flags.for} is too long: a pause is seven days at most.`, 2)
    const operator = await operate(flags)
    if (isRefusal(operator)) return operator
    const answer = await operator.pauseDestination({ destination, reason, span })
    return tellPause(answer, destination, flags.json === true, terminal)
  },
})

const MOST_MS = 7 * 86_400_000
