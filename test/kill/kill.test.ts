import { describe, expect, it } from 'vitest'
import type { EventRecord } from '../../functions/domain/record.ts'
import { claimedRecord } from '../support/events.ts'
import { imbalances } from './balance.ts'
import { kill } from './kill.ts'
import type { Senders, SentEvent } from './senders.ts'

describe('handlers in processes of their own, killed with -9 at random', () => {
  it('forty kills leave a ledger that balances', async () => {
    const ledger = await kill({ kills: 40, seed: 1 })
    // biome-ignore lint/suspicious/noConsole: the ledger is what this test shows
    console.log(JSON.stringify(ledger, null, 2))
    expect(ledger.imbalances).toEqual([])
    expect(ledger.done).toBeGreaterThan(0)
    expect(ledger.accepted).toBe(ledger.done + ledger.failed)
    const { accepted, duplicate, rejected, unavailable, unknown } = ledger.answers
    expect(ledger.received).toBe(accepted + duplicate + rejected + unavailable + unknown)
  })

  describe('a ledger that does not balance', () => {
    const said = (
      event: Partial<SentEvent>,
      received: number,
      record: Partial<EventRecord> | undefined,
      effects: number,
    ) => {
      const sent: SentEvent = { id: 'e-commit', source: 'stripe', forged: false, acknowledged: true, ...event }
      const answers = { accepted: 1, duplicate: 0, rejected: 0, unavailable: 0, unknown: 0 }
      const senders = { events: [sent], answers, received, strange: [] } as unknown as Senders
      const records = record ? [claimedRecord(undefined, { eventId: 'e-commit', status: 'done', ...record })] : []
      const [fingerprint] = records.map(each => each.fingerprint)
      return imbalances(senders, { records, messages: 0, deadLetters: 0 }, new Map([[fingerprint ?? '', effects]]))
    }

    it.each([
      ['an effect twice', said({}, 1, {}, 2), 'e-commit is done, with 2 effects'],
      ['no effect', said({}, 1, {}, 0), 'e-commit is done, with 0 effects'],
      ['a lost event', said({}, 1, undefined, 0), 'e-commit was acknowledged, and has no record'],
      ['an unfinished event', said({}, 1, { status: 'working' }, 0), 'e-commit stays working: null'],
      ['a failed one without its body', said({}, 1, { status: 'failed' }, 0), 'e-commit failed without its body: null'],
      ['a sender left alone', said({ acknowledged: false }, 1, {}, 1), 'e-commit was never acknowledged'],
      ['a forgery', said({ forged: true, acknowledged: false }, 1, {}, 1), 'e-commit was forged, and got through'],
      ['a delivery without an answer', said({}, 2, {}, 1), '2 deliveries were received, 1 are accounted for'],
    ])('a ledger that does not balance says so of %s', (_, sentences, sentence) => {
      expect(sentences).toEqual([sentence])
    })
  })
})
