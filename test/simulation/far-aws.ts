import type { AwsCalls } from '../../functions/adapters/wire/aws-calls.ts'
import type { DynamoCalls, Transacted, Transaction } from '../../functions/adapters/wire/dynamo-calls.ts'
import type { BatchSent, QueueMessage, Sent } from '../../functions/adapters/wire/queue-calls.ts'
import type { Message } from '../../functions/contract/message.ts'
import { QUEUE } from '../../functions/contract/queues.ts'
import type { Fingerprint } from '../../functions/domain/brands.ts'
import { NOT_NAMED } from './answer-http.ts'
import { bodyEndsAt } from './body-ends.ts'
import { checkRefusal } from './check-refusal.ts'
import { type Described, describeCall } from './describe-call.ts'
import { type Process, THROTTLED } from './faults.ts'
import type { Service } from './ingredients.ts'
import type { Rig } from './rig.ts'
import { vanishAround } from './vanish.ts'
import { NAMES } from './watch-writes.ts'

/** AWS as one process sees it: every call it makes is at the far end of a wire that can fail. */
export const farAws = (rig: Rig, process: Process): AwsCalls => {
  const { aws } = rig
  const plain =
    <Given extends readonly unknown[], Answer>(service: Service, name: string, call: (...given: Given) => Answer) =>
    (...given: Given): Promise<Answer> =>
      rig.remote({ process, name, service, apply: () => call(...given) })
  return {
    dynamo: farDynamo(rig, process),
    queue: {
      sendMessage: message => send(rig, process, message),
      sendMessageBatch: (url, entries) => sendBatch(rig, process, url, entries),
      receiveMessages: plain('sqs', 'receiveMessages', url => aws.queue.receiveMessages(url)),
      deleteMessages: plain('sqs', 'deleteMessages', aws.queue.deleteMessages),
      changeVisibility: plain('sqs', 'changeVisibility', aws.queue.changeVisibility),
      queueState: plain('sqs', 'queueState', aws.queue.queueState),
    },
    objects: {
      putNew: plain('s3', 'putNew', aws.objects.putNew),
      put: plain('s3', 'put', aws.objects.put),
      list: plain('s3', 'list', aws.objects.list),
      get: (bucket, key) => {
        const forbidden = rig.isUnreadable(key)
        return rig.remote({ process, name: 'get', service: 's3', forbidden, apply: () => aws.objects.get(bucket, key) })
      },
    },
    secrets: {
      getSecret: plain('secretsmanager', 'getSecret', aws.secrets.getSecret),
      putPendingSecret: plain('secretsmanager', 'putPendingSecret', aws.secrets.putPendingSecret),
      makeSecretCurrent: plain('secretsmanager', 'makeSecretCurrent', aws.secrets.makeSecretCurrent),
    },
    prime: async () => {},
  }
}

/** What is said of an event first when it is on the queue: its guard is to last as long as it does. */
const SETTLING: ReadonlySet<string> = new Set(['settle', 'guard'])

const farDynamo = (rig: Rig, process: Process): DynamoCalls => {
  const { dynamo } = rig.aws
  const far =
    <Given, Answer>(method: string, call: (given: Given) => Answer) =>
    (given: Given): Promise<Answer> => {
      const described = describeCall(method, given)
      if (SETTLING.has(described.name)) rig.ledger.settling(process, rig.isLean)
      if (described.name === 'guard') process.guarded.add(String(described.moves?.Item?.guards))
      const vanishing = vanishAround(rig, described)
      const apply = (): Answer => {
        const answer = call(given)
        vanishing.after()
        if ((answer as { kind?: string }).kind === 'condition-failed') refused(rig, described)
        return answer
      }
      const { name, fence } = described
      const answer = rig.remote({ process, service: 'dynamodb', name, fence, apply })
      heardOfTry(rig.isLean, process, described, answer)
      return heard(process, described, answer)
    }
  const query = far('query', dynamo.query)
  const batchGetItem = far('batchGetItem', dynamo.batchGetItem)
  return {
    putItem: far('putItem', dynamo.putItem),
    updateItem: far('updateItem', dynamo.updateItem),
    getItem: given => {
      const described = describeCall('getItem', given)
      rig.ledger.check('what is decided by is read as it is', given.ConsistentRead === true, () => described.name)
      const forbidden = described.name === 'getItem body' && rig.isUnreadable(String(given.Key.fingerprint))
      return rig.remote({ process, service: 'dynamodb', forbidden, ...described, apply: () => dynamo.getItem(given) })
    },
    batchGetItem: asked => {
      // Recovery looks at what it finds before it takes it over.
      const mayLag = process.kind === 'recover'
      rig.ledger.check(
        'what is decided by is read as it is',
        mayLag || asked.ConsistentRead === true,
        () => process.name,
      )
      return batchGetItem(asked)
    },
    // Fifteen of recovery's sixteen shards hold nothing: those answer at once, and only what holds something can fail.
    query: asked =>
      rig.everListed(asked.ExpressionAttributeValues[':partition']) ? query(asked) : Promise.resolve(NOTHING_LISTED),
    transactWriteItems: transaction => transact(rig, process, transaction),
  }
}

/** Whose take got no answer gives the try back: the handler is not called. */
const heardOfTry = (isLean: boolean, process: Process, { name, moves }: Described, answer: Promise<unknown>): void => {
  const id = String((moves?.Key ?? moves?.Item)?.fingerprint)
  if (name === 'giveBack') process.tries.set(id, 'given back')
  if (name !== 'take' && name !== 'recreate') return
  // A client may still be repeating what its caller has given up, and given back.
  if (isLean && process.tries.get(id) === 'given back') return
  process.tries.set(id, 'asked for')
  const told = (now: 'taken' | 'unanswered'): void => {
    if (process.tries.get(id) === 'asked for') process.tries.set(id, now)
  }
  void answer.then(
    said => (said as { kind?: string }).kind === 'written' && told('taken'),
    () => told('unanswered'),
  )
}

/** Whose settlement got no answer, or found another owner, has to note where the body is. */
const heard = <Answer>(process: Process, { name, moves }: Described, answer: Promise<Answer>): Promise<Answer> => {
  const id = String(moves?.Key?.fingerprint)
  if (name === 'noteBody') process.unsettled.delete(id)
  if (name === 'settle' && moves?.ExpressionAttributeValues?.[':bodyAt'] !== undefined) {
    process.unsettled.add(id)
    const settled = (said: unknown): void => {
      if ((said as { kind?: string }).kind === 'written') process.unsettled.delete(id)
    }
    void answer.then(settled, () => {})
  }
  return answer
}

const refused = ({ ledger, records }: Rig, described: Described): void => {
  const { Key, Item } = described.moves ?? {}
  const id = String((Key ?? Item)?.fingerprint) as Fingerprint
  checkRefusal((...given) => ledger.check(...given), described, records.get(id))
}

const NOTHING_LISTED = { items: [], lastKey: undefined } as const

/** How often two transactions meet at one item, while there are faults: DynamoDB may then refuse both. */
const CONFLICTS = 0.1
/** And how often they meet again: both come back after the same pause. */
const CONFLICTS_AGAIN = 0.6
const met = new WeakSet<Process>()

const transact = (rig: Rig, process: Process, transaction: Transaction): Promise<Transacted> => {
  const described = describeCall('transactWriteItems', transaction)
  vanishAround(rig, described)
  const apply = (): Transacted => {
    if (rig.fails(met.has(process) ? CONFLICTS_AGAIN : CONFLICTS)) {
      met.add(process)
      return conflict(transaction)
    }
    const answer = rig.aws.dynamo.transactWriteItems(transaction)
    if (described.name === 'replay' && answer.kind === 'written') checkAudit(rig, described)
    if (answer.kind === 'cancelled') refused(rig, described)
    return answer
  }
  return rig.remote({ process, service: 'dynamodb', ...described, apply })
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
  const sending = rig.remote<Sent>({
    process,
    name: 'sendMessage',
    service: 'sqs',
    apply: () => {
      const sent = rig.aws.queue.sendMessage(message)
      if (sent.kind === 'sent') rig.ledger.enqueued(said, process)
      rig.wake()
      return sent
    },
    refused: () => ({ kind: 'refused', error: THROTTLED }),
  })
  noteConfirmed(rig, process, [said], sending)
  return sending
}

/** Events of one delivery may go to several queues: who has heard of one still has to wait for the other. */
const noteConfirmed = (
  { timeline }: Rig,
  process: Process,
  said: readonly Message[],
  sending: Promise<Sent | BatchSent>,
): void => {
  for (const message of said) process.sending.set(nameOf(message), sending)
  // Nobody waits for a worker that makes copies.
  if (process.handling.size > 0) return
  const over = (isSent: boolean): void => {
    // A client that has begun again does not hear the answer to its try before.
    if (said.some(message => process.sending.get(nameOf(message)) !== sending)) return
    if (isSent || process.confirmedAt !== undefined) process.confirmedAt = timeline.now
  }
  void sending.then(
    ({ kind }) => over(kind === 'sent'),
    () => over(false),
  )
}

/** How often SQS fails one message of a batch, while there are faults. */
const FAILED_ENTRIES = 0.05

type Entry = Omit<QueueMessage, 'QueueUrl'>

/** SQS answers for each message: some of a batch may fail, and that is certain only of a first attempt. */
const sendBatch = (rig: Rig, process: Process, url: string, entries: readonly Entry[]): Promise<BatchSent> => {
  const said = entries.map(entry => begin(rig, process, { QueueUrl: url, ...entry }))
  const apply = (attempt: 1 | 2): BatchSent => {
    const failed = someFail(rig, entries.length, attempt)
    const unsaid = halfIsMissing(rig, entries.length)
    const places = [...entries.keys()].filter(place => !failed.has(place))
    for (const place of places) rig.ledger.enqueued(said[place] as Message, process)
    const taken = places.map(place => entries[place] as Entry)
    if (taken.length > 0) rig.aws.queue.sendMessageBatch(url, taken)
    rig.wake()
    return { kind: 'sent', failed: new Map([...failed, ...unsaid]) }
  }
  const refused = (): BatchSent => ({ kind: 'refused', error: THROTTLED })
  const sending = rig.remote({ process, name: 'sendMessageBatch', service: 'sqs', apply, refused })
  noteConfirmed(rig, process, said, sending)
  return sending
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

/** An answer that has a word for the first half only: they were all sent, and nobody can know. */
const halfIsMissing = (rig: Rig, count: number): Failed => {
  if (!rig.ingredients.malformed || !rig.fails(0.3)) return new Map()
  const half = Array.from({ length: Math.floor(count / 2) }, (_, place) => count - 1 - place)
  // Of a single message nothing is missing.
  if (half.length > 0) rig.count('malformedAnswers')
  return new Map(half.map(place => [place, { cause: NOT_NAMED, certain: false }]))
}

/** As long as SQS keeps it. Its body was kept before it was sent, by somebody else's clock perhaps, and an outage may lie between. */
const checkPointer = ({ ledger, aws, timeline }: Rig, { id, copyOf = id, eventId, body }: Message): void => {
  if (body.encoding !== 'pointer') return
  const left = bodyEndsAt(aws, { owner: copyOf, sha256: body.sha256, at: body.at }) - timeline.now / 1000
  ledger.check(
    'S8 what a message points to is kept as long as the message',
    left >= QUEUE.retentionSeconds,
    () => `${eventId}: ${Math.floor(left / 3_600)} hours, at ${body.at}`,
  )
}

const begin = (rig: Rig, process: Process, sending: QueueMessage): Message => {
  const { ledger, records } = rig
  const message = JSON.parse(sending.MessageBody) as Message
  const record = records.get(message.id as Fingerprint)
  checkPointer(rig, message)
  // A client's own repeat begins nothing.
  if (!process.sending.has(nameOf(message))) ledger.sending(message, process, record)
  ledger.copies.sending(sending, message, record, process)
  return message
}

const nameOf = ({ id, generation }: Message): string => `${id}/${generation}`
