import type { AwsCalls } from '../../functions/adapters/wire/aws-calls.ts'

export type AwsService = 'dynamodb' | 'sqs' | 's3' | 'secrets-manager'

const CALLS_OF = {
  dynamodb: 'dynamo',
  sqs: 'queue',
  s3: 'objects',
  'secrets-manager': 'secrets',
} as const satisfies Record<AwsService, keyof AwsCalls>

export type Outages = ReturnType<typeof outages>

export const outages = () => {
  const away = new Map<AwsService, number>()
  const has = (service: AwsService): boolean => (away.get(service) ?? 0) > 0
  const count = (service: AwsService, by: number): void => void away.set(service, (away.get(service) ?? 0) + by)

  const failing = <Calls extends object>(service: AwsService, calls: Calls): Calls =>
    Object.fromEntries(
      Object.entries(calls).map(([name, call]) => [
        name,
        async (...given: unknown[]) => {
          if (has(service)) throw unreachable(service)
          return call(...given)
        },
      ]),
    ) as Calls

  return {
    has,
    /** Every call to the service fails until what it returns is called. */
    begin(service: AwsService): () => void {
      if (!Object.hasOwn(CALLS_OF, service)) {
        throw new TypeError(`"${service}" is not a service: expected one of ${Object.keys(CALLS_OF).join(', ')}`)
      }
      count(service, 1)
      let ended = false
      return () => {
        if (!ended) count(service, -1)
        ended = true
      }
    },
    /** The same calls, which fail while their service is away. */
    over: (aws: AwsCalls): AwsCalls => ({
      ...aws,
      dynamo: failing('dynamodb', aws.dynamo),
      queue: failing('sqs', aws.queue),
      objects: failing('s3', aws.objects),
      secrets: failing('secrets-manager', aws.secrets),
    }),
  }
}

const unreachable = (service: AwsService): Error =>
  Object.assign(new Error(`${service} is away`), { name: 'ServiceUnavailable' })
