import { openAws } from '../../functions/adapters/lean/every-call.ts'
import { ConnectionFault, type Exchange, type Incoming } from '../../functions/adapters/lean/exchange.ts'
import type { AwsCalls } from '../../functions/adapters/wire/aws-calls.ts'
import { answerHttp, fault } from './answer-http.ts'
import { objectFault } from './answer-object.ts'
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
    checkSigned(rig, outgoing.headers)
    const isObject = outgoing.headers['x-amz-target'] === undefined
    const answered = answerHttp(far, outgoing).catch((error): Incoming => faultOf(error, isObject))
    return new Promise((resolve, reject) => {
      let isOver = false
      rig.timeline.after(patience, () => (isOver || !process.alive ? STILL : reject(LATE)))
      answered.then(resolve, reject).finally(() => {
        isOver = true
      })
    })
  }

// Made once: an error costs more than most of what it ends.
const LATE = new ConnectionFault('TimeoutError', 'simulated: late', false)

const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=AKIASIMULATED\/\d{8}\/eu-central-1\/\w+\/aws4_request, SignedHeaders=\S+, Signature=[0-9a-f]{64}$/

const checkSigned = ({ ledger }: Rig, { authorization = '' }: Readonly<Record<string, string>>): void =>
  ledger.check('every request is signed', SIGNED.test(authorization), () => authorization)

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
