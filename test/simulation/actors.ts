import { bury } from '../../functions/bury/bury.ts'
import type { Handler } from '../../functions/consume/handle.ts'
import { isOver } from '../../functions/consume/outcome.ts'
import { work } from '../../functions/consume/work.ts'
import { type Fingerprint, millis } from '../../functions/domain/brands.ts'
import type { Delivery } from '../../functions/domain/delivery.ts'
import { ignore, Unprocessable } from '../../functions/domain/event.ts'
import type { Outcome } from '../../functions/domain/outcome.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import { receive } from '../../functions/receive/receive.ts'
import { reply } from '../../functions/receive/reply.ts'
import { recover } from '../../functions/recover/recover.ts'
import { setSecret } from '../support/set-secret.ts'
import { farAws } from './far-aws.ts'
import type { Process } from './faults.ts'
import { bodyOf } from './kept-body-of.ts'
import { receiveOne, type SimMessage } from './receive-one.ts'
import { request } from './request.ts'
import type { Rig } from './rig.ts'
import { githubHeaders, gocardlessHeaders, simDelivery, stripeHeaders } from './sim-delivery.ts'
import { ROTATED, SECRETS } from './sim-secrets.ts'
import { STILL } from './timeline.ts'
import { EFFECTS, NAMES } from './watch-writes.ts'

/** What the user's code does with an event. */
export type Mode = 'effect' | 'commit' | 'flaky' | 'poison' | 'unprocessable' | 'ignore'

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
/** As often as the queue hands a message out. */
const TRIES = 5
/** Even who retries gives up, so a schedule in which nobody is heard ends, and is judged. */
export const MOST_TRIES = 40

/** A sender posts one event, or several at once, and, if it is of that kind, posts again until it hears a 2xx. */
export const send = (rig: Rig, events: readonly SimEvent[]): void => {
  const { timeline, luck } = rig
  const process = rig.newProcess('receive')
  const atFirst = new Map(events.map(event => [event, event.fingerprint && rig.records.get(event.fingerprint)]))
  for (const event of events) {
    if (!rig.failing) event.tries++
    event.flying++
  }
  const again = (): boolean => events.every(({ source, tries }) => source !== 'github' && tries < MOST_TRIES)
  request(rig, {
    process,
    run: receive(rig.world(process), deliveryOf(rig, events)),
    reply: outcome => {
      judge(rig, outcome, atFirst)
      return reply(outcome, 'c').status
    },
    hear: status => {
      const heard = status !== undefined && status < 300
      for (const event of events) {
        event.flying--
        if (heard) event.acknowledged = true
      }
      if (!heard && again()) timeline.after(luck.between(1_000, 60_000), () => send(rig, events))
    },
  })
}

/** What is answered with a 2xx is on the queue: every event of the delivery. */
const judge = (rig: Rig, outcome: Outcome, atFirst: ReadonlyMap<SimEvent, EventRecord | undefined>): void => {
  const { ledger } = rig
  ledger.check('an honest delivery is never rejected', outcome.outcome !== 'rejected', () => JSON.stringify(outcome))
  if (reply(outcome, 'c').status >= 300) return
  for (const [event, before] of atFirst) {
    const id = 'id' in outcome ? outcome.id : fingerprintOf(rig, event)
    ledger.check('S1 an event that is acknowledged has a record', id !== undefined, () => event.id)
    if (id === undefined) continue
    event.fingerprint = id
    ledger.acknowledged(id, rig.records.get(id), before)
  }
}

const fingerprintOf = ({ records }: Rig, { source, id }: SimEvent): Fingerprint | undefined =>
  [...records.values()].find(record => record.source === source && record.eventId === id)?.fingerprint

/** Somebody without the secret, and a sender whose event has no id: neither may leave a trace in any store. */
export const intrude = (rig: Rig): void => {
  const process = rig.newProcess('intruder')
  const { now } = rig.timeline
  const forged = rig.luck.happens(0.5)
  const body = forged ? '{"id":"forged"}' : '{"type":"no id"}'
  const headers = stripeHeaders(body, forged ? 'a guess' : SECRETS.old, now)
  const delivery = simDelivery({ source: 'stripe', body, now, headers })
  void receive(rig.world(process), delivery).then(({ outcome }) => {
    const refused = outcome === 'rejected' || outcome === 'unavailable'
    rig.ledger.check(
      'S6 S7 what is forged or has no id is refused',
      refused,
      () => `${forged ? 'forged' : 'no id'}: ${outcome}`,
    )
    const owned = [...rig.ledger.owners].some(owner => owner.startsWith(`${process.name} `))
    rig.ledger.check('S6 S7 what is forged or has no id leaves no record', !owned, () => process.name)
  })
}

/** The sender rotates its secret a while after the receiver has learnt the new one. */
const ROTATION = { receiver: 60_000, sender: 90_000 } as const

export const rotateSecrets = (rig: Rig): void => {
  rig.timeline.after(ROTATION.receiver, () => {
    setSecret(rig.aws.secrets, NAMES.signingSecrets, ROTATED)
    return STILL
  })
}

const deliveryOf = (rig: Rig, events: readonly SimEvent[]): Delivery => {
  const { now } = rig.timeline
  const [{ source, id, body }] = events as [SimEvent]
  switch (source) {
    case 'stripe':
      return simDelivery({ source, body, now, headers: stripeHeaders(body, stripeSecret(rig), now) })
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

const stripeSecret = ({ timeline, faultsEnd, aws }: Rig): string => {
  const isRotated = aws.secrets.getSecret(NAMES.signingSecrets)?.text === ROTATED
  return isRotated && timeline.now - faultsEnd > -ROTATION.sender ? SECRETS.new : SECRETS.old
}

// Made once: an error costs more than all that a handler does.
const NO_USE = new Unprocessable('no use')
const ALWAYS = new Error('always')
const SOMETIMES = new Error('sometimes')

/** The user's code, with its own effects at the far end of the wire. */
const handlerOf = (rig: Rig, process: Process, mode: Mode): Handler => {
  const { ledger, luck } = rig
  const userCode: Handler = async (event, { commit }) => {
    ledger.generations.handled(event)
    ledger.handling(event.id as Fingerprint, process, rig.records.get(event.id as Fingerprint))
    if (mode === 'unprocessable') throw NO_USE
    if (mode === 'ignore') return ignore('not one of ours')
    if (mode === 'poison') throw ALWAYS
    if (mode === 'flaky' && rig.failing && luck.happens(0.5)) throw SOMETIMES
    if (mode === 'commit') {
      const { id, generation, idempotencyKey } = event
      const result = await commit([{ Put: { TableName: EFFECTS, Item: { key: idempotencyKey, of: id, generation } } }])
      // Half of the users forget to look.
      if (result.kind === 'unavailable' && luck.happens(0.5)) throw new Error('the commit got no answer')
      return
    }
    const { idempotencyKey: key } = event
    await rig.remote({
      process,
      name: 'effect',
      apply: () => void ledger.effects.set(key, (ledger.effects.get(key) ?? 0) + 1),
    })
  }
  return async (...given) => {
    process.handling = true
    try {
      return await userCode(...given)
    } finally {
      process.handling = false
    }
  }
}

/** Deletes, if what became of the message allows it. */
const conclude = async (rig: Rig, process: Process, message: SimMessage): Promise<void> => {
  const record = rig.records.get(message.said.id as Fingerprint)
  const body = record?.status === 'failed' ? await bodyOf(rig, record) : undefined
  rig.ledger.deleted(message.said, record, body !== undefined)
  const { queueUrl, receipt } = message
  await farAws(rig, process)
    .queue.deleteMessages(queueUrl, [receipt])
    .catch(() => {})
}

/** One invocation of the worker, if there is a message. */
export const consumeOne = (rig: Rig, modes: ReadonlyMap<string, Mode>): unknown => {
  const message = receiveOne(rig, NAMES.queueUrl)
  return message ? consumeMessage(rig, modes, message) : STILL
}

const consumeMessage = (rig: Rig, modes: ReadonlyMap<string, Mode>, message: SimMessage): void => {
  const process = rig.newProcess('consume')
  const deadline = new AbortController()
  let over = false
  rig.timeline.after(WORKER_MS - 500, () => (over ? STILL : deadline.abort('deadline')))
  rig.timeline.after(WORKER_MS, () => {
    if (rig.luck.happens(0.5)) process.alive = false
    return STILL
  })
  const handler = handlerOf(rig, process, modes.get(message.said.eventId) ?? 'effect')
  const time = { remaining: millis(WORKER_MS), signal: deadline.signal, tries: TRIES }
  void work(rig.world(process), handler, { ...message, receiveCount: message.receives, group: null }, time).then(
    ended => {
      over = true
      rig.ledger.note(process.name, `ended ${ended.work}`)
      return isOver(ended) ? conclude(rig, process, message) : undefined
    },
    error => rig.ledger.note(process.name, `threw ${error}`),
  )
}

export const buryOne = (rig: Rig): unknown => {
  const message = receiveOne(rig, NAMES.deadLettersUrl)
  return message ? buryMessage(rig, message) : STILL
}

const buryMessage = (rig: Rig, message: SimMessage): void => {
  const process = rig.newProcess('bury')
  const { text, messageId } = message
  void bury(rig.world(process), { text, messageId }, TRIES).then(
    ended => {
      rig.ledger.note(process.name, `ended ${ended.work}`)
      return isOver(ended) ? conclude(rig, process, message) : undefined
    },
    error => rig.ledger.note(process.name, `threw ${error}`),
  )
}

export const recoverOnce = (rig: Rig): void => {
  const process = rig.newProcess('recover')
  void recover(rig.world(process)).then(
    tally => rig.ledger.note(process.name, JSON.stringify(tally)),
    error => rig.ledger.note(process.name, `threw ${error}`),
  )
}
