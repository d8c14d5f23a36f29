import { describe, expect, test } from 'vitest'
import { readMessage } from '../../../functions/domain/read-message.ts'

const DIGEST = 'a'.repeat(64)
const BODY = { sha256: DIGEST, size: 2, encoding: 'base64', data: 'e30=' }
const MESSAGE = {
  version: 1,
  id: DIGEST,
  source: 'stripe',
  provider: 'stripe',
  eventId: 'evt_1',
  type: 'invoice.paid',
  generation: 0,
  edition: 2,
  receivedAt: '2026-11-16T12:00:00.000Z',
  correlationId: 'c-1',
  expiresAt: 1_800_000_000,
  retain: 0,
  bodySigned: true,
  headers: { 'content-type': 'application/json' },
  ordering: { key: 'k', version: 7 },
  body: BODY,
}
const read = (changed: object) => readMessage(JSON.stringify({ ...MESSAGE, ...changed }))

describe('a message', () => {
  test('a message is read as it was written', () => {
    expect(read({})).toEqual({ kind: 'read', message: MESSAGE })
  })

  test.each([
    { type: null },
    { ordering: null },
    { ordering: { key: 'k', version: null } },
    { ordering: { key: 'k', version: '2026-11-16' } },
    { headers: {} },
    { body: { ...BODY, data: '' } },
    { body: { sha256: DIGEST, size: 9, encoding: 'zstd', data: 'KLUv' } },
    { body: { sha256: DIGEST, size: 9, encoding: 'pointer', at: 'dynamodb' } },
  ])('a message may have %j', changed => {
    expect(read(changed)).toEqual({ kind: 'read', message: { ...MESSAGE, ...changed } })
  })

  test('a message of an older version gets the weakest meaning for the fields that came later', () => {
    const { edition: _edition, bodySigned: _signed, ordering: _ordering, ...older } = MESSAGE
    expect(readMessage(JSON.stringify(older))).toMatchObject({
      kind: 'read',
      message: { edition: 0, bodySigned: false, ordering: null },
    })
  })

  test.each([
    ['id', { id: 'a' }],
    ['id', { id: 'A'.repeat(64) }],
    ['id', { id: `${DIGEST}0` }],
    ['id', { id: [DIGEST] }],
    ['source', { source: '' }],
    ['provider', { provider: 7 }],
    ['eventId', { eventId: null }],
    ['generation', { generation: -1 }],
    ['generation', { generation: 0.5 }],
    ['edition', { edition: '0' }],
    ['receivedAt', { receivedAt: 'noon' }],
    ['receivedAt', { receivedAt: 1_760_000_000_000 }],
    ['correlationId', { correlationId: '' }],
    ['expiresAt', { expiresAt: null }],
    ['retain', { retain: 'none' }],
    ['bodySigned', { bodySigned: 'true' }],
    ['headers', { headers: [] }],
    ['headers', { headers: null }],
    ['headers', { headers: { a: 'b', c: 1 } }],
    ['ordering', { ordering: 'k' }],
    ['ordering', { ordering: { key: '', version: 1 } }],
    ['ordering', { ordering: { key: 'k', version: {} } }],
    ['ordering', { ordering: { key: 'k', version: '' } }],
    ['body', { body: null }],
    ['body', { body: { ...BODY, sha256: 'x' } }],
    ['body', { body: { ...BODY, size: -1 } }],
    ['body', { body: { ...BODY, encoding: 'gzip' } }],
    ['body', { body: { ...BODY, encoding: 'constructor' } }],
    ['body', { body: { ...BODY, data: 1 } }],
    ['body', { body: { ...BODY, encoding: 'zstd', data: '' } }],
    ['body', { body: { ...BODY, encoding: 'pointer' } }],
  ])('a message with a wrong %s is malformed: %j', (name, changed) => {
    expect(read(changed)).toEqual({ kind: 'malformed', why: `"${name}" is missing or of the wrong type` })
  })

  test.each(['', '{', 'null', '[]', '"text"', '7'])('the text "%s" is not a message', text => {
    expect(readMessage(text)).toEqual({ kind: 'malformed', why: 'not a JSON object' })
  })

  test.each([
    ['{}', 'version undefined, expected 1'],
    ['{"version":0}', 'version 0, expected 1'],
    [`{"version":"${'9'.repeat(99)}"}`, `version "${'9'.repeat(19)}, expected 1`],
  ])('a message of an unknown version is malformed, and the version is named: %s', (text, why) => {
    expect(readMessage(text)).toEqual({ kind: 'malformed', why })
  })

  test('a message of a later version is malformed, and says what we know of it if all of that can be read', () => {
    const why = 'version 2, expected 1'
    const later = { ...MESSAGE, version: 2 }
    expect(read({ version: 2 })).toEqual({ kind: 'malformed', why, later })
    expect(read({ version: 2, body: null })).toEqual({ kind: 'malformed', why, later: null })
  })
})
