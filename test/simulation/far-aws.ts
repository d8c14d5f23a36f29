import type { AwsCalls } from '../../functions/adapters/wire/aws-calls.ts'
import type { DynamoCalls, Transacted, Transaction } from '../../functions/adapters/wire/dynamo-calls.ts'
import type { BatchSent, QueueMessage, Sent } from '../../functions/adapters/wire/queue-calls.ts'
import type { Message } from '../../functions/contract/message.ts'
import type { Fingerprint } from '../../functions/domain/brands.ts'
import { type Described, describeCall } from './describe-call.ts'
import { type Process, THROTTLED } from './faults.ts'
import type { Rig } from './rig.ts'
import { NAMES } from './watch-writes.ts'

/** AWS as one process sees it: every call it makes is at the far end of a wire that can fail. */
export const farAws = (rig: Rig, process: Process): AwsCalls => {
  const { aws } = rig
  const plain =
    <Given extends readonly unknown[], Answer>(name: string, call: (...given: Given) => Answer) =>
    (...given: Given): Promise<Answer> =>
      rig.remote({ process, name, apply: () => call(...given) })
  return {
    dynamo: farDynamo(rig, process),
    queue: {
      sendMessage: message => send(rig, process, message),
      sendMessageBatch: (url, entries) => sendBatch(rig, process, url, entries),
      receiveMessages: plain('receiveMessages', url => aws.queue.receiveMessages(url)),
      deleteMessages: plain('deleteMessages', aws.queue.deleteMessages),
      changeVisibility: plain('changeVisibility', aws.queue.changeVisibility),
      queueState: plain('queueState', aws.queue.queueState),
    },
    objects: { putNew: plain('putNew', aws.objects.putNew), get: plain('get', aws.objects.get) },
    secrets: {
      getSecret: plain('getSecret', aws.secrets.getSecret),
      putPendingSecret: plain('putPendingSecret', aws.secrets.putPendingSecret),
      makeSecretCurrent: plain('makeSecretCurrent', aws.secrets.makeSecretCurrent),
    },
    prime: async () => {},
  }
}

const farDynamo = (rig: Rig, process: Process): DynamoCalls => {
  const { dynamo } = rig.aws
  const far =
    <Given, Answer>(method: string, call: (given: Given) => Answer) =>
    (given: Given): Promise<Answer> =>
      rig.remote({ process, ...describeCall(method, given), apply: () => call(given) })
  const query = far('query', dynamo.query)
  return {
    putItem: far('putItem', dynamo.putItem),
    updateItem: far('updateItem', dynamo.updateItem),
    getItem: far('getItem', dynamo.getItem),
    batchGetItem: far('batchGetItem', dynamo.batchGetItem),
    // Fifteen of recovery's sixteen shards hold nothing: those answer at once, and only what holds something can fail.
    query: asked =>
      rig.everListed(asked.ExpressionAttributeValues[':partition']) ? query(asked) : Promise.resolve(NOTHING_LISTED),
    transactWriteItems: transaction => transact(rig, process, transaction),
  }
}

const NOTHING_LISTED = { items: [], lastKey: undefined } as const

/** How often two transactions meet at one item, while there are faults: DynamoDB may then refuse both. */
const CONFLICTS = 0.1

const transact = (rig: Rig, process: Process, transaction: Transaction): Promise<Transacted> => {
  const described = describeCall('transactWriteItems', transaction)
  const apply = (): Transacted => {
    if (rig.fails(CONFLICTS)) return conflict(transaction)
    const answer = rig.aws.dynamo.transactWriteItems(transaction)
    if (described.name === 'replay' && answer.kind === 'written') checkAudit(rig, described)
    return answer
  }
  return rig.remote({ process, ...described, apply })
}

const conflict = ({ TransactItems }: Transaction): Transacted => ({
  kind: 'cancelled',
  reasons: TransactItems.map(() => ({ code: 'TransactionConflict', item: undefined })),
  error: CONFLICT,
})

const CONFLICT = Object.assign(new Error('simulated conflict'), { name: 'TransactionCanceledException' })

const checkAudit = ({ aws, ledger }: Rig, { moves }: Described): void => {
  const id = String(moves?.Key?.fingerprint)
  const generation = Number(moves?.ExpressionAttributeValues?.[':generation'])
  const audit = aws.items(NAMES.eventsTable).find(item => item.of === id && item.generation === generation)
  ledger.generations.noted(id, generation, audit)
}

const send = (rig: Rig, process: Process, message: QueueMessage): Promise<Sent> => {
  const said = begin(rig, process, message)
  return rig.remote<Sent>({
    process,
    name: 'sendMessage',
    apply: () => {
      const sent = rig.aws.queue.sendMessage(message)
      if (sent.kind === 'sent') rig.ledger.enqueued(said, process)
      return sent
    },
    refused: () => ({ kind: 'refused', error: THROTTLED }),
  })
}

/** How often SQS fails one message of a batch, while there are faults. */
const FAILED_ENTRIES = 0.05

type Entry = Omit<QueueMessage, 'QueueUrl'>

/** SQS answers for each message: some of a batch may fail, and that is certain only of a first attempt. */
const sendBatch = (rig: Rig, process: Process, url: string, entries: readonly Entry[]): Promise<BatchSent> => {
  const said = entries.map(entry => begin(rig, process, entry))
  const apply = (attempt: 1 | 2): BatchSent => {
    const failed = someFail(rig, entries.length, attempt)
    const places = [...entries.keys()].filter(place => !failed.has(place))
    for (const place of places) rig.ledger.enqueued(said[place] as Message, process)
    const taken = places.map(place => entries[place] as Entry)
    if (taken.length > 0) rig.aws.queue.sendMessageBatch(url, taken)
    return { kind: 'sent', failed }
  }
  const refused = (): BatchSent => ({ kind: 'refused', error: THROTTLED })
  return rig.remote({ process, name: 'sendMessageBatch', apply, refused })
}

type Failed = Extract<BatchSent, { kind: 'sent' }>['failed']

const someFail = (rig: Rig, count: number, attempt: 1 | 2): Failed => {
  const failed = new Map<number, { readonly cause: string; readonly certain: boolean }>()
  for (let place = 0; place < count; place++) {
    if (!rig.fails(FAILED_ENTRIES)) continue
    failed.set(place, { cause: 'simulated', certain: attempt === 1 && rig.luck.happens(0.5) })
  }
  return failed
}

const begin = ({ ledger, records }: Rig, process: Process, { MessageBody }: Entry): Message => {
  const message = JSON.parse(MessageBody) as Message
  ledger.sending(message, process, records.get(message.id as Fingerprint))
  return message
}
