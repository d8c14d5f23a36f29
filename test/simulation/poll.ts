import type { Rig } from './rig.ts'
import { STILL } from './timeline.ts'

export interface Poller {
  /** Between two turns, in milliseconds. */
  readonly gap: () => number
  /** When there is something to do, as far as can be known; `undefined`: sleep until somebody does something. */
  readonly due: () => number | undefined
  readonly act: () => unknown
}

/** Acts again and again while there is something to do: time in which there is nothing is leapt over. */
export const poll = ({ timeline, wakers }: Rig, { gap, due, act }: Poller): void => {
  let next = Number.POSITIVE_INFINITY
  const set = (at: number): void => {
    if (at >= next) return
    next = at
    timeline.at(at, () => (next === at ? turn() : STILL))
  }
  const turn = (): unknown => {
    next = Number.POSITIVE_INFINITY
    const at = due()
    if (at === undefined) return STILL
    if (at > timeline.now) {
      set(at)
      return STILL
    }
    const said = act()
    set(timeline.now + gap())
    return said
  }
  wakers.push(() => {
    if (next > timeline.now + LONG) set(timeline.now + gap())
  })
  set(timeline.now + gap())
}

/** Who has a turn soon need not be woken. */
const LONG = 10_000

type Waiting = ReturnType<Rig['aws']['messages']>

/** A group waits for the last of its messages that is in flight. */
const byGroup = (messages: Waiting): number[] => {
  const last = new Map<unknown, number>()
  for (const message of messages) last.set(message.group, Math.max(readyAt(message), last.get(message.group) ?? 0))
  return [...last.values()]
}

/** What was received so often in vain is waited for longer and longer: a dead letter whose body nobody can read comes 6,700 times. */
const readyAt = ({ visibleAt, receives, sentAt }: Waiting[number]): number =>
  receives > OFTEN ? visibleAt + Math.ceil((visibleAt - sentAt) / 8) : visibleAt

const OFTEN = 100

/** When a queue may have something to hand out. */
export const dueOf = ({ aws, timeline, ingredients }: Rig, url: string): number | undefined => {
  const messages = aws.messages(url)
  const visibleAt = url.endsWith('.fifo') ? byGroup(messages) : messages.map(readyAt)
  const first = visibleAt.length > 0 ? Math.min(...visibleAt) : undefined
  const { outage } = ingredients
  const isDown = outage?.service === 'sqs' && outage.from <= timeline.now && timeline.now < outage.until
  return first !== undefined && isDown ? Math.max(first, outage.until) : first
}
