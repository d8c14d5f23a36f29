import sources, { openKeys } from '#resolved'
import { optionalVariable, stackNames, variable } from '../adapters/environment.ts'
import { secretsManagerSecrets } from '../adapters/secrets-manager-secrets.ts'
import { storesOver } from '../adapters/stores.ts'
import { randomFence, systemClock, systemPause } from '../adapters/system.ts'
import type { ReceiverCalls } from '../adapters/wire/aws-calls.ts'
import { RECEIVE_LEASE_MS } from '../contract/limits.ts'
import { millis } from '../domain/brands.ts'
import type { Receiving } from '../domain/world.ts'
import { boundedKeeping } from './bounded-keeping.ts'
import { RECEIVER_STORES } from './receiver-stores.ts'

const STORES = { ...RECEIVER_STORES, secrets: secretsManagerSecrets } as const

/** The world as the stack made it, from the variables it set. */
export const receiverWorld = (aws: ReceiverCalls): Receiving => {
  const { deliveries, ...stores } = storesOver(aws, stackNames, STORES, systemClock)
  return {
    ...stores,
    environment: variable('environment'),
    domain: optionalVariable('domain'),
    sources,
    ...(openKeys && { keys: openKeys(systemClock) }),
    deliveries: boundedKeeping(deliveries, systemClock),
    now: systemClock,
    newFence: randomFence,
    pause: systemPause,
    leaseMillis: millis(RECEIVE_LEASE_MS),
  }
}
