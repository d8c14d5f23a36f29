import type { AwsCalls } from '../../../functions/adapters/wire/aws-calls.ts'
import type { Queried, Query } from '../../../functions/adapters/wire/dynamo-calls.ts'
import { NAMES } from '../watch-writes.ts'

/** Asks the world for something, by the name of a call at the wire. */
export type Ask = (method: string, ...given: readonly unknown[]) => Promise<unknown>

/** The calls that the programs of a search make; what nobody may make is not there. */
type Asked = Readonly<Record<keyof Omit<AwsCalls, 'prime'>, object>>

/** AWS as one process of the search sees it: every call is a question, and the search decides when and how it is answered. */
export const askingAws = (ask: Ask): AwsCalls => {
  const asking = (method: string) => (given: unknown) => ask(method, given)
  const asked: Asked = {
    dynamo: {
      putItem: asking('putItem'),
      updateItem: asking('updateItem'),
      getItem: asking('getItem'),
      transactWriteItems: asking('transactWriteItems'),
      batchGetItem: asking('batchGetItem'),
      query: together(queries => ask('query', queries) as Promise<readonly Queried[]>),
    },
    queue: {
      sendMessage: asking('sendMessage'),
      deleteMessages: (url: string, receipts: readonly string[]) => ask('deleteMessages', url, receipts),
    },
    objects: {},
    secrets: { getSecret: async (id: string) => ({ text: SECRET_TEXTS[id], version: '1', createdAt: null }) },
  }
  return asked as unknown as AwsCalls
}

/** Queries that are made at once are one step: of the sixteen shards only that of the one event ever holds something. */
const together = (ask: (queries: readonly Query[]) => Promise<readonly Queried[]>) => {
  let waiting: Query[] = []
  let answers: Promise<readonly Queried[]> | undefined
  return async (query: Query): Promise<Queried | undefined> => {
    const place = waiting.push(query) - 1
    answers ??= Promise.resolve().then(() => {
      const queries = waiting
      waiting = []
      answers = undefined
      return ask(queries)
    })
    return (await answers)[place]
  }
}

export const SECRETS = { stripe: ['whsec_search'], github: ['github-search'] } as const

/** They answer at once: nothing of the search changes them, and without them nothing is touched. */
const SECRET_TEXTS: Readonly<Record<string, string>> = {
  [NAMES.signingSecrets]: JSON.stringify(SECRETS),
  [NAMES.fingerprintKey]: 'searched-key',
}
