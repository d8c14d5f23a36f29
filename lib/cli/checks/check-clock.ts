import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs'
import { systemClock } from '../../../functions/adapters/system.ts'
import { spanWords } from '../../catalogue/span-words.ts'
import { type Check, fine, wrong } from './finding.ts'

/** AWS refuses what is signed more than five minutes off; leases of a replay are counted from this clock. */
const TOO_FAR_MS = 60_000

/** This machine's clock against the one of AWS, as its answers bear it. */
export const checkClock: Check = async ({ connection }) => {
  if (connection.kind === 'local') return [fine('a local instance uses the clock of this machine')]
  const { sqs } = connection.cloud
  let served: number | undefined
  sqs.middlewareStack.add(
    next => async args => {
      const result = await next(args)
      served = Date.parse((result.response as { headers?: Record<string, string> }).headers?.date ?? '')
      return result
    },
    { step: 'deserialize', name: 'servedAt', override: true },
  )
  await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: connection.resources.queueUrl, AttributeNames: ['QueueArn'] }),
  )
  if (served === undefined || Number.isNaN(served)) throw new Error('The answer of AWS has no date.')
  const off = Math.round((systemClock() - served) / 1_000)
  if (Math.abs(off) * 1_000 < TOO_FAR_MS) return [fine('the clock of this machine agrees with AWS')]
  const says = `the clock of this machine is ${spanWords(Math.abs(off))} ${off > 0 ? 'ahead of' : 'behind'} AWS: AWS refuses its requests, and signatures made here are too old`
  return [wrong(says, 'set the clock (NTP), then try again')]
}
