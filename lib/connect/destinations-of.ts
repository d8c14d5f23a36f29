import type { DestinationOutput } from '../../functions/contract/outputs.ts'
import type { Connection } from './connection.ts'

/** What an operator looks at of a destination. */
export type SeenDestination = Pick<DestinationOutput, 'queueUrl' | 'deadLettersUrl'> & Partial<DestinationOutput>

/** Those of a deployment by name, without the worker. An older stack has none. */
export const destinationsOf = (connection: Connection): Readonly<Record<string, SeenDestination>> => {
  if (connection.kind === 'aws') return JSON.parse(connection.outputs.destinations ?? '{}')
  const { destinations, destinationDeadLetters } = connection.instance.resources
  return Object.fromEntries(
    Object.entries(destinations).map(([name, queueUrl]) => [
      name,
      { queueUrl, deadLettersUrl: destinationDeadLetters[name] ?? '' },
    ]),
  )
}
