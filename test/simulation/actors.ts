import { bury } from '../../functions/bury/bury.ts'
import { isOver } from '../../functions/consume/batch.ts'
import type { Handler } from '../../functions/consume/handle.ts'
import { work } from '../../functions/consume/work.ts'
import type { Message } from '../../functions/contract/message.ts'
import { type Fingerprint, millis, type Sha256 } from '../../functions/domain/brands.ts'
import type { Delivery } from '../../functions/domain/delivery.ts'
import { Unprocessable } from '../../functions/domain/event.ts'
import type { Outcome } from '../../functions/domain/outcome.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import { receive } from '../../functions/receive/receive.ts'
import { reply } from '../../functions/receive/reply.ts'
import { recover } from '../../functions/recover/recover.ts'
import type { Process } from './faults.ts'
import { request } from './request.ts'
import { githubHeaders, gocardlessHeaders, simDelivery, stripeHeaders } from './sim-delivery.ts'
import type { SimMessage, SimQueue } from './sim-queue.ts'
import { ROTATED, SECRETS } from './sim-secrets.ts'
import type { Stage } from './stage.ts'
import { STILL } from './timeline.ts'

/** What the user's code does with an event. */
export type Mode = 'effect' | 'commit' | 'flaky' | 'poison' | 'unprocessable'

export interface SimEvent {
  /** Stripe's retry until they hear a 2xx, GitHub's never; GoCardless sends several in one delivery, and retries; orders are our own. */
  readonly source: 'stripe' | 'github' | 'gocardless' | 'orders'
  /** Who publishes it. @default nobody: it is a webhook */
  readonly caller?: string
  readonly id: string
  readonly body: string
  readonly mode: Mode
  fingerprint: Fingerprint | undefined
  acknowledged: boolean
  /** Published under a key that names another payload. */
  refused: boolean
  /** Since the faults have stopped: while they last nobody loses patience. */
  tries: number
  /** Deliveries under way. */
  flying: number
}

const WORKER_MS = 5_000
/** Even who retries gives up, so that a schedule in which nobody is heard ends, and is judged. */
export const MOST_TRIES = 40

/** A sender posts one event, or several at once, and, if it is of that kind, posts again until it hears a 2xx. */
export const send = (stage: Stage, events: readonly SimEvent[]): void => {
  const { timeline, luck } = stage
  const process = stage.newProcess('receive')
  const atFirst = new Map(events.map(event => [event, event.fingerprint && stage.records.get(event.fingerprint)]))
  for (const event of events) {
    if (!stage.failing) event.tries++
    event.flying++
  }
  const again = (): boolean => events.every(({ source, tries }) => source !== 'github' && tries < MOST_TRIES)
  request(stage, {
    process,
    run: receive(stage.world(process), deliveryOf(stage, events)),
    reply: outcome => {
      judge(stage, outcome, atFirst)
      return reply(outcome, 'c').status
    },
    hear: status => {
      const heard = status !== undefined && status < 300
      for (const event of events) {
        event.flying--
        if (heard) event.acknowledged = true
      }
      if (!heard && again()) timeline.after(luck.between(1_000, 60_000), () => send(stage, events))
    },
  })
}

/** What is answered with a 2xx is on the queue: every event of the delivery. */
const judge = (stage: Stage, outcome: Outcome, atFirst: ReadonlyMap<SimEvent, EventRecord | undefined>): void => {
  const { ledger } = stage
  ledger.check('an honest delivery is never rejected', outcome.outcome !== 'rejected', () => JSON.stringify(outcome))
  if (reply(outcome, 'c').status >= 300) return
  for (const [event, before] of atFirst) {
    const id = 'id' in outcome ? outcome.id : fingerprintOf(stage, event)
    ledger.check('S1 an event that is acknowledged has a record', id !== undefined, () => event.id)
    if (id === undefined) continue
    event.fingerprint = id
    ledger.acknowledged(id, stage.records.get(id), before)
  }
}

const fingerprintOf = ({ records }: Stage, { source, id }: SimEvent): Fingerprint | undefined =>
  [...records.values()].find(record => record.source === source && record.eventId === id)?.fingerprint

/** Somebody without the secret, and a sender whose event has no id: neither may leave a trace in any store. */
export const intrude = (stage: Stage): void => {
  const process = stage.newProcess('intruder')
  const { now } = stage.timeline
  const forged = stage.luck.happens(0.5)
  const body = forged ? '{"id":"forged"}' : '{"type":"no id"}'
  const headers = stripeHeaders(body, forged ? 'a guess' : SECRETS.old, now)
  const delivery = simDelivery({ source: 'stripe', body, now, headers })
  void receive(stage.world(process), delivery).then(({ outcome }) => {
    const refused = outcome === 'rejected' || outcome === 'unavailable'
    stage.ledger.check(
      'S6 S7 what is forged or has no id is refused',
      refused,
      () => `${forged ? 'forged' : 'no id'}: ${outcome}`,
    )
    const owned = [...stage.ledger.owners].some(owner => owner.startsWith(`${process.name} `))
    stage.ledger.check('S6 S7 what is forged or has no id leaves no record', !owned, () => process.name)
  })
}

/** The sender rotates its secret a while after the receiver has learnt the new one. */
const ROTATION = { receiver: 60_000, sender: 90_000 } as const

export const rotateSecrets = (stage: Stage): void => {
  stage.timeline.after(ROTATION.receiver, () => {
    stage.secrets.stripe = ROTATED
  })
}

const deliveryOf = (stage: Stage, events: readonly SimEvent[]): Delivery => {
  const { now } = stage.timeline
  const [{ source, id, body }] = events as [SimEvent]
  switch (source) {
    case 'stripe':
      return simDelivery({ source, body, now, headers: stripeHeaders(body, stripeSecret(stage), now) })
    case 'github':
      return simDelivery({ source, body, now, headers: githubHeaders(id, body, SECRETS.github) })
    case 'orders':
      throw new TypeError('orders are published')
    case 'gocardless': {
      const list = `{ "events": [${events.map(event => event.body).join(', ')}] }`
      return simDelivery({ source, body: list, now, headers: gocardlessHeaders(list, SECRETS.gocardless) })
    }
  }
}

const stripeSecret = ({ timeline, faultsEnd, secrets }: Stage): string =>
  timeline.now - faultsEnd > -ROTATION.sender && secrets.stripe?.[0] === SECRETS.new ? SECRETS.new : SECRETS.old

// Made once: an error costs more than all that a handler does.
const NO_USE = new Unprocessable('no use')
const ALWAYS = new Error('always')
const SOMETIMES = new Error('sometimes')

/** The user's code, with its own effects at the far end of the wire. */
const handlerOf = (stage: Stage, process: Process, mode: Mode): Handler => {
  const { ledger, luck } = stage
  const userCode: Handler = async (event, { commit }) => {
    ledger.generations.handled(event)
    ledger.handling(event.id as Fingerprint, process, stage.records.get(event.id as Fingerprint))
    if (mode === 'unprocessable') throw NO_USE
    if (mode === 'poison') throw ALWAYS
    if (mode === 'flaky' && stage.failing && luck.happens(0.5)) throw SOMETIMES
    if (mode === 'commit') {
      const result = await commit([{ Put: { TableName: 'effects', Item: { key: event.idempotencyKey } } }])
      // Half of the users forget to look.
      if (result.kind === 'unavailable' && luck.happens(0.5)) throw new Error('the commit got no answer')
      return
    }
    const happened = await stage.remote(
      process,
      'effect',
      () => {
        ledger.effects.set(event.idempotencyKey, (ledger.effects.get(event.idempotencyKey) ?? 0) + 1)
        return true
      },
      () => false,
    )
    if (!happened) throw new Error('the effect got no answer')
  }
  return async (...given) => {
    process.handling = true
    try {
      await userCode(...given)
    } finally {
      process.handling = false
    }
  }
}

const recordOf = (stage: Stage, message: Message) => stage.records.get(message.id as Fingerprint)

/** Deletes, if what became of the message allows it. */
const conclude = async (stage: Stage, process: Process, queue: SimQueue, message: SimMessage): Promise<void> => {
  const record = recordOf(stage, message.said)
  const body =
    record?.status === 'failed' && record.bodyAt !== null
      ? await stage.bodies.fetch(record.fingerprint, record.bodySha256 as Sha256, record.bodyAt, stage.timeline.now)
      : undefined
  stage.ledger.deleted(message.said, record, body !== undefined)
  await stage.remote(
    process,
    'delete',
    () => queue.delete(message),
    () => {},
  )
}

/** One invocation of the worker, if there is a message. */
export const consumeOne = (stage: Stage, modes: ReadonlyMap<string, Mode>): unknown => {
  const message = stage.queue.receive()
  return message ? consumeMessage(stage, modes, message) : STILL
}

const consumeMessage = (stage: Stage, modes: ReadonlyMap<string, Mode>, message: SimMessage): void => {
  const process = stage.newProcess('consume')
  const deadline = new AbortController()
  let over = false
  stage.timeline.after(WORKER_MS - 500, () => (over ? STILL : deadline.abort('deadline')))
  stage.timeline.after(WORKER_MS, () => {
    if (stage.luck.happens(0.5)) process.alive = false
    return STILL
  })
  const handler = handlerOf(stage, process, modes.get(message.said.eventId) ?? 'effect')
  const time = { remaining: millis(WORKER_MS), signal: deadline.signal }
  void work(stage.world(process), handler, { text: message.text, receiveCount: message.receives }, time).then(
    ended => {
      over = true
      stage.ledger.note(process.name, `ended ${ended.work}`)
      return isOver(ended) ? conclude(stage, process, stage.queue, message) : undefined
    },
    error => stage.ledger.note(process.name, `threw ${error}`),
  )
}

export const buryOne = (stage: Stage): unknown => {
  const message = stage.deadLetters.receive()
  return message ? buryMessage(stage, message) : STILL
}

const buryMessage = (stage: Stage, message: SimMessage): void => {
  const process = stage.newProcess('bury')
  const received = { text: message.text, receiveCount: message.receives, messageId: `m-${message.id}` }
  void bury(stage.world(process), received).then(
    ended => {
      stage.ledger.note(process.name, `ended ${ended.work}`)
      return isOver(ended) ? conclude(stage, process, stage.deadLetters, message) : undefined
    },
    error => stage.ledger.note(process.name, `threw ${error}`),
  )
}

export const recoverOnce = (stage: Stage): void => {
  const process = stage.newProcess('recover')
  void recover(stage.world(process)).then(
    tally => stage.ledger.note(process.name, JSON.stringify(tally)),
    error => stage.ledger.note(process.name, `threw ${error}`),
  )
}
