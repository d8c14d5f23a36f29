import type { SQSBatchResponse, SQSEvent } from 'aws-lambda'
import { toItem } from '../consume/batch.ts'
import { isOver, type Work } from '../consume/outcome.ts'
import { triesOf } from '../consume/tries.ts'
import { workLine } from '../consume/work-line.ts'
import { causeOf } from '../domain/fault.ts'
import { type Burying, bury } from './bury.ts'

/** Every dead letter on its own; one that could not be buried stays where it is and comes back. */
export const buryBatch = async (
  world: Burying,
  event: SQSEvent,
  environment: string,
  write: (line: string) => void,
  tries?: number,
): Promise<SQSBatchResponse> => {
  const failures = await Promise.all(
    event.Records.map(toItem).map(async item => {
      const startedAt = world.now()
      const ended = await bury(world, item, triesOf(item.group, tries)).catch(
        (error): Work => ({ work: 'unavailable', cause: causeOf(error) }),
      )
      write(workLine({ environment, ...item, ended, startedAt, finishedAt: world.now() }))
      return isOver(ended) ? [] : [{ itemIdentifier: item.messageId }]
    }),
  )
  return { batchItemFailures: failures.flat() }
}
