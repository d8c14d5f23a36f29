import { type Fingerprint, toSeconds } from '../../functions/domain/brands.ts'
import type { Delivery } from '../../functions/domain/delivery.ts'
import type { Outcome } from '../../functions/domain/outcome.ts'
import { type EventRecord, isExpired } from '../../functions/domain/record.ts'
import { receive } from '../../functions/receive/receive.ts'
import { reply } from '../../functions/receive/reply.ts'
import { keepPauses } from '../../functions/recover/keep-pauses.ts'
import { recover } from '../../functions/recover/recover.ts'
import { setSecret } from '../support/set-secret.ts'
import type { Process } from './faults.ts'
import { request } from './request.ts'
import type { Rig } from './rig.ts'
import { githubHeaders, gocardlessHeaders, simDelivery, stripeHeaders } from './sim-delivery.ts'
import type { RouteName } from './sim-destinations.ts'
import { ROTATED, SECRETS } from './sim-secrets.ts'
import { STILL } from './timeline.ts'
import { NAMES } from './watch-writes.ts'

/** What the user's code does with an event. */
export type Mode = 'effect' | 'commit' | 'flaky' | 'poison' | 'unprocessable' | 'ignore'

export interface SimEvent {
  /** Stripe's retry until they hear a 2xx, GitHub's never; GoCardless sends several in one delivery, and retries; orders are our own. */
  readonly source: 'stripe' | 'github' | 'gocardless' | 'orders'
  /** Who publishes it. @default nobody: it is a webhook */
  readonly caller?: string
  readonly id: string
  readonly body: string
  /** As it is delivered: each time another, or always the same. */
  readonly renderings: readonly string[]
  readonly mode: Mode
  /** Where it wants to go. @default to `worker` */
  readonly route?: RouteName
  /** It never came: only its sender's own list has it. */
  readonly isMissed?: true
  /** What the code of `crm` does with it. @default the same */
  readonly atCrm?: Mode
  fingerprint: Fingerprint | undefined
  acknowledged: boolean
  /** Published under a key that names another payload. */
  refused: boolean
  /** Since the faults have stopped: while they last nobody loses patience. */
  tries: number
  /** Deliveries under way. */
  flying: number
  /** Its rendering of the last time. */
  rendered?: string
}

/** Even who retries gives up, so a schedule in which nobody is heard ends, and is judged. */
export const MOST_TRIES = 40

/** A sender posts one event, or several at once, and, if it is of that kind, posts again until it hears a 2xx. */
export const send = (rig: Rig, events: readonly SimEvent[]): void => {
  const { timeline } = rig
  const process = rig.newProcess('receive')
  const atFirst = new Map(events.map(event => [event, aliveRecordOf(rig, event)]))
  for (const event of events) {
    if (!rig.troubled) event.tries++
    event.flying++
  }
  const again = (): boolean => events.every(({ source, tries }) => source !== 'github' && tries < MOST_TRIES)
  request(rig, {
    process,
    run: receive(rig.world(process), deliveryOf(rig, events)),
    reply: outcome => {
      judge(rig, process, outcome, atFirst)
      return reply(outcome, 'c').status
    },
    hear: status => {
      const heard = status !== undefined && status < 300
      for (const event of events) {
        event.flying--
        if (heard) event.acknowledged = true
      }
      if (!heard && again()) timeline.after(patience(rig), () => send(rig, events))
    },
  })
}

const aliveRecordOf = ({ records, timeline }: Rig, { fingerprint }: SimEvent): EventRecord | undefined => {
  const record = fingerprint && records.get(fingerprint)
  return record && !isExpired(record, toSeconds(timeline.now)) ? record : undefined
}

/** Until the next try: in a long outage, longer and longer. */
export const patience = ({ timeline, luck, ingredients: { outage } }: Rig): number =>
  luck.between(1_000, Math.max(60_000, ((outage?.until ?? 0) - timeline.now) / 3))

/** What is answered with a 2xx is on the queue: every event of the delivery. */
const judge = (
  rig: Rig,
  process: Process,
  outcome: Outcome,
  atFirst: ReadonlyMap<SimEvent, EventRecord | undefined>,
): void => {
  const { ledger } = rig
  // Who could not send does not wait for what is stored side by side with it.
  const waited = outcome.outcome !== 'unavailable' || outcome.reason === 'body-store'
  ledger.check(
    'who meets another writer of an object tries again',
    !waited || ![...process.conflicts.values()].includes('met'),
    () => process.name,
  )
  ledger.check('an honest delivery is never rejected', outcome.outcome !== 'rejected', () => JSON.stringify(outcome))
  for (const before of atFirst.values()) checkRepeat(rig, outcome, before)
  if (reply(outcome, 'c').status >= 300) return
  ledger.check('who does not hear that it has settled notes where the body is', process.unsettled.size === 0, () =>
    JSON.stringify(outcome),
  )
  for (const [event, before] of atFirst) {
    const id = 'id' in outcome ? outcome.id : fingerprintOf(rig, event)
    ledger.check('S1 an event that is acknowledged has a record', id !== undefined, () => event.id)
    if (id === undefined) continue
    event.fingerprint = id
    checkRetained(rig, process, outcome, rig.records.get(id))
    if (isSetAside(rig, outcome, id)) continue
    ledger.acknowledged(id, rig.records.get(id), before, isWanted(process, event))
  }
}

/** What was erased before its delivery came is a duplicate, alone or in a batch. While there is trouble it may have to come again. */
const checkRepeat = (rig: Rig, answer: Outcome, before: EventRecord | undefined): void => {
  const { outcome } = answer
  // Without the guard of before, the same bytes under another id are another event.
  if (before?.erasedAt === undefined || ('id' in answer && answer.id !== before.fingerprint)) return
  const isTrouble = rig.timeline.now < rig.troubleEnds + 60_000
  const isRight = outcome === 'duplicate' || outcome === 'batch' || (isTrouble && AGAIN.has(outcome))
  rig.ledger.check('S19 a repeat of what was erased is a duplicate', isRight, () => outcome)
}

const AGAIN: ReadonlySet<string> = new Set(['in-flight', 'unavailable'])

/** By the routes that a process was deployed with. */
const isWanted = ({ leads }: Process, { route }: SimEvent): boolean =>
  leads === undefined || route === undefined || leads[route].length > 0

/** The sender is told that nobody wants it: nothing has to be on any queue, and what was said was true. */
const isSetAside = ({ ledger }: Rig, outcome: Outcome, id: Fingerprint): boolean => {
  const wasUnwanted = ledger.copies.unwanted.has(id)
  const said = outcome.outcome === 'ignored' || (outcome.outcome === 'duplicate' && outcome.ignored === true)
  if (outcome.outcome === 'ignored')
    ledger.check('S15 ignored is what no route wanted', wasUnwanted, () => id.slice(0, 8))
  return said || (outcome.outcome === 'batch' && wasUnwanted)
}

/** Somebody may have deleted its record since it was sent: then its message makes it again. */
/** Somebody who looks at the record has to find the body, unless the log says that it could not be kept. */
const checkRetained = (
  { ledger }: Rig,
  { sources }: Process,
  outcome: Outcome,
  record: EventRecord | undefined,
): void => {
  const isSettled = outcome.outcome === 'ignored' || (outcome.outcome === 'accepted' && outcome.settle === 'moved')
  if (!isSettled || outcome.bodyNotKept || !record) return
  const isRetained = sources?.get(record.source)?.retain !== 'none'
  const isKept = record.bodyAt !== null || ledger.erased.has(record.fingerprint)
  ledger.check('what is to be retained is kept', !isRetained || isKept, () => record.eventId)
}

const fingerprintOf = ({ records, ledger }: Rig, { source, id }: SimEvent): Fingerprint | undefined =>
  [...records.values(), ...ledger.erased.values()].find(
    each => each.source === source && each.eventId === id && each.copyOf === null,
  )?.fingerprint

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
  const bodies = events.map(event => render(rig, event))
  const [{ source, id }] = events as [SimEvent]
  const [body] = bodies as [string]
  switch (source) {
    case 'stripe':
      return simDelivery({ source, body, now, headers: stripeHeaders(body, stripeSecret(rig), now) })
    case 'github':
      return simDelivery({ source, body, now, headers: githubHeaders(id, body, SECRETS.github) })
    case 'orders':
      throw new TypeError('orders are published')
    case 'gocardless': {
      const list = `{ "events": [${bodies.join(', ')}] }`
      return simDelivery({ source, body: list, now, headers: gocardlessHeaders(list, SECRETS.gocardless) })
    }
  }
}

const render = ({ luck, count }: Rig, event: SimEvent): string => {
  const body = event.renderings.length === 1 ? event.body : luck.pick(event.renderings)
  if (event.rendered !== undefined && event.rendered !== body) count('changedBodies')
  event.rendered = body
  return body
}

const stripeSecret = ({ timeline, faultsEnd, aws }: Rig): string => {
  const isRotated = aws.secrets.getSecret(NAMES.signingSecrets)?.text === ROTATED
  return isRotated && timeline.now - faultsEnd > -ROTATION.sender ? SECRETS.new : SECRETS.old
}

export const recoverOnce = (rig: Rig): void => {
  const process = rig.newProcess('recover')
  const world = rig.world(process)
  const first = rig.ingredients.pauses ? keepPauses(world) : Promise.resolve()
  void first
    .then(() => recover(world))
    .then(
      tally => rig.ledger.note(process.name, JSON.stringify(tally)),
      error => rig.ledger.note(process.name, `threw ${error}`),
    )
}
