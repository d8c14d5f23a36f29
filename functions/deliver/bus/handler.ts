import { openObjects } from '#every-call'
import { stackNames, targetOf, variable } from '../../adapters/environment.ts'
import { handedOverBodies } from '../../adapters/handed-over-bodies.ts'
import { leanBus } from '../../adapters/lean/bus.ts'
import { systemClock } from '../../adapters/system.ts'
import { consume } from '../../consume/consume.ts'
import type { BusTarget } from '../target.ts'
import { toBus } from '../to-bus.ts'

const delivery = {
  destination: variable('destination'),
  put: leanBus(),
  keep: handedOverBodies({ objects: openObjects() }, stackNames, systemClock),
}

/** From the queue of a destination to an EventBridge bus of the user's. */
export const handler = consume(toBus(delivery, targetOf<BusTarget>()))
