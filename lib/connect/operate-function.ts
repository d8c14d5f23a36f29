import { serviceOf } from '../../functions/adapters/lean/aws.ts'
import type { Answered } from '../../functions/adapters/lean/caller.ts'
import type { Credentials } from '../../functions/adapters/lean/credentials.ts'
import { ConnectionFault } from '../../functions/adapters/lean/exchange.ts'
import { readFault } from '../../functions/adapters/lean/json-protocol.ts'
import { systemClock } from '../../functions/adapters/system.ts'
import { OPERATE_TIMEOUT_SECONDS } from '../../functions/contract/limits.ts'
import { ERASE_ALIAS } from '../../functions/contract/outputs.ts'
import { unavailable } from '../../functions/domain/fault.ts'
import type { Unavailable } from '../../functions/domain/ports.ts'
import type { OperateReply } from '../../functions/operate/operate.ts'
import { type Command, ERASES, type OperateRequest } from '../../functions/operate/read-request.ts'
import { proveCaller } from './prove-caller.ts'

export interface OperateFunction {
  /** Absent from a stack of an older version. */
  readonly name: string | undefined
  readonly stack: string
  readonly region: string
  readonly credentials: () => Promise<Credentials>
}

/** Has the stack do something, in the caller's own name. What it refuses, and what AWS refuses, is thrown as a sentence. */
export type Ask = <Answer>(command: Command) => Promise<Answer | Unavailable>

/** Longer than the function may take. It is called once: whether a call that broke off was carried out is not known. */
const PATIENCE = { connect: 5_000, answer: (OPERATE_TIMEOUT_SECONDS + 10) * 1_000 }

export const operateFunction =
  ({ name, stack, region, credentials }: OperateFunction): Ask =>
  async <Answer>(command: Command): Promise<Answer | Unavailable> => {
    if (name === undefined) {
      throw new Error(
        `The stack ${stack} was deployed by an older version, which has no operate function: deploy it again.`,
      )
    }
    const own = await credentials()
    const text = JSON.stringify(command)
    const payload: OperateRequest = { command: text, proof: proveCaller(text, region, own, systemClock()) }
    const lambda = serviceOf('lambda', { env: environmentOf(region, own), patience: PATIENCE, attempts: 1 })
    try {
      const path = `/2015-03-31/functions/${name}/invocations`
      const headers = { 'content-type': 'application/json' }
      const query = ERASES.has(command.act) ? `Qualifier=${ERASE_ALIAS}` : ''
      const answer = await lambda.call({ path, query, headers, body: JSON.stringify(payload), readFault })
      return readReply<Answer>(answer, stack)
    } catch (error) {
      if (error instanceof ConnectionFault) return unavailable(error)
      throw error
    }
  }

const environmentOf = (region: string, { accessKeyId, secretAccessKey, sessionToken }: Credentials) => ({
  ...process.env,
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
  AWS_SESSION_TOKEN: sessionToken,
})

const readReply = <Answer>({ answer }: Answered, stack: string): Answer | Unavailable => {
  const reply = JSON.parse(answer.body.toString('utf8')) as OperateReply & { readonly errorMessage?: string }
  if (answer.headers['x-amz-function-error'] !== undefined) {
    return { kind: 'unavailable', cause: `the operate function failed: ${reply.errorMessage ?? 'see its log'}` }
  }
  if (reply.kind === 'refused') throw new Error(`The stack ${stack} did nothing: ${reply.why}.`)
  return reply.answer as Answer
}
