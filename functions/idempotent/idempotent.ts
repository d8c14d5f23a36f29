import type { MiddlewareObj } from '@middy/core'
import type { Context } from 'aws-lambda'
import type { GatewayEvent } from '../adapters/api-gateway.ts'
import { AUTHORIZER_CALLERS, callerByAuthorizer } from '../adapters/authorizer-callers.ts'
import { fromAnswer, toAnswer, toRequest, withHeaders } from '../adapters/gateway-answers.ts'
import { randomFence, systemClock } from '../adapters/system.ts'
import type { AnswerStore } from '../domain/answers.ts'
import { type Millis, millis } from '../domain/brands.ts'
import { type Duration, durationSeconds } from '../domain/duration.ts'
import type { HttpAnswer } from '../domain/http.ts'
import type { BodyStore, Clock, FenceMaker } from '../domain/ports.ts'
import { type Begun, begin, type Owned } from './begin.ts'
import { type EndedWhen, onEarlyAnswer } from './early-answers.ts'
import { finish, giveBack, type HandlerState } from './finish.ts'
import { expiresHeader } from './reply.ts'
import type { AnswerWorld, Note, Rules } from './rules.ts'

export interface IdempotentOptions {
  /** Where claims and answers are: `createAnswerStore(...)`. */
  readonly store: AnswerStore
  /** For answers over 4 KB. @default - up to 300 KB with the claim; what is larger is answered once, and 410 after that */
  readonly bodies?: BodyStore
  readonly scope?: {
    /** Never a client's header unless you write that yourself. @default - whichever authorizer there is: IAM, JWT or API key */
    readonly caller?: keyof typeof AUTHORIZER_CALLERS | ((event: GatewayEvent) => string | undefined)
    /** What a key is for. @default - method and path, as called */
    readonly operation?: (event: GatewayEvent) => string
  }
  /** How long an answer is replayed. @default '1d' */
  readonly ttl?: Duration
  /** Others pass untouched. @default ['POST', 'PATCH'] */
  readonly methods?: readonly string[]
  /** `false`: a request without a key runs as if there were no middleware. @default true */
  readonly required?: boolean
  /** `canonical`: JSON is the same whatever its key order and white space. @default 'raw' */
  readonly payload?: Rules['payload']
  /** Which answers are kept; any other gives the key back. @default - all but 5xx */
  readonly stores?: Rules['stores']
  /** @default ['content-type', 'location', 'etag'] */
  readonly storedHeaders?: readonly string[]
  /** `refuse` is a 503; `run` may run a request twice, and says so to `onNote`. @default 'refuse' */
  readonly whenStoreFails?: Rules['whenStoreFails']
  /** How far clocks may differ: added to the time Lambda has left. @default 5000 */
  readonly skewMillis?: number
  /**
   * Only under middy: how long before the end it may answer in the handler's place (its `timeoutEarlyInMillis`, if there is a
   * `timeoutEarlyResponse`). With no more time left than this, an answer may not be the handler's own: it is given and not kept,
   * and the key stays taken until the function has surely ended. 0: middy gives no such answer. @default 1000
   */
  readonly earlyAnswerMillis?: number
  /** The page that problems link to. @default - the IETF draft */
  readonly documentation?: string
  /** @default - nobody is told */
  readonly onNote?: (note: Note) => void
  readonly now?: Clock
  readonly newFence?: FenceMaker
}

/** For the handler: who it acts for. */
export interface Idempotency {
  readonly key: string
  /** Hand this to the next API: the same for every try of this caller, operation and key. */
  readonly downstreamKey: string
  /** A try before this one died or failed, and may have acted: look before you act again. */
  readonly tookOver: boolean
}

type MiddyRequest = Parameters<NonNullable<MiddlewareObj<GatewayEvent>['before']>>[0]

type Handler<Event, Result> = (event: Event, context: Context, idempotency: Idempotency | undefined) => Promise<Result>

/** Around one handler. */
export const idempotently = <Event extends GatewayEvent, Result>(
  options: IdempotentOptions,
  handler: Handler<Event, Result>,
): ((event: Event, context: Context) => Promise<Result>) => {
  const guard = guardOf(options)
  return async (event, context) => {
    const begun = await guard.begin(event, context)
    if (begun.kind === 'answered') return fromAnswer(begun.answer) as Result
    if (begun.kind === 'unguarded') return handler(event, context, undefined)
    let response: Result
    try {
      response = await handler(event, context, idempotencyOf(begun))
    } catch (error) {
      await guard.giveBack(begun)
      throw error
    }
    return (await guard.finish(event, begun, response, 'ended')) as Result
  }
}

/** The same for middy. First in the chain, so it sees the answer that an error handler makes of an error. */
export const idempotent = (options: IdempotentOptions): MiddlewareObj<GatewayEvent> => {
  const guard = guardOf(options)
  const owned = new WeakMap<object, Owned>()
  const handlerOf = handlerStates(options.earlyAnswerMillis ?? EARLY_ANSWER_MS)

  const concluded = async (request: MiddyRequest, answer: unknown): Promise<unknown> => {
    const begun = owned.get(request)
    return begun ? guard.finish(request.event, begun, answer, handlerOf(request)) : answer
  }
  const conclude = async (request: MiddyRequest): Promise<void> => {
    request.response = await concluded(request, request.response)
  }
  /** The handler was not asked, or has been: then what is said in its place is the answer to the key. */
  const cutShort = async (request: MiddyRequest, answer: unknown, when: EndedWhen): Promise<unknown> => {
    const begun = owned.get(request)
    if (when !== 'before' || !begun) return concluded(request, answer)
    await guard.giveBack(begun)
    return answer
  }
  return {
    before: async request => {
      const begun = await guard.begin(request.event, request.context)
      if (begun.kind === 'answered') return fromAnswer(begun.answer)
      if (begun.kind === 'owned') {
        owned.set(request, begun)
        onEarlyAnswer(request, (answer, when) => cutShort(request, answer, when))
        Object.assign(request.context, { idempotency: idempotencyOf(begun) })
      }
      return undefined
    },
    after: conclude,
    onError: async request => {
      const begun = owned.get(request)
      if (!begun || request.response !== undefined) return conclude(request)
      if (handlerOf(request) === 'ended') await guard.giveBack(begun)
    },
  }
}

const MIDDY = '@middy/core'

const isEarlyTimeout = (error: Error | null | undefined): boolean =>
  error?.name === 'TimeoutError' && (error.cause as { readonly package?: string } | undefined)?.package === MIDDY

const EARLY_ANSWER_MS = 1_000
/** Timers may fire a moment too soon. */
const TIMER_SLACK_MS = 10

/** It may go on when Lambda thaws it: then the lease is all that keeps others away. */
const handlerStates =
  (earlyAnswerMillis: number) =>
  ({ context, error }: MiddyRequest): HandlerState => {
    const remaining = (context as Partial<Context>).getRemainingTimeInMillis?.() ?? LAMBDA_AT_MOST_MS
    const early = earlyAnswerMillis > 0 && remaining <= earlyAnswerMillis + TIMER_SLACK_MS
    return isEarlyTimeout(error) || early ? 'may-run' : 'ended'
  }

const idempotencyOf = ({ key, claim, tookOver }: Owned): Idempotency => ({
  key,
  downstreamKey: claim.fingerprint,
  tookOver,
})

const guardOf = (options: IdempotentOptions) => {
  const world = worldOf(options)
  const rules = rulesOf(options)
  const { methods = ['POST', 'PATCH'], scope = {}, skewMillis = 5_000 } = options
  const { operation, caller = callerByAuthorizer } = scope
  const readCaller = typeof caller === 'function' ? caller : AUTHORIZER_CALLERS[caller]

  return {
    begin: async (event: GatewayEvent, context: Context): Promise<Begun> => {
      const request = toRequest(event)
      if (!methods.includes(request.method)) return { kind: 'unguarded' }
      return begin(world, rules, {
        request,
        caller: readCaller(event),
        operation: operation?.(event) ?? `${request.method} ${request.path}`,
        lease: leaseOf(context, skewMillis),
      })
    },
    finish: async (event: GatewayEvent, begun: Owned, response: unknown, handler: HandlerState): Promise<unknown> => {
      const finished = await finish(world, rules, begun, () => toAnswer(event, response), handler)
      if (finished.kind === 'instead') return fromAnswer(finished.answer)
      return finished.expiresAt === null ? response : withHeaders(event, response, expiresHeader(finished.expiresAt))
    },
    giveBack: (begun: Owned) => giveBack(world, begun),
  }
}

/** A handler is stopped when Lambda's time is up; by then, and by no clock's mistake, nobody else has begun. */
const leaseOf = (context: Partial<Context>, skewMillis: number): Millis =>
  millis((context.getRemainingTimeInMillis?.() ?? LAMBDA_AT_MOST_MS) + skewMillis)

const LAMBDA_AT_MOST_MS = 900_000

const worldOf = ({ store, bodies, onNote, now, newFence }: IdempotentOptions): AnswerWorld => ({
  store,
  bodies: bodies ?? null,
  now: now ?? systemClock,
  newFence: newFence ?? randomFence,
  note: note => {
    try {
      onNote?.(note)
    } catch {
      // What becomes of an answer does not depend on who is told of it.
    }
  },
})

const rulesOf = (options: IdempotentOptions): Rules => ({
  ttl: durationSeconds(options.ttl ?? '1d'),
  required: options.required ?? true,
  payload: options.payload ?? 'raw',
  stores: options.stores ?? isNoServerError,
  storedHeaders: (options.storedHeaders ?? ['content-type', 'location', 'etag']).map(name => name.toLowerCase()),
  whenStoreFails: options.whenStoreFails ?? 'refuse',
  documentation: options.documentation ?? IETF_DRAFT,
})

const isNoServerError = ({ status }: HttpAnswer): boolean => status < 500

const IETF_DRAFT = 'https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/'
