import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Millis } from '../../functions/domain/brands.ts'
import { httpApiEvent } from '../../lib/local/gateway-events.ts'
import type { Chance } from '../simulation/random.ts'
import type { Lambda } from './lambda.ts'
import { SECRETS } from './sources.ts'

/** What became of a delivery, as its sender saw it. */
export const ANSWERS = ['accepted', 'duplicate', 'rejected', 'unavailable', 'unknown'] as const
export type Answer = (typeof ANSWERS)[number]

const ANSWER_BY_STATUS: Readonly<Record<number, Answer>> = {
  202: 'accepted',
  200: 'duplicate',
  401: 'rejected',
  // Another delivery of the event is being received.
  409: 'unavailable',
  503: 'unavailable',
}

export interface SentEvent {
  readonly id: string
  readonly source: 'stripe' | 'github'
  readonly forged: boolean
  acknowledged: boolean
}

export interface Senders {
  readonly events: SentEvent[]
  readonly answers: Record<Answer, number>
  received: number
  readonly strange: string[]
  /** No new events; whoever retries goes on until it hears a 2xx. */
  finish(): Promise<void>
}

const AT_ONCE = 6

/** Senders that post one event after another: some of them twice at once, some forged, some never again. */
export const startSenders = (lambda: Lambda, now: () => Millis, luck: Chance): Senders => {
  const finishing = new AbortController()
  const senders: Omit<Senders, 'finish'> = {
    events: [],
    answers: { accepted: 0, duplicate: 0, rejected: 0, unavailable: 0, unknown: 0 },
    received: 0,
    strange: [],
  }

  const deliver = async (event: SentEvent): Promise<Answer> => {
    senders.received++
    const answer = answerOf(await lambda.invoke('receive', gatewayEvent(event, now())))
    if (answer.strange) senders.strange.push(`${event.id}: ${answer.strange}`)
    senders.answers[answer.kind]++
    if (answer.kind === 'accepted' || answer.kind === 'duplicate') event.acknowledged = true
    return answer.kind
  }

  const untilAcknowledged = async (event: SentEvent): Promise<void> => {
    await deliver(event)
    while (event.source === 'stripe' && !event.forged && !event.acknowledged) {
      await sleep(luck.between(100, 1_500))
      await deliver(event)
    }
  }

  const sender = async (): Promise<void> => {
    while (!finishing.signal.aborted) {
      const event = newEvent(senders.events.length, luck)
      senders.events.push(event)
      const copies = luck.happens(0.2) ? 2 : 1
      await Promise.all(Array.from({ length: copies }, () => untilAcknowledged(event)))
      await sleep(luck.below(100))
    }
  }

  const ended = Promise.all(Array.from({ length: AT_ONCE }, sender))
  return Object.assign(senders, {
    finish: async () => {
      finishing.abort()
      await ended
    },
  })
}

const newEvent = (number: number, luck: Chance): SentEvent => ({
  id: `event-${number}-${luck.pick(['commit', 'key'])}`,
  source: luck.pick(['stripe', 'github']),
  forged: luck.happens(0.05),
  acknowledged: false,
})

const answerOf = (invoked: Awaited<ReturnType<Lambda['invoke']>>): { kind: Answer; strange?: string } => {
  if (invoked.kind === 'died') return { kind: 'unknown' }
  if (invoked.kind === 'threw') return { kind: 'unknown', strange: invoked.message }
  const { statusCode, body } = invoked.value as { statusCode: number; body: string }
  const kind = ANSWER_BY_STATUS[statusCode]
  return kind ? { kind } : { kind: 'unknown', strange: `${statusCode} ${body}` }
}

const gatewayEvent = ({ id, source, forged }: SentEvent, now: Millis) => {
  const body = JSON.stringify({ id, type: 'kill.test' })
  const sign = (text: string): string =>
    createHmac('sha256', forged ? 'a guess' : SECRETS[source][0])
      .update(text)
      .digest('hex')
  const seconds = Math.floor(now / 1000)
  const headers: Record<SentEvent['source'], [string, string][]> = {
    stripe: [['stripe-signature', `t=${seconds},v1=${sign(`${seconds}.${body}`)}`]],
    github: [
      ['x-github-delivery', id],
      ['x-github-event', 'push'],
      ['x-hub-signature-256', `sha256=${sign(body)}`],
    ],
  }
  return httpApiEvent({
    method: 'POST',
    path: `/webhooks/${source}`,
    query: '',
    headers: [['host', 'hooks.example.com'], ['content-type', 'application/json'], ...headers[source]],
    body: Buffer.from(body),
    source,
    requestId: randomUUID(),
    sourceIp: '203.0.113.7',
    at: new Date(now),
  })
}
