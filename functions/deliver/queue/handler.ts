import { openObjects, openQueue } from '#every-call'
import { stackNames, targetOf, variable } from '../../adapters/environment.ts'
import { handedOverBodies } from '../../adapters/handed-over-bodies.ts'
import { sqsHandOver } from '../../adapters/sqs-hand-over.ts'
import { systemClock } from '../../adapters/system.ts'
import { consume } from '../../consume/consume.ts'
import type { QueueTarget } from '../target.ts'
import { toQueue } from '../to-queue.ts'

const delivery = {
  destination: variable('destination'),
  send: sqsHandOver({ queue: openQueue() }),
  keep: handedOverBodies({ objects: openObjects() }, stackNames, systemClock),
}

/** From the queue of a destination to a queue of the user's. */
export const handler = consume(toQueue(delivery, targetOf<QueueTarget>()))
