import type { SQSEvent } from 'aws-lambda'
import type { After } from '../../functions/consume/batch.ts'
import { consume } from '../../functions/consume/consume.ts'
import type { Handler } from '../../functions/consume/handle.ts'
import { WORKER_TIMEOUT_SECONDS } from '../../functions/contract/limits.ts'
import { ignoredBecause, type WebhookEvent } from '../../functions/domain/event.ts'
import type { Life } from './crashes.ts'
import { ENVIRONMENT, type Place } from './place.ts'

/** A call of the handler. */
export interface HandlerCall {
  /** Of the event: what its sender was told. */
  readonly id: string
  readonly eventId: string
  readonly source: string
  readonly type: string | null
  readonly generation: number
  readonly idempotencyKey: string
  /** 1 for the first try of its generation. */
  readonly attempt: number
  /** `running` until it ends; for ever if its worker died before. */
  readonly ended: 'running' | 'returned' | 'ignored' | 'threw'
  /** What it threw. */
  readonly error?: unknown
}

export interface Worker {
  readonly work: Handler
  readonly tries: number | undefined
  readonly calls: HandlerCall[]
}

/** The worker function with one batch, as Lambda runs it, in a life of its own. */
export const runWorker = async (place: Place, worker: Worker, event: SQSEvent, life: Life): Promise<unknown> => {
  const { tries } = worker
  const lambda = consume(watched(place, worker, life), {
    world: life.mortalWorld(place.world),
    environment: ENVIRONMENT,
    sources: Object.fromEntries(place.world.sources),
    write: line => void place.lines.push(line),
    after: inRealTime,
    ...(tries !== undefined && { tries }),
  })
  const remaining = WORKER_TIMEOUT_SECONDS * 1000
  return Promise.race([lambda(event, { getRemainingTimeInMillis: () => remaining }), life.death])
}

/** The handler, its calls noted, with the points at which its worker can be killed. */
const watched =
  ({ records }: Place, { work, calls }: Worker, life: Life): Handler =>
  async (event, tools) => {
    await life.passes('before-handler')
    const at = calls.push(callOf(event, records)) - 1
    const end = (how: Partial<HandlerCall>): void => {
      calls[at] = { ...(calls[at] as HandlerCall), ...how }
    }
    try {
      const said = await work(event, tools)
      end({ ended: ignoredBecause(said) === undefined ? 'returned' : 'ignored' })
      await life.passes('after-effect')
      return said
    } catch (error) {
      end({ ended: 'threw', error })
      throw error
    }
  }

const callOf = (event: WebhookEvent, records: Place['records']): HandlerCall => {
  const { id, eventId, source, type, generation, idempotencyKey } = event
  const attempt = records().find(({ fingerprint }) => fingerprint === id)?.attempts ?? 1
  return { id, eventId, source, type, generation, idempotencyKey, attempt, ended: 'running' }
}

/** A handler that hangs is given up in real time, and no dead worker keeps a test run alive. */
const inRealTime: After = (delay, act) => {
  const timer = setTimeout(act, delay).unref()
  return () => clearTimeout(timer)
}
