import type { Api } from '../../../lib/constructs/front.ts'
import type { Deployment } from '../deployment.ts'
import type { Outputs } from './cdk.ts'

/** Everything the suite needs to know of a stack is one of its outputs. */
export const fromOutputs = (
  outputs: Outputs,
  rest: Pick<Deployment, 'api' | 'region' | 'cli' | 'namesCallers' | 'keepsBytes' | 'credentials' | 'endpoints'> & {
    readonly api: Api
  },
  baseOf: (url: string) => string = url => url,
  service?: { readonly file: string },
): Deployment => {
  const output = (name: string): string => {
    const value = outputs[name]
    if (value === undefined) throw new Error(`The stack has no output ${name}.`)
    return value
  }
  return {
    ...rest,
    base: baseOf(output('UrlStripe').replace(/\/webhooks\/stripe$/, '')),
    publishBase: baseOf(output('UrlOrders').replace(/\/publish\/orders$/, '')),
    eventsTable: output('EventsTable'),
    bodiesTable: output('BodiesTable'),
    bodiesBucket: output('BodiesBucket'),
    queueUrl: output('QueueUrl'),
    orderedQueueUrl: output('OrderedQueueUrl'),
    deadLettersUrl: output('DeadLettersUrl'),
    orderedDeadLettersUrl: output('OrderedDeadLettersUrl'),
    ...(outputs.CrmQueueUrl !== undefined && {
      destinations: {
        crmUrl: outputs.CrmQueueUrl,
        onBusUrl: output('OnBusQueueUrl'),
        ...(service && { service: { file: service.file, secret: { id: output('LegacySecret') } } }),
      },
    }),
    secrets: { id: output('SigningSecrets') },
  }
}
