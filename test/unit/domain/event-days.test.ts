import { describe, expect, it } from 'vitest'
import { type EventDays, earlierDay, noteDay } from '../../../functions/domain/event-days.ts'

const at = (text: string): number => Date.parse(`2026-11-${text}Z`)
const end = (day: string): number => at(`${day}T23:59:59.999`)

describe('the days that recovery notes', () => {
  it('a first walk knows its first day only in part, so it vouches for the next one', () => {
    expect(noteDay(undefined, '2026-11-16T12:00:00.000Z#', false)).toEqual({ since: '2026-11-17', days: [] })
    expect(noteDay(undefined, '2026-11-16T12:00:00.000Z#', true)).toEqual({ since: '2026-11-17', days: ['2026-11-16'] })
  })

  it('a day is noted once, and one without events not at all', () => {
    const known: EventDays = { since: '2026-11-01', days: ['2026-11-15'] }
    expect(noteDay(known, '2026-11-15T12:00:00.000Z#f', true)).toEqual(known)
    expect(noteDay(known, '2026-11-16T00:00:00.000Z#', false)).toEqual(known)
    expect(noteDay(known, '2026-11-16T00:00:00.000Z#', true).days).toEqual(['2026-11-15', '2026-11-16'])
  })

  it('of more than 400 days the oldest are forgotten, and are not vouched for any more', () => {
    const days = Array.from({ length: 400 }, (_, index) => new Date(index * 86_400_000).toISOString().slice(0, 10))
    const next = noteDay({ since: '1970-01-01', days }, '1975-01-01T00:00:00.000Z#', true)
    expect(next.since).toBe('1970-01-02')
    expect(next.days).toHaveLength(400)
    expect(next.days.at(-1)).toBe('1975-01-01')
  })
})

describe('the day that a listing looks at next', () => {
  const known: EventDays = { since: '2026-11-05', days: ['2026-11-07', '2026-11-12'] }
  const walkedTo = '2026-11-15T10:00:00.000Z#'

  it.each([
    ['the day before, if nothing is known', '16T12:00:00', undefined, end('15')],
    ['the day before, if recovery has not walked to its end', '16T12:00:00', known, end('15')],
    ['the newest one with events', '15T12:00:00', known, end('12')],
    ['the one with events before', '12T12:00:00', known, end('07')],
    ['the one before the first that is known, if there was none since', '07T12:00:00', known, end('04')],
    ['the day before, among those that recovery never walked', '04T12:00:00', known, end('03')],
  ])('is %s', (_says, from, days, expected) => {
    expect(earlierDay(at(from), days, walkedTo)).toBe(expected)
  })
})
