import { join } from 'node:path'
import { startLocal } from '../support/local-rig.ts'
import { awaitDone } from './await-done.ts'
import { client } from './client.ts'
import { type Ledger, ledger, type Outcome } from './ledger.ts'
import { sendersOf } from './senders.ts'

const DAY_MS = 86_400_000
const FIRST_DAY = Date.UTC(2026, 10, 16, 9)

/** Stripe's are remembered for 30 days, and nobody else's for longer. */
const VISITS: readonly { readonly day: number; readonly expected: Outcome }[] = [
  { day: 0, expected: 'accepted' },
  { day: 0, expected: 'duplicate' },
  { day: 17, expected: 'duplicate' },
  { day: 31, expected: 'accepted' },
  { day: 31, expected: 'duplicate' },
]

/** The same events on several days, each day a local instance of its own on the data of the one before. Sentences, if anything is wrong. */
export const repeatAfterExpiry = async (directory: string, events: number): Promise<readonly string[]> => {
  const wrong: string[] = []
  for (const day of new Set(VISITS.map(visit => visit.day))) {
    const now = new Date(FIRST_DAY + day * DAY_MS).toISOString()
    const local = await startLocal(directory, ['--data', join(directory, 'data'), '--now', now])
    for (const { expected } of VISITS.filter(visit => visit.day === day)) {
      const senders = await sendersOf(local, 'expiry')
      const book = await visit(local.url, senders.event, events, expected)
      if (book.counts[expected] !== events)
        wrong.push(`day ${day}: ${JSON.stringify(book.counts)}, not all ${expected}`)
      wrong.push(...book.wrong)
    }
    await awaitDone(local)
    local.pressCtrlC()
    await local.finished
  }
  return wrong
}

const visit = async (
  url: string,
  event: (number: number) => Parameters<ReturnType<typeof client>['post']>[0],
  events: number,
  expected: Outcome,
): Promise<Ledger> => {
  const connections = client(url, 10)
  const book = ledger()
  for (let number = 0; number < events; number++) {
    book.note(await connections.post(event(number)), { kind: 'event', event: number, allowed: [expected] })
  }
  connections.close()
  return book
}
