import type { ReceiverCalls } from '../wire/aws-calls.ts'
import { type Caller, callerOf, type Settings } from './caller.ts'
import { leanDynamo } from './dynamo.ts'
import type { Service } from './endpoint.ts'
import { exchange } from './exchange.ts'
import { leanObjects } from './objects.ts'
import { leanQueue } from './queue.ts'
import { leanSecrets } from './secrets.ts'

/** The same patience as the SDK's clients have here (../sdk/clients.ts); the early timeout covers what the deadline does not. */
const DEFAULTS: Settings = {
  env: process.env,
  now: Date.now,
  random: Math.random,
  patience: { connect: 1_000, answer: 2_500 },
  attempts: 3,
  deadline: 6_000,
  connections: 50,
  exchange,
  pause: delay => new Promise(resolve => void setTimeout(resolve, delay)),
  // Not performance.now(): its module takes 2 ms to load.
  elapsed: () => process.uptime() * 1000,
}

/** The few calls that a receiver makes, without the SDK: a tenth of its code, a third of its time. */
export const openAws = (settings: Partial<Settings> = {}): ReceiverCalls => {
  const dynamo = serviceOf('dynamodb', settings)
  const queue = serviceOf('sqs', settings)
  return {
    dynamo: leanDynamo(dynamo),
    queue: leanQueue(queue),
    objects: leanObjects(serviceOf('s3', settings)),
    secrets: leanSecrets(serviceOf('secretsmanager', settings)),
    prime: async () => void (await Promise.all([dynamo.connect(), queue.connect()])),
  }
}

export const serviceOf = (service: Service, settings: Partial<Settings>): Caller =>
  callerOf(service, { ...DEFAULTS, ...settings })
