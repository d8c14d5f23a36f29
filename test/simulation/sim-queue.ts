import type { Message } from '../../functions/contract/message.ts'
import type { Chance } from './random.ts'
import type { Timeline } from './timeline.ts'

export interface SimMessage {
  readonly id: number
  readonly text: string
  /** What the text says. */
  readonly said: Message
  receives: number
  visibleAt: number
  readonly sentAt: number
  gone: boolean
}

export interface SimQueueOptions {
  readonly visibility: number
  readonly retention: number
  readonly maxReceives?: number
  readonly onDead?: (message: SimMessage) => void
  /** How often a received message stays visible, as SQS may let it. */
  readonly duplicates: () => number
}

/** SQS: at least once, in no order, hidden while in flight, dropped after its retention. */
export class SimQueue {
  readonly messages: SimMessage[] = []
  #next = 0
  readonly #timeline: Timeline
  readonly #luck: Chance
  readonly #options: SimQueueOptions

  constructor(timeline: Timeline, luck: Chance, options: SimQueueOptions) {
    this.#timeline = timeline
    this.#luck = luck
    this.#options = options
  }

  send(text: string, said: Message, sentAt: number = this.#timeline.now): void {
    const { now } = this.#timeline
    this.messages.push({ id: this.#next++, text, said, receives: 0, visibleAt: now, sentAt, gone: false })
  }

  receive(): SimMessage | undefined {
    if (this.messages.length === 0) return undefined
    const now = this.#timeline.now
    this.#sweep(now)
    const visible = this.messages.filter(message => message.visibleAt <= now)
    if (visible.length === 0) return undefined
    const message = this.#luck.pick(visible)
    message.receives++
    if (!this.#luck.happens(this.#options.duplicates())) message.visibleAt = now + this.#options.visibility
    return message
  }

  delete(message: SimMessage): void {
    message.gone = true
    const index = this.messages.indexOf(message)
    if (index >= 0) this.messages.splice(index, 1)
  }

  get size(): number {
    return this.messages.length
  }

  #sweep(now: number): void {
    const { retention, maxReceives, onDead } = this.#options
    for (const message of [...this.messages]) {
      if (now - message.sentAt > retention) this.delete(message)
      else if (maxReceives !== undefined && message.receives >= maxReceives && message.visibleAt <= now) {
        this.delete(message)
        onDead?.(message)
      }
    }
  }
}
