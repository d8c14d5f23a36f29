import { openAws } from '../../functions/adapters/lean/every-call.ts'
import { ConnectionFault, type Exchange, type Incoming, type Outgoing } from '../../functions/adapters/lean/exchange.ts'
import type { AwsCalls } from '../../functions/adapters/wire/aws-calls.ts'
import { answerHttp, fault, json } from './answer-http.ts'
import { objectFault } from './answer-object.ts'
import { checkSigned } from './check-signed.ts'
import type { Process } from './faults.ts'
import type { Rig } from './rig.ts'
import { STILL } from './timeline.ts'

const ENV = { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'AKIASIMULATED', AWS_SECRET_ACCESS_KEY: 'simulated' }

/** The client that ships, with its signatures, repeats and parsing: only the network, its timers and its chance are ours. */
export const leanAws = (rig: Rig, process: Process, far: AwsCalls): AwsCalls => {
  const { timeline, luck } = rig
  const lean = openAws({
    env: ENV,
    now: () => timeline.now + process.skew,
    random: luck.next,
    exchange: exchangeWith(rig, process, far),
    pause: delay =>
      new Promise(resolve => {
        timeline.after(delay, () => (process.alive ? resolve(undefined) : STILL))
      }),
    elapsed: () => timeline.now,
  })
  // Fifteen of recovery's sixteen shards hold nothing: those answer at once, as at the wire.
  const query: AwsCalls['dynamo']['query'] = asked =>
    rig.everListed(asked.ExpressionAttributeValues[':partition']) ? lean.dynamo.query(asked) : far.dynamo.query(asked)
  return { ...lean, dynamo: { ...lean.dynamo, query } }
}

const exchangeWith =
  (rig: Rig, process: Process, far: AwsCalls): Exchange =>
  (outgoing, { answer: patience }) => {
    checkSigned(rig, outgoing)
    const isObject = outgoing.headers['x-amz-target'] === undefined
    const answered =
      (isObject ? conflicting(rig, process, outgoing) : swallowed(rig, outgoing)) ?? answerHttp(far, outgoing)
    return new Promise((resolve, reject) => {
      let isOver = false
      rig.timeline.after(patience, () => {
        if (isOver || !process.alive) return STILL
        // Until now it waited for this queue, and for nothing else.
        if (isSend(outgoing) && process.confirmedAt !== undefined) process.confirmedAt = rig.timeline.now
        return reject(LATE)
      })
      answered
        .catch((error): Incoming => faultOf(error, isObject))
        .then(resolve, reject)
        .finally(() => {
          isOver = true
        })
    })
  }

const isSend = ({ headers }: Pick<Outgoing, 'headers'>): boolean =>
  headers['x-amz-target']?.startsWith('AmazonSQS.SendMessage') === true

// Made once: an error costs more than most of what it ends.
const LATE = new ConnectionFault('TimeoutError', 'simulated: late', false)

/** Something between us and the queue says that all is well, and has passed nothing on: a receipt of another text, or none. */
const swallowed = (rig: Rig, { headers, body }: Outgoing): Promise<Incoming> | undefined => {
  if (!isSend({ headers }) || !rig.ingredients.malformed || !rig.failing || !rig.apart.happens(0.2)) return undefined
  rig.count('malformedAnswers')
  const { Entries = [] } = JSON.parse(String(body)) as { Entries?: readonly { readonly Id: string }[] }
  const MD5OfMessageBody = 'd41d8cd98f00b204e9800998ecf8427e'
  const Successful = Entries.map(({ Id }) => ({ Id, MD5OfMessageBody }))
  return Promise.resolve(json(200, rig.apart.happens(0.5) ? {} : { MD5OfMessageBody, Successful }))
}

/** How often two writers of one object meet, while there are faults: S3 then decides for neither. */
const CONFLICTS = 0.1

const conflicting = (rig: Rig, { conflicts }: Process, { method, path, headers, body }: Outgoing) => {
  // One byte is what a body is overwritten with.
  if (method !== 'PUT' || body.length === 1) return undefined
  const isNew = headers['if-none-match'] === '*'
  rig.ledger.check('an object is written over only if one was found there', isNew || conflicts.has(path), () => path)
  if (!isNew) return undefined
  // Only a first attempt is sure to have another.
  const meets = !conflicts.has(path) && rig.failing && rig.apart.happens(CONFLICTS)
  conflicts.set(path, meets ? 'met' : 'repeated')
  if (!meets) return undefined
  return Promise.resolve(objectFault(409, 'ConditionalRequestConflict'))
}

/** What the wire throws, as a service or a connection says it. */
const faultOf = (error: Error, isObject: boolean): Incoming => {
  switch (error.name) {
    case 'ThrottlingException':
      return isObject ? objectFault(503, 'SlowDown') : fault(error.name)
    case 'AccessDeniedException':
      return isObject ? objectFault(403, 'AccessDenied') : fault(error.name)
    case 'ServiceUnavailable':
      return { status: 503, headers: {}, body: Buffer.from('<html>') }
    case 'SyntaxError':
      // S3 says how long an answer is: half of one is a broken connection.
      if (isObject) throw new ConnectionFault('ECONNRESET', 'simulated', false)
      return { status: 200, headers: {}, body: Buffer.from('<html>') }
    default:
      throw new ConnectionFault(error.name, error.message, false)
  }
}
