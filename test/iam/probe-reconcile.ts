import { unique } from '../integration/rig.ts'
import { stripeEvent } from '../support/sender-stubs.ts'
import { large, type Probed, type Probing } from './probing.ts'
import type { Roles } from './roles.ts'
import type { Sender } from './rollout.ts'

/** Nobody has compared anything yet. */
const ANEW = { state: { sources: {}, senders: {} }, leaseUntil: 0 }

/** Two events that Stripe lists and has not sent, as far as we know. What was taken is a duplicate when it comes after all. */
export const probeReconcile = async ({ rig }: Probing, roles: Roles, sender: Sender): Promise<Probed> => {
  const events = { small: stripeEvent(listed()), large: { ...stripeEvent(listed()), large: large() } }
  sender.lists(Object.values(events))
  await rig.amend('reconciler', ANEW)
  await roles.invoke('Reconcile').catch(() => '')
  const answers = await Promise.all(
    Object.entries(events).map(async ([name, event]) => {
      const { body } = await rig.patiently(() => rig.stripeText(JSON.stringify(event)))
      return [name, body as { readonly status: string; readonly id: string }] as const
    }),
  )
  return {
    worked: Object.fromEntries(answers.map(([name, { status }]) => [name, status === 'duplicate'])),
    owed: answers.map(([, { id }]) => id),
  }
}

const listed = () => ({ id: unique(), type: 'invoice.paid', at: Date.now() - 600_000 })
