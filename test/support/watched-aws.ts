import type { AwsCalls } from '../../functions/adapters/wire/aws-calls.ts'
import { SEVERAL } from '../../functions/contract/queues.ts'
import { HOOKLATCH_RESOURCES, MEMORY_NAMES } from '../../lib/memory-aws/hooklatch-resources.ts'
import { memoryAws } from '../../lib/memory-aws/memory-aws.ts'
import { NOON } from './events.ts'
import { memoryDestinations } from './memory-destinations.ts'
import { allStores } from './stores.ts'

type Dynamo = AwsCalls['dynamo']
type Instead = { readonly [Call in keyof Dynamo]?: (real: Dynamo[Call]) => Dynamo[Call] }

const { urls, queues } = memoryDestinations(['billing', 'crm', SEVERAL])
const NAMES = { ...MEMORY_NAMES, destinations: urls }

/** The stores on a memory AWS that remembers what it was asked, and on the same one with some calls of the table replaced. */
export const watchedAws = () => {
  const resources = { ...HOOKLATCH_RESOURCES, queues: { ...HOOKLATCH_RESOURCES.queues, ...queues } }
  const memory = memoryAws({ ...resources, now: () => NOON })
  const asked: { readonly call: keyof Dynamo; readonly input: Readonly<Record<string, unknown>> }[] = []
  const watched = (dynamo: Dynamo): Dynamo =>
    Object.fromEntries(
      Object.entries(dynamo).map(([call, make]) => [
        call,
        (input: never) => {
          asked.push({ call: call as keyof Dynamo, input })
          return make(input)
        },
      ]),
    ) as unknown as Dynamo
  const replaced = (instead: Instead): Dynamo => {
    const { dynamo } = memory.aws
    const made = Object.entries(instead).map(([call, make]) => [
      call,
      (make as (real: unknown) => unknown)(dynamo[call as keyof Dynamo]),
    ])
    return { ...dynamo, ...Object.fromEntries(made) }
  }
  return {
    aws: memory.aws,
    memory,
    names: NAMES,
    stores: allStores({ ...memory.aws, dynamo: watched(memory.aws.dynamo) }, NAMES),
    storesWith: (instead: Instead) => allStores({ ...memory.aws, dynamo: watched(replaced(instead)) }, NAMES),
    asked,
    /** How often each call was made since the last time somebody asked. */
    counted: (call: keyof Dynamo): number => {
      const count = asked.filter(each => each.call === call).length
      asked.length = 0
      return count
    },
  }
}

/** A call that is lost on its way there. */
export const lost = () => async (): Promise<never> => {
  throw new Error('no answer')
}

/** A call that is made, and whose answer is lost on its way back. */
export const madeAndLost =
  <Input>(real: (input: Input) => Promise<unknown>) =>
  async (input: Input): Promise<never> => {
    await real(input)
    throw new Error('no answer')
  }
