import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { handedOverBodies } from '../../functions/adapters/handed-over-bodies.ts'
import { httpsPost } from '../../functions/adapters/https-post.ts'
import { sqsHandOver } from '../../functions/adapters/sqs-hand-over.ts'
import { sqsVisibility } from '../../functions/adapters/sqs-visibility.ts'
import { type ConsumeHandler, consume } from '../../functions/consume/consume.ts'
import type { Handler } from '../../functions/consume/handle.ts'
import { FAN_OUT_TIMEOUT_SECONDS } from '../../functions/contract/limits.ts'
import { SEVERAL, SEVERAL_NAME } from '../../functions/contract/queues.ts'
import { toBus } from '../../functions/deliver/to-bus.ts'
import { toQueue } from '../../functions/deliver/to-queue.ts'
import { toUrl } from '../../functions/deliver/to-url.ts'
import { timingOf } from '../../functions/domain/destination-timing.ts'
import type { Destination, Destinations } from '../../functions/domain/destinations.ts'
import { Secret } from '../../functions/domain/secret.ts'
import type { Consuming, World } from '../../functions/domain/world.ts'
import { fanOut } from '../../functions/fan-out/fan-out.ts'
import type { FanningOut } from '../../functions/fan-out/make-copy.ts'
import type { Resources } from '../connect/instance.ts'
import type { LocalClients } from '../connect/local-clients.ts'
import { isRefusal, type Refusal } from '../connect/refusal.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { createQueue } from './create-queue.ts'
import { loadWorker } from './load-worker.ts'

/** What works for one destination. */
export interface DestinationConsumer {
  readonly name: string
  readonly handler: ConsumeHandler
  readonly timeoutSeconds: number
}

export interface DestinationPlace {
  readonly world: Consuming & FanningOut & World<'environment'>
  readonly resources: Resources
  readonly clients: Pick<LocalClients, 'aws' | 'creating'>
  readonly write: (line: string) => void
  readonly terminal: Pick<Terminal, 'out'>
  /** What the paths of workers begin at. */
  readonly directory: string
}

/** The functions that work for the destinations in AWS, on the local instance's world. There is no bus here: what it would get is printed. */
export const destinationConsumers = async (
  destinations: Destinations,
  place: DestinationPlace,
): Promise<readonly DestinationConsumer[] | Refusal> => {
  const opened: DestinationConsumer[] = []
  for (const [name, destination] of Object.entries(destinations)) {
    const work = await handlerOf(name, destination, place)
    if (isRefusal(work)) return work
    opened.push(consumerOf(name, destination, work, place))
  }
  return opened.length > 0 ? [...opened, fanOutConsumer(place)] : opened
}

/** Makes the copies of events with several destinations. */
const fanOutConsumer = ({ world, resources, clients, write }: DestinationPlace): DestinationConsumer => {
  const visibility = sqsVisibility(clients.aws, { queueUrl: resources.destinations[SEVERAL] ?? '' })
  const handler = consume(fanOut(world), {
    world: { ...world, visibility },
    environment: world.environment,
    destination: SEVERAL_NAME,
    sources: {},
    write,
  })
  return { name: SEVERAL, handler, timeoutSeconds: FAN_OUT_TIMEOUT_SECONDS }
}

/** All of it runs in one process, which has the whole rate for its share. */
const consumerOf = (
  name: string,
  destination: Destination,
  work: Handler,
  { world, resources, clients, write }: DestinationPlace,
): DestinationConsumer => {
  const { every, waits, timeoutSeconds } = timingOf(destination, 1)
  const queueUrl = resources.destinations[name] ?? ''
  const handler = consume(work, {
    world: { ...world, visibility: sqsVisibility(clients.aws, { queueUrl }) },
    environment: world.environment,
    destination: name,
    pace: { every, ...waits },
    ...(destination.tries !== undefined && { tries: destination.tries }),
    sources: Object.fromEntries(world.sources),
    write,
  })
  return { name, handler, timeoutSeconds }
}

const handlerOf = async (
  name: string,
  destination: Destination,
  { world, resources, clients, terminal, directory }: DestinationPlace,
): Promise<Handler | Refusal> => {
  if ('worker' in destination) return loadWorker(resolve(directory, destination.worker), line => terminal.out(line))
  if ('url' in destination) {
    const { url, privateAddresses = false } = destination
    const timeoutSeconds = timingOf(destination).answerSeconds
    const secret = async () => new Secret(localSecret(name))
    return toUrl({ now: world.now, secret, post: httpsPost }, { url, timeoutSeconds, privateAddresses, secret: name })
  }
  const keep = handedOverBodies(clients.aws, resources, world.now)
  if ('queue' in destination) {
    // An app of the user's may have it; a sample has not.
    const queueUrl = await createQueue(clients.creating, destination.queue, {})
    return toQueue({ destination: name, keep, send: sqsHandOver(clients.aws) }, { queueUrl })
  }
  const put = async (entry: object) => terminal.out(`${name} would get on its bus: ${JSON.stringify(entry)}`)
  return toBus({ destination: name, keep, put }, { bus: destination.bus })
}

/** The same at every start, and of no use anywhere else. */
export const localSecret = (name: string): string =>
  `whsec_${createHash('sha256').update(`hooklatch on a laptop: ${name}`).digest('base64')}`
