import type { QueueMessage, ReceivedMessage } from '../../../functions/adapters/wire/queue-calls.ts'
import type { Message } from '../../../functions/contract/message.ts'
import type { Fingerprint } from '../../../functions/domain/brands.ts'
import type { Outcome } from '../../../functions/domain/outcome.ts'
import type { EventRecord } from '../../../functions/domain/record.ts'
import { reply } from '../../../functions/receive/reply.ts'
import type { Ledger } from '../ledger.ts'
import { type Answer, type Call, type Local, Locals, type Observation } from './local.ts'
import type { Program } from './programs.ts'
import { type Applied, ledgerOf, processOf, type Shared, sharedStates } from './shared-state.ts'

/** A state of the shared world by its number: the same number, the same state. */
export type SharedId = number

export interface Moved {
  readonly shared: SharedId
  readonly answer: Answer
}

export interface Handed {
  readonly shared: SharedId
  readonly message: ReceivedMessage | undefined
}

/** The steps of the search, each computed once; every invariant is checked at each. */
export class Machine {
  readonly locals = new Locals()
  readonly #states: Shared[] = []
  readonly #numbers = new Map<string, SharedId>()
  readonly #answers = new Map<string, Answer>()
  readonly #applied = new Map<string, { readonly moved: Moved; readonly violations: readonly string[] }>()
  readonly #handed = new Map<string, Handed>()
  readonly #without = new Map<string, SharedId>()
  readonly #judged = new Set<string>()
  checks = 0
  /** Set by a step that broke an invariant. */
  broken: string[] = []

  readonly #world = sharedStates()

  state(id: SharedId): Shared {
    return this.#states[id] as Shared
  }

  async first(): Promise<SharedId> {
    return this.#number(await this.#world.first())
  }

  #number(shared: Shared): SharedId {
    const text = `${shared.key} ${JSON.stringify(shared.remembered)}`
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    this.#numbers.set(text, this.#states.length)
    return this.#states.push(shared) - 1
  }

  /** The state without what the invariants remember of one process. */
  without(before: SharedId, name: string): SharedId {
    const key = `${before} ${name}`
    const known = this.#without.get(key)
    if (known !== undefined) return known
    const state = this.state(before)
    const others = (names: readonly string[]): string[] => names.filter(each => !each.startsWith(`${name} `))
    const { owners, senders, sends, ...kept } = state.remembered
    const remembered = {
      ...kept,
      owners: others(owners),
      senders: others(senders),
      sends: sends.filter(([place]) => !place.startsWith(`${name}.`)),
    }
    const after = this.#number({ ...state, remembered })
    this.#without.set(key, after)
    return after
  }

  apply(before: SharedId, call: Call, now: number, handling: boolean): Moved {
    const key = `${before} ${call.id} ${now} ${handling}`
    const { moved, violations } = this.#applied.get(key) ?? this.#apply(key, before, call, now, handling)
    this.broken.push(...violations)
    return moved
  }

  #apply(key: string, before: SharedId, call: Call, now: number, handling: boolean) {
    const { shared, value, violations, checks } = this.#world.apply(this.state(before), call, now, handling)
    this.checks += checks
    const applied = { moved: { shared: this.#number(shared), answer: this.#answer(value) }, violations }
    this.#applied.set(key, applied)
    return applied
  }

  /** A message is handed out, if it can be. */
  receive(before: SharedId, queueUrl: string, id: string, now: number): Handed {
    const key = `${before} ${queueUrl} ${id} ${now}`
    const known = this.#handed.get(key)
    if (known) return known
    const { shared, message } = this.#world.receive(this.state(before), queueUrl, id, now)
    const handed = { shared: this.#number(shared), message }
    this.#handed.set(key, handed)
    return handed
  }

  #answer(value: Applied['value']): Answer {
    const text = JSON.stringify(value) ?? 'nothing'
    const known = this.#answers.get(text)
    if (known) return known
    const answer = { id: String(this.#answers.size), kind: 'value', value } as const
    this.#answers.set(text, answer)
    return answer
  }

  start(program: Program, shared: SharedId, now: number): Local {
    const local = this.locals.start(program, now)
    this.#judge(local, shared, now)
    return local
  }

  observe(local: Local, seen: Observation, shared: SharedId, now: number): Local {
    const next = this.locals.observe(local, seen, now)
    this.#judge(next, shared, now)
    return next
  }

  /** What a process begins to do is judged by the world as it is at that moment. */
  #judge(local: Local, shared: SharedId, now: number): void {
    const key = `${local.id} ${shared} ${now}`
    if (this.#judged.has(key)) return
    const ledger = ledgerOf(this.state(shared), now)
    const process = processOf(local.program.name, local.handling)
    const recordOf = (id: string) => this.state(shared).records.find(({ fingerprint }) => fingerprint === id)
    if (local.began) ledger.handling(local.began as Fingerprint, process, recordOf(local.began))
    for (const { method, given } of local.issued) {
      if (method === 'sendMessage') {
        const message = JSON.parse((given[0] as QueueMessage).MessageBody) as Message
        ledger.sending(message, process, recordOf(message.id))
      }
      if (method === 'deleteMessages') this.#judgeDelete(ledger, this.state(shared), (given[1] as string[])[0])
    }
    this.#count(ledger.checks, ledger.violations)
    if (ledger.violations.length === 0) this.#judged.add(key)
  }

  #judgeDelete(ledger: Ledger, state: Shared, receipt: string | undefined): void {
    const text = [...state.queue, ...state.deadLetters].find(message => message.receipt === receipt)?.body
    if (text === undefined) return
    const message = JSON.parse(text) as Message
    const record = state.records.find(({ fingerprint }) => fingerprint === message.id)
    ledger.deleted(message, record, record !== undefined && isBodyKept(state, record))
  }

  /** A delivery was answered. True when its sender was told 2xx. */
  answered(outcome: Outcome, shared: SharedId, atClaim: EventRecord | undefined, now: number): boolean {
    const ledger = ledgerOf(this.state(shared), now)
    ledger.check('an honest delivery is never rejected', outcome.outcome !== 'rejected', () => JSON.stringify(outcome))
    if (outcome.outcome === 'accepted' || outcome.outcome === 'duplicate') {
      const record = this.state(shared).records.find(({ fingerprint }) => fingerprint === outcome.id)
      ledger.acknowledged(outcome.id, record, atClaim)
    }
    this.#count(ledger.checks, ledger.violations)
    return reply(outcome, 'c').status < 300
  }

  check(rule: string, holds: boolean, detail: () => string): void {
    this.#count(1, holds ? [] : [`${rule}: ${detail()}`])
  }

  #count(checks: number, violations: readonly string[]): void {
    this.checks += checks
    this.broken.push(...violations)
  }
}

export const isBodyKept = ({ bodies }: Shared, { fingerprint, bodyAt, bodySha256 }: EventRecord): boolean =>
  bodyAt !== null && bodies.some(body => body.fingerprint === fingerprint && body.sha256 === bodySha256)
