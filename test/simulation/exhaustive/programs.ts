import { EVERY_STORE } from '../../../functions/adapters/every-store.ts'
import { secretsManagerSecrets } from '../../../functions/adapters/secrets-manager-secrets.ts'
import { storesOver } from '../../../functions/adapters/stores.ts'
import type { ReceivedMessage } from '../../../functions/adapters/wire/queue-calls.ts'
import { bury } from '../../../functions/bury/bury.ts'
import type { Handler } from '../../../functions/consume/handle.ts'
import { isOver } from '../../../functions/consume/outcome.ts'
import { work } from '../../../functions/consume/work.ts'
import { type Fence, type Millis, millis } from '../../../functions/domain/brands.ts'
import { Unprocessable, type WebhookEvent } from '../../../functions/domain/event.ts'
import { resolveSources } from '../../../functions/providers/sources.ts'
import { receive } from '../../../functions/receive/receive.ts'
import { recover } from '../../../functions/recover/recover.ts'
import { githubHeaders, simDelivery, stripeHeaders } from '../sim-delivery.ts'
import { EFFECTS, NAMES } from '../watch-writes.ts'
import { type Ask, askingAws, SECRETS } from './asking-aws.ts'

/** What a process is given: everything it can learn of the world comes through here. */
export interface Me {
  readonly now: () => Millis
  readonly newFence: () => Fence
  readonly signal: AbortSignal
  readonly ask: Ask
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
const WORKER_MS = 5_000
/** As often as the queue hands a message out. */
const TRIES = 5

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

export const consumer = (name: string, setup: Setup, message: ReceivedMessage): Program => ({
  ...started(name, message),
  run: async me => {
    const world = worldOf(me)
    const time = { remaining: millis(WORKER_MS), signal: me.signal, tries: TRIES }
    const ended = await work(world, handlerOf(me, setup), receivedOf(message), time)
    if (isOver(ended)) await me.ask('deleteMessages', NAMES.queueUrl, [message.receipt])
    return ended
  },
})

export const burial = (name: string, message: ReceivedMessage): Program => ({
  ...started(name, message),
  run: async me => {
    const ended = await bury(worldOf(me), receivedOf(message), TRIES)
    if (isOver(ended)) await me.ask('deleteMessages', NAMES.deadLettersUrl, [message.receipt])
    return ended
  },
})

const started = (name: string, { messageId, receipt, body }: ReceivedMessage): Omit<Program, 'run'> => ({
  name: `${name} ${messageId}`,
  given: `${receipt} ${body}`,
})

const receivedOf = ({ messageId, body, system }: ReceivedMessage) => ({
  messageId,
  text: body,
  sentAt: millis(Number(system.SentTimestamp)),
  receiveCount: Number(system.ApproximateReceiveCount),
  group: null,
})

const handlerOf =
  (me: Me, { mode }: Setup): Handler =>
  async (event, { commit }) => {
    me.handling(event.id)
    try {
      if (mode === 'unprocessable') throw new Unprocessable('no use')
      if (mode === 'effect') await me.ask('effect', event.idempotencyKey)
      // Like half of the users, it does not look at what its commit came to.
      else await commit([{ Put: { TableName: EFFECTS, Item: effectOf(event) } }])
    } finally {
      me.handling(undefined)
    }
  }

const effectOf = ({ idempotencyKey, id, generation }: WebhookEvent) => ({ key: idempotencyKey, of: id, generation })

const worldOf = ({ ask, now, newFence }: Me) => {
  const aws = askingAws(ask)
  return {
    environment: 'search',
    sources: SOURCES,
    secrets: secretsManagerSecrets(aws, NAMES, now),
    ...storesOver(aws, NAMES, EVERY_STORE, now),
    now,
    newFence,
    random: () => 0,
    leaseMillis: millis(15_000),
    // No search waits: what takes long is a call without an answer.
    pause: () => new Promise<never>(() => {}),
  }
}
