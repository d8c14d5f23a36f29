import { type Rig, unique } from '../integration/rig.ts'
import { probeOperate } from './probe-operate.ts'
import { probeReconcile } from './probe-reconcile.ts'
import { probeRecover } from './probe-recover.ts'
import { large, type Patience, type Probed, probing, tooLargeToSend } from './probing.ts'
import type { Roles } from './roles.ts'
import type { Sender } from './rollout.ts'

/** For each function, everything it is for, once. */
export const probesOf = (
  rig: Rig,
  roles: Roles,
  sender: Sender,
  patience: Patience,
): Readonly<Record<string, () => Promise<Probed>>> => {
  const tools = probing(rig, patience)
  const { posted, allEnd, taken, routed, strange } = tools
  const octets = () => ({
    'content-type': 'application/octet-stream',
    'x-github-event': 'push',
    'x-github-delivery': unique(''),
  })

  /** What a function that runs the user's code does with events of one type. */
  const worked = async (source: 'stripe' | 'routed', type: string): Promise<Probed> => {
    const send = (event: object) => taken(() => rig.stripe({ type, ...event }, { source }))
    return allEnd({
      plain: await send({}),
      refused: await send({ todo: { kind: 'refuse' } }),
      'large and refused': await send({ pad: large(), todo: { kind: 'refuse' } }),
      'by pointer': await send({ pad: tooLargeToSend() }),
    })
  }

  /** What a function of ours hands over. */
  const handedOver = async (type: string): Promise<Probed> =>
    allEnd({ plain: await routed({ type }), 'by pointer': await routed({ type, pad: tooLargeToSend() }) })

  return {
    Receive: () =>
      posted({
        stripe: () => rig.stripe({}),
        github: () => rig.provider('github', unique('')),
        large: () => rig.signedBytes('github', Buffer.from(large()), octets()),
        ordered: () => rig.stripe({}, { source: 'ordered' }),
        billing: () => rig.stripe({ type: 'invoice.paid' }, { source: 'routed' }),
        crm: () => rig.stripe({ type: 'customer.created' }, { source: 'routed' }),
        all: () => rig.stripe({ type: 'charge.failed' }, { source: 'routed' }),
        several: () => rig.stripe({ type: 'checkout.completed' }, { source: 'routed' }),
      }),

    Publish: () =>
      posted({
        order: async () => {
          const answer = await rig.impatientPublisher
            .publish({ orderId: 'any' }, unique('order-'))
            .catch(() => undefined)
          return { status: answer?.status ?? 503, body: JSON.parse(answer?.body || '{}') }
        },
      }),

    Worker: () => worked('stripe', 'invoice.paid'),
    DestinationsbillingHandler: () => worked('routed', 'invoice.paid'),
    DestinationscrmHandler: () => handedOver('customer.created'),
    DestinationsallHandler: () => handedOver('charge.failed'),
    FanOut: () => handedOver('checkout.completed'),

    Bury: async () => {
      const texts = { small: `not ours ${unique('')}`, large: `not ours ${large()}` }
      return allEnd(await strange(rig.deployment.deadLettersUrl, texts))
    },

    Operate: () => probeOperate(tools),
    Recover: () => probeRecover(tools, roles),
    Reconcile: () => probeReconcile(tools, roles, sender),
  }
}
