import { type Fingerprint, millis } from '../../functions/domain/brands.ts'
import { acceptQuarantined } from '../../functions/operate/quarantine.ts'
import { receive } from '../../functions/receive/receive.ts'
import { setSecret } from '../support/set-secret.ts'
import type { SimEvent } from './actors.ts'
import type { Chance } from './random.ts'
import type { Rig } from './rig.ts'
import { githubHeaders, simDelivery } from './sim-delivery.ts'
import { SECRETS } from './sim-secrets.ts'
import { NAMES } from './watch-writes.ts'

/** How many schedules have one. */
const HELD = 0.04
const NEXT = 'github-sim-next'

/** A sender signs with a secret that nobody has told us: its delivery is refused and kept, and accepted once we know better. */
export const heldOf = (luck: Chance): SimEvent[] => {
  if (!luck.happens(HELD)) return []
  const body = '{ "type": "simulated", "about": "held" }'
  const state = { fingerprint: undefined, acknowledged: false, refused: false, tries: 0, flying: 0 } as const
  return [{ ...state, source: 'github', id: 'held-0', body, renderings: [body], mode: luck.pick(['effect', 'commit']) }]
}

export const holdAndAccept = (rig: Rig, luck: Chance, event: SimEvent): void => {
  const { timeline, aws, troubleEnds } = rig
  timeline.after(luck.between(0, 20_000), () => refuse(rig, event))
  // After the secrets were rotated, if they are.
  timeline.after(luck.between(61_000, 120_000), () => {
    const lists = JSON.parse(aws.secrets.getSecret(NAMES.signingSecrets)?.text ?? '{}')
    const known = JSON.stringify({ ...lists, github: [SECRETS.github, NEXT] })
    setSecret(aws.secrets, NAMES.signingSecrets, known)
    for (let person = luck.between(1, 3); person > 0; person--)
      timeline.after(luck.between(0, 100_000), () => acceptAll(rig, event))
  })
  rig.pending++
  // After all others: two at one moment are in each other's way.
  timeline.at(Math.max(troubleEnds, timeline.now + 220_000) + 60_000, () => acceptAll(rig, event, LAST_TRIES))
}

const refuse = (rig: Rig, { id, body }: SimEvent): void => {
  const process = rig.newProcess('stranger')
  const { now } = rig.timeline
  const delivery = simDelivery({ source: 'github', body, now, headers: githubHeaders(id, body, NEXT) })
  void receive(rig.world(process), delivery).then(({ outcome }) =>
    rig.ledger.check(
      'S6 S7 what is forged or has no id is refused',
      outcome === 'rejected' || outcome === 'unavailable',
      () => `${id}: ${outcome}`,
    ),
  )
}

/** Recovery may be finishing the event at that moment: who is told to come again does. */
const LAST_TRIES = 3

/** An operator accepts what lies in quarantine; in the end nothing is in the way. */
const acceptAll = (rig: Rig, event: SimEvent, lastTries = 0): void => {
  const process = rig.newProcess('operator')
  const world = rig.world(process)
  const act = { actor: 'operator', reason: 'simulated', job: null } as const
  const isOver = lastTries === 1
  let isTaken = true
  const accept = async (): Promise<void> => {
    const since = millis(rig.ingredients.startsAt - 86_400_000)
    const deliveries = await world.deliveries.list('quarantine', 'github', since, millis(rig.timeline.now), 5)
    for (const { key } of deliveries) {
      const answer = await acceptQuarantined(world, { source: 'github', key, ...act })
      rig.ledger.note(process.name, `is told ${answer.kind}`)
      if (answer.kind === 'taken' && answer.outcome === 'accepted') rig.count('accepted')
      if (answer.kind === 'taken' && answer.id !== null) judge(rig, event, answer.id as Fingerprint)
      isTaken &&= answer.kind === 'taken'
      rig.ledger.check('S18 what a sender signed is accepted', !isOver || isTaken, () => answer.kind)
    }
  }
  void accept()
    .catch(error => rig.ledger.note(process.name, `threw ${error}`))
    .then(() => {
      if (lastTries > 1 && !isTaken) rig.timeline.after(60_000, () => acceptAll(rig, event, lastTries - 1))
      else if (lastTries > 0) rig.pending--
    })
}

/** From here on it has to be handled, like any other, and who accepted it is known. */
const judge = (rig: Rig, event: SimEvent, id: Fingerprint): void => {
  const { ledger, aws, records } = rig
  event.acknowledged = true
  event.fingerprint = id
  const isNoted = aws.items(NAMES.eventsTable).some(({ of, act }) => of === id && act !== undefined)
  ledger.check('S18 who accepted a delivery is on record', isNoted, () => event.id)
  ledger.acknowledged(id, records.get(id), undefined)
}
