import { createHash } from 'node:crypto'
import { type Fence, type Millis, millis } from '../../../functions/domain/brands.ts'
import { describeCall } from '../describe-call.ts'
import { missing } from './missing.ts'
import type { Program } from './programs.ts'

/** A remote call that a process has made. */
export interface Call {
  /** The same number for the same call of the same process, whatever led to it. */
  readonly id: number
  /** Counts the calls of one process. */
  readonly index: number
  readonly by: string
  readonly name: string
  readonly method: string
  readonly given: readonly unknown[]
}

export type Answer =
  | { readonly id: string; readonly kind: 'value'; readonly value: unknown }
  /** No answer came. */
  | { readonly id: 'lost'; readonly kind: 'lost' }
  /** It was certainly not carried out. */
  | { readonly id: 'refused'; readonly kind: 'refused' }

/** The only things that move a process: the answer to one of its calls, or its deadline. */
export type Observation = { readonly of: number; readonly answer: Answer } | { readonly of: 'deadline' }

/** Where a process stands. Two with the same observations at the same instants stand at the same place: nothing else moves them. */
export interface Local {
  readonly id: number
  readonly program: Program
  readonly history: readonly (Observation & { readonly now: number })[]
  readonly startedAt: number
  readonly pending: readonly Call[]
  /** What the last observation led to. */
  readonly issued: readonly Call[]
  readonly began: string | undefined
  readonly handling: boolean
  readonly ended: { readonly value: unknown } | undefined
}

const NO_ANSWER = Object.assign(new Error('searched: no answer'), { name: 'TimeoutError' })
const REFUSED = { kind: 'refused', error: new Error('searched') } as const

/** After every promise that is resolved: no verb waits for the event loop. */
const settled = (): Promise<void> => new Promise(resolve => process.nextTick(resolve))

/** The real verbs, each run once for every history it can have; a search meets the same histories millions of times. */
export class Locals {
  readonly #known = new Map<string, Local>()
  readonly #calls = new Map<string, number>()
  executions = 0

  start(program: Program, now: number): Local {
    const key = `${program.name} ${program.given ?? ''} ${now}`
    return this.#known.get(key) ?? missing(() => this.#execute(key, program, now, []))
  }

  observe(local: Local, seen: Observation, now: number): Local {
    const what = seen.of === 'deadline' ? 'deadline' : `${seen.of} ${seen.answer.id}`
    const key = `${local.id} ${what} ${now}`
    const known = this.#known.get(key)
    return (
      known ?? missing(() => this.#execute(key, local.program, local.startedAt, [...local.history, { ...seen, now }]))
    )
  }

  async #execute(key: string, program: Program, startedAt: number, history: Local['history']): Promise<void> {
    const instance = new Instance(program, startedAt)
    await settled()
    for (const { now, ...seen } of history) {
      instance.observe(seen, now)
      await settled()
    }
    const local: Local = {
      id: this.executions++,
      program,
      history,
      startedAt,
      ...instance.standing(call => this.#numbered(program.name, call)),
    }
    this.#known.set(key, local)
  }

  #numbered(by: string, call: Omit<Call, 'id' | 'by'>): Call {
    const key = `${by} ${call.index} ${call.method} ${JSON.stringify(call.given)}`
    const id = this.#calls.get(key) ?? this.#calls.size
    this.#calls.set(key, id)
    return { ...call, id, by }
  }
}

interface Issued {
  readonly index: number
  readonly method: string
  readonly given: readonly unknown[]
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: Error) => void
}

/** One run of a program, moved by what it is told to observe. */
class Instance {
  readonly #pending = new Map<number, Issued>()
  readonly #deadline = new AbortController()
  readonly #name: string
  #now: Millis
  #fences = 0
  #calls = 0
  #issuedBefore = 0
  #began: string | undefined
  #handling = false
  #ended: Local['ended']

  constructor(program: Program, startedAt: number) {
    this.#now = millis(startedAt)
    this.#name = program.name
    const me = {
      now: () => this.#now,
      newFence: () => fenceOf(this.#name, this.#fences++),
      signal: this.#deadline.signal,
      ask: (method: string, ...given: unknown[]) => this.#ask(method, given),
      handling: (id: string | undefined) => {
        this.#handling = id !== undefined
        if (id !== undefined) this.#began = id
      },
    }
    void program.run(me).then(
      value => {
        this.#ended = { value }
      },
      error => {
        this.#ended = { value: { threw: String(error) } }
      },
    )
  }

  #ask(method: string, given: readonly unknown[]): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const index = this.#calls++
    this.#pending.set(index, { index, method, given, resolve, reject })
    return promise
  }

  observe(seen: Observation, now: number): void {
    this.#now = millis(now)
    this.#issuedBefore = this.#calls
    this.#began = undefined
    if (seen.of === 'deadline') {
      this.#deadline.abort()
      return
    }
    const call = this.#pending.get(seen.of)
    if (!call) throw new Error(`${this.#name} was told about a call it did not make`)
    this.#pending.delete(seen.of)
    if (seen.answer.kind === 'value') call.resolve(seen.answer.value)
    else if (seen.answer.kind === 'refused') call.resolve(REFUSED)
    else call.reject(NO_ANSWER)
  }

  standing(
    numbered: (call: Omit<Call, 'id' | 'by'>) => Call,
  ): Pick<Local, 'pending' | 'issued' | 'began' | 'handling' | 'ended'> {
    const pending = [...this.#pending.values()].map(({ index, method, given }) =>
      numbered({ index, name: describeCall(method, given[0]).name, method, given }),
    )
    return {
      pending,
      issued: pending.filter(({ index }) => index >= this.#issuedBefore),
      began: this.#began,
      handling: this.#handling,
      ended: this.#ended,
    }
  }
}

const prefixOf = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 28)
const fenceOf = (name: string, index: number): Fence =>
  `${prefixOf(name)}${index.toString(16).padStart(4, '0')}` as Fence

/** A fence says who made it. */
export const madeBy = (name: string, fence: string): boolean => fence.startsWith(prefixOf(name))
