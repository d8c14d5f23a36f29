import { publish } from '../../functions/publish/publish.ts'
import { reply } from '../../functions/publish/reply.ts'
import { MOST_TRIES, patience, type SimEvent } from './actors.ts'
import type { Process } from './faults.ts'
import type { Said } from './publications.ts'
import { request } from './request.ts'
import type { Rig } from './rig.ts'
import { simDelivery } from './sim-delivery.ts'

interface Told {
  readonly status: number
  readonly id?: string
}

/** A service of ours publishes, one event or several of its own, and again those that got neither a 2xx nor a refusal. */
export const produce = (rig: Rig, events: readonly SimEvent[]): void => {
  const { timeline, luck } = rig
  const process = rig.newProcess('publish')
  const form = events.length > 1 || luck.happens(0.2) ? 'batch' : 'single'
  for (const event of events) {
    if (!rig.troubled) event.tries++
    event.flying++
  }
  const met = events.map(event => rig.ledger.publications.idOf(saidBy(event)))
  const caller = callerOf(events)
  request(rig, {
    process,
    run: publish(rig.world(process), { caller, form, delivery: deliveryOf(rig, events, form) }),
    reply: outcome => {
      const { status, body } = reply(outcome, 'c')
      const told = form === 'single' ? [{ ...JSON.parse(body), status }] : JSON.parse(body).results
      for (const [index, event] of events.entries()) judge(rig, { event, told: told[index], met: met[index] })
      if (form === 'single' && status === 422) changedNothing(rig, process)
      return told as readonly Told[]
    },
    hear: told => {
      for (const [index, event] of events.entries()) {
        event.flying--
        const status = told?.[index]?.status
        if (status === 202 || status === 200) event.acknowledged = true
        if (told?.[index]?.status === 422) event.refused = true
      }
      const again = events.filter(({ acknowledged, refused, tries }) => !acknowledged && !refused && tries < MOST_TRIES)
      if (again.length > 0) timeline.after(patience(rig), () => produce(rig, again))
    },
  })
}

interface Answer {
  readonly event: SimEvent
  readonly told: Told
  /** The event that the key was when the request came in, if it was one. */
  readonly met: string | undefined
}

const judge = ({ ledger, records }: Rig, { event, told, met }: Answer): void => {
  const said = saidBy(event)
  const about = (): string => `${said.caller} ${said.key} ${said.body}: ${JSON.stringify(told)}`
  const id = ledger.publications.idOf(said)
  const isOther = id !== undefined && ledger.publications.payloadOf(id)?.body !== said.body
  switch (told.status) {
    case 200:
      // No route wants it, and nothing has to be on any queue.
      ledger.check('S15 ignored is what no route wanted', id !== undefined && told.id === id && !isOther, about)
      event.fingerprint = id
      break
    case 202: {
      const record = id && records.get(id)
      // Somebody may have deleted it since it was sent: then its message, which is asked for below, makes it again.
      const isKnown = record !== undefined || (id !== undefined && ledger.erased.has(id))
      ledger.check('S9 every 2xx to a key names the same event', told.id === id && isKnown, about)
      ledger.check('another payload is never acknowledged', !isOther, about)
      if (!id || !isKnown) break
      event.fingerprint = id
      // The answer to a key stays what it was, also when the event has failed since.
      ledger.acknowledged(id, record, undefined)
      break
    }
    case 422:
      ledger.check('a key is refused only for another payload', isOther, about)
      break
    case 409:
      ledger.check('another payload is refused in every state', met === undefined || !isOther, about)
      break
    case 503:
      break
    default:
      ledger.check('an honest publication is never refused', false, about)
  }
}

const changedNothing = ({ ledger }: Rig, process: Process): void => {
  const owned = [...ledger.owners].some(owner => owner.startsWith(`${process.name} `))
  ledger.check('S14 a refused key changes nothing', !owned, () => process.name)
}

export const saidBy = ({ caller = '', id, body }: SimEvent): Said => ({ caller, key: id, body })

const callerOf = ([{ caller = '' } = {}]: readonly Partial<SimEvent>[]) => ({
  id: caller,
  accountId: '123456789012',
  arn: `arn:aws:iam::123456789012:role/${caller}`,
})

const deliveryOf = ({ timeline: { now } }: Rig, events: readonly SimEvent[], form: 'single' | 'batch') => {
  const [{ id, body }] = events as [SimEvent]
  if (form === 'single') return simDelivery({ source: 'orders', body, now, headers: [['idempotency-key', `"${id}"`]] })
  const list = events.map(event => `{ "key": "${event.id}", "event": ${event.body} }`)
  return simDelivery({ source: 'orders', body: `{ "events": [${list.join(', ')}] }`, now, headers: [] })
}
