import { expect, it } from 'vitest'
import { workLine } from '../../../functions/consume/work-line.ts'
import { recoverLine } from '../../../functions/recover/recover-line.ts'
import { inShort } from '../../../lib/local/log-line.ts'

const AT = Date.parse('2026-11-16T09:08:07.654Z')

const plain = (text: string): string => inShort(JSON.parse(text), (_, each) => each)

const MESSAGE = JSON.stringify({
  version: 1,
  id: 'a'.repeat(64),
  source: 'stripe',
  provider: 'stripe',
  eventId: 'evt_1',
  type: 'invoice.paid',
  generation: 0,
  edition: 0,
  receivedAt: '2026-11-16T09:08:00Z',
  correlationId: 'c',
  expiresAt: 1,
  retain: 0,
  bodySigned: true,
  headers: {},
  ordering: null,
  body: { sha256: 'b'.repeat(64), size: 0, encoding: 'base64', data: '' },
})

const work = (ended: Parameters<typeof workLine>[0]['ended'], receiveCount = 1, text = MESSAGE): string =>
  plain(
    workLine({
      environment: 'local',
      messageId: 'm-1',
      text,
      receiveCount,
      sentAt: AT - 20,
      ended,
      startedAt: AT - 12,
      finishedAt: AT,
    }),
  )

it('a message that was worked on is one short line', () => {
  expect(work({ work: 'done' })).toBe('09:08:07.654  done              stripe  invoice.paid  evt_1  12 ms')
  expect(work({ work: 'attempt-failed', lastError: 'Error: a\n\u001b[2Jb', attempts: 2, tries: 16 }, 9)).toBe(
    '09:08:07.654  attempt failed    stripe  invoice.paid  evt_1  attempt 2 of 16  12 ms  Error: a \u001b[2Jb',
  )
  expect(work({ work: 'done' }, 1, MESSAGE.replace('{', '{"to":["billing"],'))).toContain('evt_1  for billing  12 ms')
  expect(work({ work: 'unavailable', cause: 'timeout' }, 3)).toContain('evt_1  received 3 times  12 ms  timeout')
  expect(work({ work: 'failed', lastError: 'Unprocessable: no' })).toMatch(/ failed {12}stripe .* Unprocessable: no$/)
  expect(work({ work: 'failed', lastError: 'Error: no', at: '/app/worker.ts:3:9' })).toMatch(
    /no {2}\/app\/worker\.ts:3:9$/,
  )
  expect(work({ work: 'ignored', ignoredBecause: 'not ours' })).toMatch(/ ignored {11}stripe .* not ours$/)
  expect(work({ work: 'malformed', why: 'not a JSON object' }, 1, 'x')).toMatch(/\(unknown\) {2}m-1 .*not a JSON/)
})

it('a run of recovery prints only what it did', () => {
  const tally = { seen: 9, recovered: 2, waiting: 0, lost: 1, unreadable: 1, unavailable: 0, lag: 0 }
  expect(plain(recoverLine('local', tally, AT))).toBe(
    '09:08:07.654  recovery          2 recovered, 1 lost, 1 with a body that cannot be read',
  )
})
