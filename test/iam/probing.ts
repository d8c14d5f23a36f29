import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Rig, StripeEvent } from '../integration/rig.ts'

/** What was tried, and whether it worked; the ids of all that was acknowledged, or is to be finished. */
export interface Probed {
  readonly worked: Readonly<Record<string, boolean>>
  readonly owed: readonly string[]
}

/** How long a thing that works takes at most. */
export interface Patience {
  millis: number
}

/** Too large for the table, and too large for a message. */
export const large = (): string => randomBytes(100_000).toString('hex')
export const tooLargeToSend = (): string => randomBytes(1_500_000).toString('hex')

/** An event by the name of what is tried with it. */
export type Named = Readonly<Record<string, string>>

export type Probing = ReturnType<typeof probing>

export const probing = (rig: Rig, patience: Patience) => {
  const ends = async (id: string, atLeast = 0): Promise<boolean> => {
    const until = Date.now() + patience.millis
    while (Date.now() < until) {
      const record = await rig.record(id)
      if (['done', 'failed'].includes(record?.status ?? '') && Number(record?.generation ?? 0) >= atLeast) return true
      await sleep(200)
    }
    return false
  }

  const taken = async (deliver: () => Promise<Answer>): Promise<string> => (await rig.patiently(deliver)).body.id

  return {
    rig,
    ends,
    taken,
    /** For one of the destinations of the suite. */
    routed: (event: StripeEvent): Promise<string> => taken(() => rig.stripe(event, { source: 'routed' })),

    /** What receivers answered. */
    posted: async (
      deliveries: Readonly<Record<string, () => Promise<Pick<Answer, 'status' | 'body'>>>>,
    ): Promise<Probed> => {
      const answers = await Promise.all(
        Object.entries(deliveries).map(async ([name, deliver]) => [name, await deliver()] as const),
      )
      return {
        worked: Object.fromEntries(answers.map(([name, { status }]) => [name, status < 300])),
        owed: answers.flatMap(([, { status, body }]) => (status < 300 ? [body.id] : [])),
      }
    },

    allEnd: async (named: Named): Promise<Probed> => ({
      worked: Object.fromEntries(
        await Promise.all(Object.entries(named).map(async ([name, id]) => [name, await ends(id)])),
      ),
      owed: Object.values(named),
    }),

    /** Texts that none of our functions wrote, with the ids that bury gives them. */
    strange: async (queueUrl: string, texts: Named): Promise<Named> => {
      for (const text of Object.values(texts)) await rig.sendTo(queueUrl, text)
      const idOf = (text: string) => createHash('sha256').update(`unread message ${text}`).digest('hex')
      return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, idOf(text)]))
    },

    /** Whether a command ended well, with what it answered. */
    command: async (...args: string[]) => {
      const { code, out } = await rig.hooklatch(...args, '--json')
      return { isDone: code === 0, answer: out.startsWith('{') ? JSON.parse(out) : {} }
    },
  }
}
