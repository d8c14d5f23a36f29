import type { Status } from '../../functions/contract/status.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { Letter, TestAnswer } from './deliver.ts'
import type { Place } from './place.ts'
import type { HandlerCall } from './run-worker.ts'

/** An event that a test has sent. It is read anew each time: after `advance`, it says what has become of it. */
export interface TestEvent {
  /** What the sender was told; null if the delivery was not accepted. */
  readonly id: string | null
  /** The sender's own id. */
  readonly eventId: string
  readonly source: string
  readonly type: string | null
  /** null: there is no record of it. */
  readonly status: Status | null
  /** How often the handler was called in this generation. */
  readonly attempts: number
  readonly generation: number
  /** What the handler threw last, while the event is not done. */
  readonly lastError: string | null
  /** What the handler said that ignored it. */
  readonly ignoredBecause: string | null
  /** The first one. */
  readonly answer: TestAnswer
  /** One for each delivery of it, in order. */
  readonly answers: readonly TestAnswer[]
  /** The calls of the handler with it, of every generation. */
  readonly calls: readonly HandlerCall[]
}

/** What the receiver knows of the event besides, to send it again. */
export interface Sent {
  readonly letter: Letter
  readonly answers: TestAnswer[]
}

export const testEvent = (place: Place, { letter, answers }: Sent, calls: readonly HandlerCall[]): TestEvent => {
  const told = answers.map(({ body }) => idIn(body)).find(id => id !== undefined)
  const record = (): EventRecord | undefined =>
    place
      .records()
      .find(({ fingerprint, source, eventId }) =>
        told === undefined ? source === letter.source.name && eventId === letter.id : fingerprint === told,
      )
  return {
    get id() {
      return told ?? record()?.fingerprint ?? null
    },
    get eventId() {
      return record()?.eventId ?? letter.id
    },
    source: letter.source.name,
    get type() {
      return record()?.type ?? null
    },
    get status() {
      return record()?.status ?? null
    },
    get attempts() {
      return record()?.attempts ?? 0
    },
    get generation() {
      return record()?.generation ?? 0
    },
    get lastError() {
      return record()?.lastError ?? null
    },
    get ignoredBecause() {
      return record()?.ignoredBecause ?? null
    },
    get answer() {
      return answers[0] as TestAnswer
    },
    answers,
    get calls() {
      const id = record()?.fingerprint
      return calls.filter(call => call.id === id)
    },
  }
}

/** Of a delivery with several events, the first. */
const idIn = (body: unknown): string | undefined => {
  const said = body as { readonly id?: string; readonly ids?: readonly string[] } | null
  return said?.id ?? said?.ids?.[0]
}
