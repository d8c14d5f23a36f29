import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Rig, unique } from '../integration/rig.ts'
import type { Roles } from './roles.ts'

/** What was tried, and whether it worked; the ids of all that was acknowledged, or is to be finished. */
export interface Probed {
  readonly worked: Readonly<Record<string, boolean>>
  readonly owed: readonly string[]
}

/** How long a thing that works takes at most, on a machine that is busy. */
const PATIENCE_MS = 8_000
const BYTES = 100_000

/** For each function, everything it is for, once. */
export const probesOf = (rig: Rig, roles: Roles): Readonly<Record<string, () => Promise<Probed>>> => {
  const large = () => randomBytes(BYTES)
  const octets = () => ({
    'content-type': 'application/octet-stream',
    'x-github-event': 'push',
    'x-github-delivery': unique(''),
  })

  const posted = async (
    deliveries: Readonly<Record<string, () => Promise<{ status: number; body: { id: string } }>>>,
  ) => {
    const answers = await Promise.all(
      Object.entries(deliveries).map(async ([name, deliver]) => [name, await deliver()] as const),
    )
    return {
      worked: Object.fromEntries(answers.map(([name, { status }]) => [name, status < 300])),
      owed: answers.flatMap(([, { status, body }]) => (status < 300 ? [body.id] : [])),
    }
  }

  const ends = async (id: string, ...statuses: string[]): Promise<boolean> => {
    const until = Date.now() + PATIENCE_MS
    while (Date.now() < until) {
      if (statuses.includes((await rig.record(id))?.status ?? '')) return true
      await sleep(200)
    }
    return false
  }

  const allEnd = async (named: Readonly<Record<string, string>>): Promise<Probed> => ({
    worked: Object.fromEntries(
      await Promise.all(Object.entries(named).map(async ([name, id]) => [name, await ends(id, 'done', 'failed')])),
    ),
    owed: Object.values(named),
  })

  const taken = async (deliver: () => Promise<{ status: number; body: { id: string }; headers: Headers }>) =>
    (await rig.patiently(deliver)).body.id

  return {
    Receive: () =>
      posted({
        stripe: () => rig.stripe({}),
        github: () => rig.provider('github', unique('')),
        large: () => rig.signedBytes('github', large(), octets()),
        ordered: () => rig.stripe({}, { source: 'ordered' }),
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

    Worker: async () => {
      const pad = randomBytes(BYTES).toString('hex')
      const pointed = randomBytes(1_500_000).toString('hex')
      return allEnd({
        plain: await taken(() => rig.stripe({})),
        refused: await taken(() => rig.stripe({ todo: { kind: 'refuse' } })),
        'large and refused': await taken(() => rig.stripe({ pad, todo: { kind: 'refuse' } })),
        'by pointer': await taken(() => rig.stripe({ pad: pointed })),
      })
    },

    Bury: async () => {
      const texts = { small: `not ours ${unique('')}`, large: `not ours ${large().toString('hex')}` }
      for (const text of Object.values(texts)) await rig.sendTo(rig.deployment.deadLettersUrl, text)
      const idOf = (text: string) => createHash('sha256').update(text).digest('hex')
      return allEnd({ small: idOf(texts.small), large: idOf(texts.large) })
    },

    Operate: async () => {
      const id = await taken(() => rig.stripe({}))
      await rig.settled(id, 'done')
      const { code, out } = await rig.hooklatch('replay', id, '--reason', 'probe', '--yes', '--json')
      const isQueued = code === 0 && JSON.parse(out).queued === true
      return { worked: { replay: code === 0, 'queued at once': isQueued }, owed: [id] }
    },

    Recover: async () => {
      const id = await taken(() => rig.provider('github', unique('')))
      await rig.settled(id, 'done')
      await rig.abandon(id)
      // Until it is old enough to be looked at.
      await sleep(12_000)
      await roles.invoke('Recover').catch(() => '')
      return allEnd({ abandoned: id })
    },
  }
}
