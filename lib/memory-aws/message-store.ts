import { canonical } from './canonical.ts'
import type { Stateful } from './synchronous.ts'

export interface QueueShape {
  readonly visibilitySeconds: number
  readonly retentionSeconds: number
  readonly deadLetters?: { readonly url: string; readonly maxReceiveCount: number }
}

export interface StoredMessage {
  readonly id: string
  readonly body: string
  readonly attributes: Readonly<Record<string, string>>
  /** Of a FIFO queue, and of a standard one if the sender named one. */
  readonly group: string | undefined
  readonly deduplication: string | undefined
  readonly sequence: string | undefined
  readonly sentAt: number
  readonly visibleAt: number
  readonly receives: number
  readonly firstReceivedAt: number | undefined
  /** The one that was given out last. */
  readonly receipt: string | undefined
  /** The queue that gave it up. */
  readonly deadFrom: string | undefined
}

/** The messages of one queue, oldest first. */
export interface MessageStore extends Stateful {
  readonly shape: QueueShape
  readonly url: string
  readonly arn: string
  readonly fifo: boolean
  messages(): readonly StoredMessage[]
  add(message: StoredMessage): void
  /** Puts the changed message in the place of the one with its id. */
  change(message: StoredMessage): void
  remove(id: string): void
  /** Whether a message with this deduplication id was sent in the last five minutes; if not, one is now. */
  isRepeated(deduplication: string): boolean
}

const DEDUPLICATION_MS = 5 * 60_000

interface State {
  readonly messages: readonly StoredMessage[]
  readonly seen: ReadonlyMap<string, number>
}

export const messageStore = (url: string, shape: QueueShape, now: () => number): MessageStore => {
  let stored: readonly StoredMessage[] = []
  let seen = new Map<string, number>()
  const fifo = url.endsWith('.fifo')

  const messages = (): readonly StoredMessage[] => {
    const oldest = now() - shape.retentionSeconds * 1000
    if (stored.some(({ sentAt }) => sentAt <= oldest)) stored = stored.filter(({ sentAt }) => sentAt > oldest)
    return stored
  }

  const forget = (): void => {
    for (const [id, at] of seen) if (now() - at >= DEDUPLICATION_MS) seen.delete(id)
  }

  return {
    shape,
    url,
    arn: `arn:aws:sqs:us-east-1:000000000000:${url.slice(url.lastIndexOf('/') + 1)}`,
    fifo,
    messages,
    add: message => {
      stored = [...stored, Object.freeze(message)]
    },
    change: message => {
      stored = stored.map(each => (each.id === message.id ? Object.freeze(message) : each))
    },
    remove: id => {
      stored = stored.filter(each => each.id !== id)
    },
    isRepeated(deduplication) {
      forget()
      if (seen.has(deduplication)) return true
      seen.set(deduplication, now())
      return false
    },
    snapshot: (): State => ({ messages: stored, seen: new Map(seen) }),
    restore(snapshot) {
      const state = snapshot as State
      stored = state.messages
      seen = new Map(state.seen)
    },
    stateText() {
      forget()
      const texts = messages().map(canonical)
      // The order of a standard queue means nothing.
      return `[${(fifo ? texts : texts.sort()).join()}] ${canonical(seen)}`
    },
  }
}
