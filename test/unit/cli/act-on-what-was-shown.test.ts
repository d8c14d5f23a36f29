import { PassThrough } from 'node:stream'
import { afterEach, expect, it, vi } from 'vitest'
import { type Fingerprint, millis } from '../../../functions/domain/brands.ts'
import type { EventRecord } from '../../../functions/domain/record.ts'
import { eraseOne } from '../../../lib/cli/steps/erase-events.ts'
import { replayOne } from '../../../lib/cli/steps/replay-one.ts'
import { type Operating, openOperator } from '../../../lib/operator/open-operator.ts'
import type { Terminal } from '../../../lib/terminal/terminal.ts'
import { claimedRecord } from '../../support/events.ts'
import { memoryRig } from '../../support/memory-rig.ts'

const NOW = millis(Date.parse('2026-11-16T12:00:00Z'))
const OURS = 'a'.repeat(64) as Fingerprint
const THEIRS = 'b'.repeat(64) as Fingerprint

const record = (fingerprint: Fingerprint, source: string, eventId: string, at = NOW): EventRecord =>
  claimedRecord(millis(at - 60_000), { fingerprint, source, eventId, status: 'done' })

afterEach(() => vi.restoreAllMocks())

/** A person who agrees to what the question says; whatever happens meanwhile is done before they answer. */
const atTerminal = (meanwhile: () => void) => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const stderr = new PassThrough({ encoding: 'utf8' })
  let question = ''
  stderr.on('data', text => {
    question += text
    if (!question.endsWith('[y/N] ')) return
    meanwhile()
    stdin.write('y\n')
  })
  vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as never)
  vi.spyOn(process, 'stderr', 'get').mockReturnValue(stderr as never)
  return () => question
}

const setUp = (...records: EventRecord[]) => {
  const memory = memoryRig({ now: () => NOW })
  for (const each of records) memory.records.set(each)
  const acted: string[] = []
  const act = async ({ id }: { readonly id: string }) => {
    acted.push(id)
    return { kind: 'unknown' }
  }
  const world = { ...memory.stores, now: () => NOW, sources: new Map(), acts: { replay: act, erase: act } }
  return { memory, acted, operator: openOperator(world as unknown as Operating) }
}

const terminal = { out: () => {}, err: () => {}, interactive: true } as unknown as Terminal
const how = { reason: 'x', yes: false, json: false, dryRun: false }

it.each([
  [
    'replay',
    (at: ReturnType<typeof setUp>, id: string) => replayOne(at.operator, { id }, { ...how, act: 'replay' }, terminal),
  ],
  ['erase', (at: ReturnType<typeof setUp>, id: string) => eraseOne(at.operator, { id }, how, terminal)],
])('%s acts on the event that the question named, whatever a sender calls its own', async (_, act) => {
  const spoken = setUp(record(OURS, 'stripe', 'evt_1', millis(NOW - 60_000)), record(THEIRS, 'stripe-eu', OURS))
  const named = atTerminal(() => {})
  await act(spoken, OURS)
  expect([named().includes('stripe evt_1'), spoken.acted]).toEqual([true, [OURS]])

  const overtaken = setUp(record(OURS, 'stripe', 'evt_1', millis(NOW - 60_000)))
  const asked = atTerminal(() => overtaken.memory.records.set(record(THEIRS, 'stripe-eu', 'evt_1')))
  await act(overtaken, 'evt_1')
  expect([asked().includes('stripe evt_1'), overtaken.acted]).toEqual([true, [OURS]])
})

it('an id of ours is not the event of another source than the one that is named', async () => {
  const { operator } = setUp(record(OURS, 'stripe', 'evt_1'), record(THEIRS, 'stripe-eu', OURS))
  const from = millis(NOW - 3_600_000)
  expect(await operator.find({ id: OURS, source: 'stripe-eu', from })).toMatchObject({ id: THEIRS })
  expect(await operator.find({ id: OURS, from })).toMatchObject({ id: OURS })
})
