import { memoryBodies } from '../../../functions/adapters/memory-bodies.ts'
import { memoryEvents } from '../../../functions/adapters/memory-events.ts'
import { memoryRecovery } from '../../../functions/adapters/memory-recovery.ts'
import { memorySecrets } from '../../../functions/adapters/memory-secrets.ts'
import { memoryWork } from '../../../functions/adapters/memory-work.ts'
import { type BuryWorld, bury } from '../../../functions/bury/bury.ts'
import { isOver } from '../../../functions/consume/batch.ts'
import type { Handler } from '../../../functions/consume/handle.ts'
import { work } from '../../../functions/consume/work.ts'
import { type Fence, type Millis, millis } from '../../../functions/domain/brands.ts'
import { Unprocessable } from '../../../functions/domain/event.ts'
import { resolveSources } from '../../../functions/providers/sources.ts'
import { receive } from '../../../functions/receive/receive.ts'
import { recover } from '../../../functions/recover/recover.ts'
import type { RecoverWorld } from '../../../functions/recover/world.ts'
import { githubHeaders, simDelivery, stripeHeaders } from '../sim-delivery.ts'

/** What a process is given: everything it can learn of the world comes through here. */
export interface Me {
  readonly now: () => Millis
  readonly newFence: () => Fence
  readonly signal: AbortSignal
  readonly call: (name: string, ...parameters: unknown[]) => Promise<unknown>
  /** The user's code begins with an event, or is over. */
  readonly handling: (id: string | undefined) => void
}

export interface Program {
  /** No two processes of one search have the same. */
  readonly name: string
  /** What it was started with. @default '' nothing */
  readonly given?: string
  readonly run: (me: Me) => Promise<unknown>
}

/** One event, its sender, and what the user's code does with it. */
export interface Setup {
  readonly source: 'github' | 'stripe'
  readonly mode: 'effect' | 'commit' | 'unprocessable'
}

export const EVENT_ID = 'event-1'
export const BODY = `{ "id": "${EVENT_ID}", "type": "searched" }`
const SECRETS = { stripe: ['whsec_search'], github: ['github-search'] } as const
const WORKER_MS = 5_000

/** GitHub never comes again, so its body is stored first; Stripe's is kept for replay, beside the send. */
const SOURCES = resolveSources({ github: { provider: 'github' }, stripe: { provider: 'stripe', retain: '7d' } })

export const delivery = (name: string, { source }: Setup): Program => ({
  name,
  run: me => {
    const now = me.now()
    const headers =
      source === 'stripe'
        ? stripeHeaders(BODY, SECRETS.stripe[0], now)
        : githubHeaders(EVENT_ID, BODY, SECRETS.github[0])
    return receive(worldOf(me), simDelivery({ source, body: BODY, now, headers }))
  },
})

export const recovery = (name: string): Program => ({ name, run: me => recover(worldOf(me)) })

export interface Taken {
  readonly id: string
  readonly text: string
  readonly receives: number
}

export const consumer = (name: string, setup: Setup, message: Taken): Program => ({
  name: `${name} ${message.id}`,
  given: `${message.receives} ${message.text}`,
  run: async me => {
    const received = { text: message.text, receiveCount: message.receives }
    const time = { remaining: millis(WORKER_MS), signal: me.signal }
    const ended = await work(worldOf(me), handlerOf(me, setup), received, time)
    if (isOver(ended)) await me.call('delete', message.id)
    return ended
  },
})

export const burial = (name: string, message: Taken): Program => ({
  name: `${name} ${message.id}`,
  given: `${message.receives} ${message.text}`,
  run: async me => {
    const received = { text: message.text, receiveCount: message.receives, messageId: message.id }
    const ended = await bury(worldOf(me), received)
    if (isOver(ended)) await me.call('delete', message.id)
    return ended
  },
})

const handlerOf =
  (me: Me, { mode }: Setup): Handler =>
  async (event, { commit }) => {
    me.handling(event.id)
    try {
      if (mode === 'unprocessable') throw new Unprocessable('no use')
      if (mode === 'effect') await me.call('effect', event.idempotencyKey)
      // Like half of the users, it does not look at what its commit came to.
      else await commit([{ Put: { TableName: 'effects', Item: { key: event.idempotencyKey } } }])
    } finally {
      me.handling(undefined)
    }
  }

/** Secrets answer at once: nothing of the search changes them, and without them nothing is touched. */
const worldOf = (me: Me): RecoverWorld & BuryWorld => {
  const far = <Port extends object>(port: Port): Port =>
    Object.fromEntries(
      Object.keys(port).map(name => [name, (...parameters: unknown[]) => me.call(name, ...parameters)]),
    ) as Port
  return {
    environment: 'search',
    sources: SOURCES,
    secrets: memorySecrets(SECRETS, 'searched-key'),
    events: far(memoryEvents()),
    bodies: far(memoryBodies()),
    recovery: far(memoryRecovery(new Map())),
    work: far(memoryWork(new Map())),
    queue: {
      send: message => me.call('send', message) as never,
      sendBatch: () => Promise.reject(new Error('no batches')),
    },
    now: me.now,
    newFence: me.newFence,
    leaseMillis: millis(15_000),
  }
}
