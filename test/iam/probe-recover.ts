import { setTimeout as sleep } from 'node:timers/promises'
import { unique } from '../integration/rig.ts'
import { large, type Named, type Probed, type Probing } from './probing.ts'
import type { Roles } from './roles.ts'

const HOUR_MS = 3_600_000

/** Events whose receiver died, a pause that is over, and the queue of a destination that was removed. */
export const probeRecover = async (tools: Probing, roles: Roles): Promise<Probed> => {
  const { rig, taken, routed, allEnd } = tools
  const abandoned: Named = {
    'to worker': await taken(() => rig.provider('github', unique(''))),
    large: await taken(() => rig.stripe({ pad: large() })),
    'to billing': await routed({ type: 'invoice.paid' }),
    'to crm': await routed({ type: 'customer.created' }),
    'to all': await routed({ type: 'charge.failed' }),
    'to several': await routed({ type: 'checkout.completed' }),
  }
  for (const id of Object.values(abandoned)) await rig.settled(id, 'done')
  await rig.hooklatch('pause', 'all', '--for', '5s', '--reason', 'probe')
  const resumed = await routed({ type: 'charge.failed' })
  for (const id of Object.values(abandoned)) await rig.abandon(id)
  const left = await leftBehind(tools)
  // Until they are old enough to be looked at.
  await sleep(12_000)
  await roles.invoke('Recover').catch(() => '')
  const probed = await allEnd({ ...abandoned, resumed, ...left })
  await rig.hooklatch('resume', 'all')
  return probed
}

/** A queue whose destination is gone, with a message that waits in it. */
const leftBehind = async ({ rig, strange }: Probing): Promise<Named> => {
  const tail = rig.deployment.queueUrl.split('-').at(-1)
  const url = await rig.makeQueue(`left-${tail}`)
  const now = Date.now()
  await rig.amend('recovery#queues', { at: now, queues: { left: { url, removedAt: now - HOUR_MS } } })
  return strange(url, { 'left behind': `not ours ${unique('')}` })
}
