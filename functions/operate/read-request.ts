import { OVER_STATUSES } from '../contract/status.ts'
import type { CallerProof } from '../domain/caller-proof.ts'
import { parseJson } from '../domain/parse-json.ts'
import { isCount, isDigest } from '../domain/read-message.ts'
import type { NewComparison } from '../domain/reconciler.ts'
import type { AcceptOrder, EraseOrder, ReplayOrder } from './acts.ts'
import type { CompareOrder } from './compare-sent.ts'
import type { PauseOrder, ResumeOrder } from './pause.ts'
import { type EraseJobRequest, type JobRequest, MOST_RATE } from './start-job.ts'

/** What an operator wants done. */
export type Command =
  | ({ readonly act: 'replay' } & ReplayOrder)
  | ({ readonly act: 'start-job' } & JobRequest)
  | ({ readonly act: 'erase' } & EraseOrder)
  | ({ readonly act: 'start-erase' } & EraseJobRequest)
  | { readonly act: 'run-job' | 'run-erase' | 'cancel-job'; readonly job: string }
  | { readonly act: 'verify'; readonly source: string; readonly key: string }
  | ({ readonly act: 'accept' } & AcceptOrder)
  | ({ readonly act: 'pause' } & PauseOrder)
  | ({ readonly act: 'resume' } & ResumeOrder)
  | ({ readonly act: 'compare-sent' } & CompareOrder)
  | ({ readonly act: 'note-comparison' } & NewComparison)

/** Acts that the operate function does only if it is called by its alias for them. */
export const ERASES: ReadonlySet<Command['act']> = new Set<Command['act']>(['erase', 'start-erase', 'run-erase'])

/** What the operate function is called with. The command is text, since its hash is what was signed. */
export interface OperateRequest {
  readonly command: string
  readonly proof: CallerProof
}

export type Asked =
  | { readonly kind: 'asked'; readonly command: Command; readonly request: OperateRequest }
  | { readonly kind: 'malformed'; readonly why: string }

/** Whoever may invoke the function may send anything: only the fields that are named here are looked at. */
export const readRequest = (payload: unknown): Asked => {
  const request = picked<OperateRequest>(payload, REQUEST)
  if (typeof request === 'string') return malformed(request)
  const parsed = parseJson(request.command)
  const act = isObject(parsed) ? parsed.act : undefined
  if (!isAct(act)) return malformed('act')
  const asked = picked<Command>(parsed, COMMANDS[act])
  return typeof asked === 'string'
    ? malformed(asked)
    : { kind: 'asked', command: { ...asked, act } as Command, request }
}

/** Of a reason, in characters: it is stored with the event. */
export const MOST_REASON = 500

/** Of the sentence that says why a list was not read to its end. */
export const MOST_WHY = 1_000

/** Of an API key, and of a cursor. */
const MOST_KEY = 8_192

const malformed = (field: string): Asked => ({
  kind: 'malformed',
  why: `"${field}" is missing or not what it should be: this command line may be of another version than the stack`,
})

type Is = (value: unknown) => boolean
type Shape = Readonly<Record<string, Is>>

/** The fields of a shape, or the name of the first that is wrong. */
const picked = <Whole>(value: unknown, shape: Shape): Whole | string => {
  const given = isObject(value) ? value : {}
  const wrong = Object.entries(shape).find(([name, is]) => !is(given[name]))
  if (wrong) return wrong[0]
  return Object.fromEntries(Object.keys(shape).map(name => [name, given[name]])) as Whole
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isName: Is = value => typeof value === 'string' && value !== '' && value.length <= 300
const isReason: Is = value => typeof value === 'string' && value.trim() !== '' && value.length <= MOST_REASON
const isTexts = (value: unknown, most: number): boolean =>
  Array.isArray(value) && value.length <= most && value.every(isName)
const optional =
  (is: Is): Is =>
  value =>
    value === undefined || is(value)

const FILTER = {
  source: optional(isName),
  status: optional(value => OVER_STATUSES.some(each => each === value)),
  type: optional(isName),
  from: isCount,
  until: isCount,
} satisfies Shape

const isRate: Is = value => isCount(value) && (value as number) >= 1 && (value as number) <= MOST_RATE

const COMMANDS = {
  replay: {
    id: isDigest,
    generation: optional(isCount),
    onlyFailed: value => typeof value === 'boolean',
    to: optional(isName),
    reason: isReason,
  },
  'start-job': {
    filter: value => typeof picked(value, FILTER) === 'object',
    reason: isReason,
    expected: isCount,
    rate: optional(isRate),
  },
  'run-job': { job: isName },
  erase: { id: isDigest, reason: isReason },
  'start-erase': { source: isName, before: isCount, reason: isReason, expected: isCount, rate: optional(isRate) },
  'run-erase': { job: isName },
  'cancel-job': { job: isName },
  verify: { source: isName, key: isName },
  accept: { source: isName, key: isName, reason: isReason },
  pause: { destination: isName, reason: isReason, span: optional(value => isCount(value) && (value as number) > 0) },
  resume: { destination: isName, reason: isReason },
  // Neither an account nor a host: those of a stack are the ones it was deployed with.
  'compare-sent': {
    source: isName,
    apiKey: value => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) && value.length <= MOST_KEY,
    since: isCount,
    until: optional(isCount),
    types: value => isTexts(value, 100),
    after: value => value === null || (typeof value === 'string' && value !== '' && value.length <= MOST_KEY),
    url: isName,
    rate: value => typeof value === 'number' && value > 0 && value <= MOST_RATE,
    reason: optional(isReason),
    except: value => isTexts(value, 1_000),
  },
  'note-comparison': {
    source: isName,
    since: isCount,
    until: isCount,
    why: value => value === null || (typeof value === 'string' && value.length <= MOST_WHY),
    listed: isCount,
    known: isCount,
    missing: isCount,
    taken: isCount,
    redelivered: isCount,
    unknown: isCount,
  },
} satisfies Record<Command['act'], Shape>

const REQUEST = {
  command: value => typeof value === 'string',
  proof: value =>
    isObject(value) &&
    typeof value.authorization === 'string' &&
    typeof value.date === 'string' &&
    optional(token => typeof token === 'string')(value.token),
} satisfies Shape

const isAct = (value: unknown): value is Command['act'] => typeof value === 'string' && Object.hasOwn(COMMANDS, value)
