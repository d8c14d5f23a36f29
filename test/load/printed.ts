import { setTimeout as sleep } from 'node:timers/promises'
import type { Printed } from './balance.ts'

const DELIVERY = /^\d\d:\d\d:\d\d\.\d{3} {2}\d{3} {2}([a-z-]+)/gm

/** Deliveries by outcome, counted from what a local instance printed; waits a little for the last lines of so many. */
export const printedBy = async (out: () => string, deliveries: number): Promise<Printed> => {
  for (let tries = 0; ; tries++) {
    const counts: Record<string, number> = {}
    let sum = 0
    for (const [, outcome = ''] of out().matchAll(DELIVERY)) {
      counts[outcome] = (counts[outcome] ?? 0) + 1
      sum++
    }
    if (sum >= deliveries || tries > 20) return counts
    await sleep(100)
  }
}
