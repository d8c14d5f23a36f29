import type { Message } from '../../functions/contract/message.ts'
import type { Source } from '../../functions/domain/source.ts'
import type { Service } from './ingredients.ts'
import type { Chance } from './random.ts'
import type { Leads } from './sim-destinations.ts'
import { STILL, type Timeline } from './timeline.ts'

/** What can become of one remote call. */
export const FAULTS = [
  'lost-request',
  'lost-answer',
  'late',
  'throttled',
  'slow',
  'sdk-retry',
  'sdk-retry-late',
  'malformed',
  'death-before',
  'death-after',
] as const

export type Fault = (typeof FAULTS)[number]

export interface Injected {
  readonly call: string
  readonly fault: Fault
}

/** One invocation of a function: it can die, and its clock is off by a little. */
export interface Process {
  /** Which function it is, or who. */
  readonly kind: string
  readonly name: string
  readonly skew: number
  alive: boolean
  /** The fences it made: it may show no other. */
  readonly fences: Set<string>
  /** When Lambda ends it, if its leases are to last until then. */
  endsAt?: number
  /** The events whose guards it has made to last. */
  readonly guarded: Set<string>
  /** The messages that it has begun to send, and the latest try of each. */
  readonly sending: Map<string, Promise<unknown>>
  /** The events that the user's code is at, in it. */
  readonly handling: Set<string>
  /** That it was handed. */
  messages: readonly Message[]
  /** The events whose settlement got no answer, and whose body it has not noted since. */
  readonly unsettled: Set<string>
  /** Of the events that it wanted to take: what it knows, and did, of the last try. */
  readonly tries: Map<string, 'asked for' | 'unanswered' | 'taken' | 'called' | 'given back'>
  /** Objects at which it met another writer, and whether it has tried again. */
  readonly conflicts: Map<string, 'met' | 'repeated'>
  /** As they were when it began. */
  sources?: ReadonlyMap<string, Source>
  /** It claims the bytes beside the event. */
  guards?: boolean
  /** Where events go, by the routes that it was deployed with. */
  leads?: Leads | undefined
  /** When it was last told that a message is on the queue, if it has not settled since. */
  confirmedAt?: number | undefined
}

export interface RemoteCall<Answer> {
  readonly process: Process
  readonly name: string
  /** @default one of the user's own */
  readonly service?: Service | undefined
  /** Nobody will ever be allowed to. */
  readonly forbidden?: boolean | undefined
  /** Carries the call out, once each time it is called; a client that sent it twice shows its caller the answer to the second. */
  readonly apply: (attempt: 1 | 2) => Answer
  /** What the caller is told when it was certainly not carried out. @default an error, like no answer at all */
  readonly refused?: (() => Answer) | undefined
}

export interface Wire {
  call<Answer>(call: RemoteCall<Answer>): Promise<Answer>
}

export interface WireLog {
  /** Every call, its fault and the moment: what a trace is made of. */
  note(process: Process, name: string, what: string): void
  count(name: string, fault: Fault): void
  /** False while faults are switched off, and for those that a shrunk run leaves out. */
  mayFail(index: number): boolean
  isDown(service: Service): boolean
  /** Answers with status 200 that are not what they should be. */
  readonly malformed: boolean
  /** Calls that fail ten times as often. */
  readonly often: ReadonlySet<string>
  /** What becomes of a call when it fails. @default any of the faults */
  readonly kinds: Readonly<Record<string, readonly Fault[]>>
}

/** Calls that few schedules make fail more often, so each of their faults is seen, too. */
const SELDOM: Readonly<Record<string, number>> = {
  park: 10,
  erase: 5,
  blankBody: 5,
  beginAnew: 10,
  claimIgnored: 6,
  notePause: 10,
  noteAct: 10,
  listSent: 5,
  'getItem pause': 10,
  enableMapping: 10,
  recreate: 10,
  recreateFailed: 10,
  get: 10,
  guard: 3,
  noteBody: 8,
  'getItem body': 6,
  release: 6,
  batchGetItem: 4,
  sendMessageBatch: 3,
  replay: 3,
  reopen: 3,
  'getItem event': 3,
  takeOver: 3,
  commit: 2,
  fail: 2,
}

/** Even these succeed now and then, so what follows them is seen as well. */
const MOST_OFTEN = 0.7

const CALLER_GIVES_UP_MS = 2_500

// Made once: an error costs more than most of what it ends.
const NO_ANSWER = Object.assign(new Error('simulated: no answer'), { name: 'TimeoutError' })
const FORBIDDEN = Object.assign(new Error('simulated'), { name: 'AccessDeniedException' })
const DOWN = Object.assign(new Error('simulated outage'), { name: 'ServiceUnavailable' })
const MALFORMED = Object.assign(new SyntaxError('simulated: the answer is not JSON'), { name: 'SyntaxError' })
export const THROTTLED = Object.assign(new Error('simulated'), { name: 'ThrottlingException' })

/** A promise of its own each time: one for all would keep everybody who ever waited for it. */
const never = (): Promise<never> => new Promise(() => {})

/** Every remote call of every process goes through here, and comes to what chance says. */
export const wire = (timeline: Timeline, luck: Chance, rate: number, log: WireLog): Wire => {
  let index = 0

  const chosen = (name: string): Fault | 'none' => {
    const fault = luck.happens(Math.min(MOST_OFTEN, rate * (SELDOM[name] ?? 1) * (log.often.has(name) ? 10 : 1)))
      ? luck.pick(log.kinds[name] ?? FAULTS)
      : 'none'
    if (fault === 'none' || !log.mayFail(index++) || (fault === 'malformed' && !log.malformed)) return 'none'
    log.count(name, fault)
    return fault
  }

  return {
    call: <Answer>({ process, name, service, forbidden, apply, refused }: RemoteCall<Answer>): Promise<Answer> => {
      if (!process.alive) return never()
      if (forbidden || (service && log.isDown(service))) {
        log.note(process, name, forbidden ? 'forbidden' : 'down')
        return new Promise((_, reject) => {
          timeline.after(luck.between(2, 40), () => (process.alive ? reject(forbidden ? FORBIDDEN : DOWN) : STILL))
        })
      }
      const fault = chosen(name)
      if (fault !== 'none') log.note(process, name, fault)
      const { promise, resolve, reject } = Promise.withResolvers<Answer>()
      const tell = (delay: number, say: () => void): void =>
        timeline.after(delay, () => (process.alive ? say() : STILL))
      const applyAfter = (delay: number, then: (value: Answer) => void = () => {}, attempt: 1 | 2 = 1): void =>
        timeline.after(delay, () => {
          log.note(process, name, 'applied')
          then(apply(attempt))
          return STILL
        })
      const answer = (delay: number) => (value: Answer) => tell(delay, () => resolve(value))
      const giveUp = (): void => tell(CALLER_GIVES_UP_MS, () => reject(NO_ANSWER))
      const there = luck.between(1, 20)
      const back = luck.between(1, 20)

      switch (fault) {
        case 'none':
          applyAfter(there, answer(back))
          break
        case 'slow':
          applyAfter(luck.between(100, 25_000), answer(luck.between(100, 25_000)))
          break
        case 'lost-request':
          giveUp()
          break
        case 'lost-answer':
          applyAfter(there)
          giveUp()
          break
        case 'late':
          giveUp()
          applyAfter(CALLER_GIVES_UP_MS + luck.between(1, 60_000))
          break
        case 'throttled':
          tell(there + back, () => (refused ? resolve(refused()) : reject(THROTTLED)))
          break
        case 'sdk-retry':
          applyAfter(there)
          applyAfter(there + luck.between(50, 3_000), answer(back), 2)
          break
        case 'sdk-retry-late':
          applyAfter(luck.between(100, 1_000), answer(back), 2)
          applyAfter(luck.between(1_000, 60_000))
          break
        case 'malformed':
          applyAfter(there)
          tell(there + back, () => reject(MALFORMED))
          break
        case 'death-before':
          process.alive = false
          break
        case 'death-after':
          applyAfter(there, () => {
            process.alive = false
          })
          break
      }
      return promise
    },
  }
}
