import type { Http } from '../../functions/domain/api-answer.ts'
import { type Fingerprint, millis } from '../../functions/domain/brands.ts'
import { type CompareAnswer, type CompareOrder, compareSent } from '../../functions/operate/compare-sent.ts'
import { reconcile } from '../../functions/operate/reconcile.ts'
import type { SimEvent } from './actors.ts'
import type { Process } from './faults.ts'
import { DAY } from './ingredients.ts'
import type { Rig } from './rig.ts'
import { STILL } from './timeline.ts'
import { NAMES } from './watch-writes.ts'

/** How an event stands in its sender's own list. */
export const listed = ({ startsAt }: Rig['ingredients'], { body }: SimEvent): string =>
  JSON.stringify({ ...JSON.parse(body), created: Math.floor(startsAt / 1000) })

/** The operate function ends after a minute, whatever it is at. */
const OPERATE_MS = 60_000

const ACTOR = 'reconciler'

/** Somebody compares the sender's list with ours, and takes what is missing. The last time nothing is in the way, and nothing is left out. */
export const reconcileOnce = (rig: Rig, events: readonly SimEvent[], isLast = false): void => {
  const { timeline, ingredients, ledger } = rig
  const ours = events.filter(({ source }) => source === 'stripe')
  const desk = {
    compare: (order: CompareOrder) => comparePage(rig, ours, order),
    pause: (delay: number) => new Promise<void>(resolve => timeline.after(delay, resolve)),
  }
  const order: CompareOrder = {
    source: 'stripe',
    apiKey: 'rk_test_simulated',
    rate: 5,
    since: millis(ingredients.startsAt - DAY),
    types: [],
    after: null,
    url: 'https://hooks.example.com/webhooks/stripe',
    reason: 'simulated',
    except: [],
  }
  if (isLast) rig.pending++
  void reconcile(desk, order).then(({ why }) => {
    ledger.note('reconcile', `ends ${why}`)
    if (!isLast) return
    rig.pending--
    ledger.check('L5 a list is read to its end when nothing is in the way', why === null, () => String(why))
    for (const event of ours.filter(({ isMissed }) => isMissed)) judgeMissed(rig, event)
  })
}

const comparePage = (rig: Rig, events: readonly SimEvent[], order: CompareOrder): Promise<CompareAnswer> => {
  const process = rig.newProcess('reconcile')
  const world = { ...rig.world(process), http: listOf(rig, process, events) }
  return new Promise(resolve => {
    let isOver = false
    const answer = (given: CompareAnswer): void => {
      if (isOver) return
      isOver = true
      if (given.kind === 'compared') judge(rig, process, events, given)
      resolve(given)
    }
    rig.timeline.after(OPERATE_MS, () => {
      process.alive = false
      return isOver ? STILL : answer({ kind: 'unavailable', cause: 'it took too long' })
    })
    void compareSent(world, order, ACTOR).then(answer)
  })
}

/** As Stripe's API answers, at the far end of a wire. */
const listOf =
  (rig: Rig, process: Process, events: readonly SimEvent[]): Http =>
  ({ url }) =>
    rig.remote({
      process,
      name: 'listSent',
      apply: () => {
        const after = new URL(url).searchParams.get('starting_after')
        const left = events.slice(events.findIndex(({ id }) => id === after) + 1)
        const page = rig.isPaged ? left.slice(0, 1) : left
        const data = page.map(event => listed(rig.ingredients, event)).join()
        const text = `{"object":"list","has_more":${page.length < left.length},"data":[${data}]}`
        return { status: 200, headers: {}, text }
      },
    })

/** What is told to be taken is acknowledged: from here on it has to be handled, like any other. */
const judge = (
  rig: Rig,
  { leads }: Process,
  events: readonly SimEvent[],
  { items }: Extract<CompareAnswer, { kind: 'compared' }>,
): void => {
  const { ledger, records, aws } = rig
  for (const { id, eventId, state } of items) {
    const event = events.find(each => each.id === eventId)
    ledger.check('S17 what a list names is an event of its sender', event !== undefined, () => `${eventId} ${state}`)
    if (!event || id === null || state !== 'taken') continue
    rig.count('reconciled')
    event.acknowledged = true
    event.fingerprint = id as Fingerprint
    const isNoted = aws.items(NAMES.eventsTable).some(({ of, act }) => of === id && act !== undefined)
    ledger.check('S17 who had an event taken is on record', isNoted, () => event.id)
    const isWanted = leads === undefined || event.route === undefined || leads[event.route].length > 0
    if (isWanted) ledger.acknowledged(id, records.get(id), undefined)
  }
}

/** Nobody else brings it: after a run that nothing was in the way of, it is there, and will be handled. */
const judgeMissed = ({ ledger, records }: Rig, event: SimEvent): void => {
  const record = [...records.values()].find(({ eventId, copyOf }) => eventId === event.id && copyOf === null)
  const isForgotten = event.fingerprint !== undefined && ledger.forgotten.has(event.fingerprint)
  ledger.check("L5 what only the sender's list has is taken", record !== undefined || isForgotten, () => event.id)
  if (!record) return
  event.acknowledged = true
  event.fingerprint = record.fingerprint
}
