import { httpsKeys } from '../../functions/adapters/https-keys.ts'
import { senderHttp } from '../../functions/adapters/sender-http.ts'
import { randomFence, systemPause } from '../../functions/adapters/system.ts'
import { RECEIVE_LEASE_MS } from '../../functions/contract/limits.ts'
import { SEVERAL } from '../../functions/contract/queues.ts'
import { millis } from '../../functions/domain/brands.ts'
import { WORKER } from '../../functions/domain/destinations.ts'
import type { Source } from '../../functions/domain/source.ts'
import { type Acts, actsOf } from '../../functions/operate/acts.ts'
import { cloudwatchLines } from '../operator/cloudwatch-lines.ts'
import { messagesIn } from '../operator/dead-letters.ts'
import type { LineSource } from '../operator/line-source.ts'
import { type Operator, openOperator } from '../operator/open-operator.ts'
import type { Showing } from '../operator/show.ts'
import { connect } from './connect.ts'
import type { Connection, LocalConnection, Target } from './connection.ts'
import { destinationsOf } from './destinations-of.ts'
import { fileLines } from './file-lines.ts'
import { fileSecrets } from './file-secrets.ts'
import { unknownSource } from './find-source.ts'
import { fingerprintKeyOf } from './fingerprint-key.ts'
import { functionActs } from './function-acts.ts'
import { loadSources } from './load-sources.ts'
import { isRefusal, type Refusal } from './refusal.ts'

/** The operator at the deployment that the flags name, if it has the source that is meant. */
export const operate = async (target: Target, source?: string): Promise<Operator | Refusal> => {
  const connection = await connect(target)
  const operator = isRefusal(connection) ? connection : await operatorOf(connection)
  return isRefusal(operator) ? operator : (unknownSource(operator.sources, source) ?? operator)
}

/** Everything an operator can do at the other end of a connection. Asks AWS who it is that acts. */
export const operatorOf = async (connection: Connection): Promise<Operator | Refusal> => {
  const sources = await loadSources(connection.sourceFile)
  if (isRefusal(sources)) return sources
  const { stores, now, resources, aws } = connection
  const { deadLettersUrl, orderedDeadLettersUrl } = resources
  const further = Object.values(destinationsOf(connection))
  const letters = [deadLettersUrl, orderedDeadLettersUrl, ...further.map(each => each.deadLettersUrl)]
  const actor = await connection.actor()
  return openOperator({
    ...stores,
    now,
    sources,
    signing: connection.secrets,
    takesEffect: connection.kind === 'local' ? 'at once' : 'within five minutes',
    lines: linesOf(connection),
    itemOf: connection.kind === 'local' ? itemsOf(connection) : undefined,
    deadLetterQueues: { waiting: () => messagesIn(aws.queue, letters) },
    actor,
    acts: connection.kind === 'local' ? localActs(connection, sources, actor) : functionActs(connection.ask),
  })
}

/** The user's own items, as they are now. JSON has no sets and no bytes: a list, and base64. */
const itemsOf =
  ({ aws }: Connection): NonNullable<Showing['itemOf']> =>
  async ({ table, key }) => {
    const item = await aws.dynamo.getItem({ TableName: table, Key: key, ConsistentRead: true })
    return item === undefined ? null : JSON.parse(JSON.stringify(item, plainly))
  }

const plainly = (_name: string, value: unknown): unknown => {
  if (value instanceof Set) return [...value]
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
}

/** On a laptop there is no function in between: everything is its user's. */
const localActs = (
  { environment, stores, now, instance }: LocalConnection,
  sources: ReadonlyMap<string, Source>,
  actor: string,
): Acts =>
  actsOf(
    {
      ...stores,
      environment,
      sources,
      secrets: fileSecrets(instance.secretsFile, fingerprintKeyOf(instance), now),
      keys: httpsKeys(now),
      http: senderHttp,
      // What polls a queue here looks at the record itself.
      mappings: {
        names: [WORKER, ...Object.keys(instance.resources.destinations).filter(name => name !== SEVERAL)],
        enable: async () => false,
      },
      now,
      newFence: randomFence,
      pause: systemPause,
      leaseMillis: millis(RECEIVE_LEASE_MS),
    },
    actor,
  )

/** The functions' own lines. */
export const linesOf = (connection: Connection): LineSource => {
  if (connection.kind === 'local') return fileLines(connection.instance.deliveries)
  const { receiveLogs, publishLogs, workerLogs, buryLogs, fanOutLogs } = connection.outputs
  const further = Object.values(destinationsOf(connection)).map(({ logs }) => logs)
  const groups = [receiveLogs, publishLogs, workerLogs, buryLogs, fanOutLogs, ...further].filter(
    group => group !== undefined,
  )
  return groups.length > 0 ? cloudwatchLines(connection.cloud.logs, groups) : olderStack(connection.name)
}

/** Silence would look like an event that nobody ever delivered. */
const olderStack = (name: string): LineSource => ({
  // biome-ignore lint/correctness/useYield: it has nothing to yield
  lines: async function* () {
    throw new Error(
      `The stack ${name} was deployed by an older version, which does not say where its logs are: deploy it again.`,
    )
  },
})
