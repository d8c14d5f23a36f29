import { type Millis, millis } from '../../functions/domain/brands.ts'
import { NOON } from '../support/events.ts'

/** Said by an act that resolved no promise and began nothing. */
export const STILL = Symbol('still')

interface Moment {
  readonly at: number
  readonly order: number
  readonly act: () => unknown
}

/** Virtual time: whatever is to happen happens in order, and nothing takes any time between. */
export class Timeline {
  now: Millis
  /** The moment that was last set nobody free: the next may follow it at once. */
  still = false
  #order = 0
  #heap: Moment[] = []

  constructor(startsAt: number = NOON) {
    this.now = millis(startsAt)
  }

  at(time: number, act: () => unknown): void {
    this.#push({ at: Math.max(time, this.now), order: this.#order++, act })
  }

  after(delay: number, act: () => unknown): void {
    this.at(this.now + delay, act)
  }

  /** The next thing happens; false when nothing is left. What it sets free runs before the one after it. */
  step(): boolean {
    const moment = this.#pop()
    if (!moment) return false
    this.now = millis(moment.at)
    this.still = moment.act() === STILL
    return true
  }

  #push(moment: Moment): void {
    const heap = this.#heap
    heap.push(moment)
    let index = heap.length - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!before(moment, heap[parent] as Moment)) break
      heap[index] = heap[parent] as Moment
      index = parent
    }
    heap[index] = moment
  }

  #pop(): Moment | undefined {
    const heap = this.#heap
    const top = heap[0]
    const last = heap.pop()
    if (!top || !last || heap.length === 0) return top
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && before(heap[child + 1] as Moment, heap[child] as Moment)) child++
      if (!before(heap[child] as Moment, last)) break
      heap[index] = heap[child] as Moment
      index = child
    }
    heap[index] = last
    return top
  }
}

const before = (left: Moment, right: Moment): boolean =>
  left.at < right.at || (left.at === right.at && left.order < right.order)
