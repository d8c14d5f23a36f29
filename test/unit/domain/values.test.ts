import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Fingerprint, Sha256 } from '../../../functions/domain/brands.ts'
import { millis, seconds, toMillis, toSeconds } from '../../../functions/domain/brands.ts'
import { isAllowed, isPrincipal, withoutSession } from '../../../functions/domain/caller.ts'
import { canonicalJson } from '../../../functions/domain/canonical-json.ts'
import { durationSeconds, isDuration } from '../../../functions/domain/duration.ts'
import { fingerprint, sha256 } from '../../../functions/domain/identity.ts'
import { BodyDamaged, packKeptBody, unpackKeptBody } from '../../../functions/domain/kept-body.ts'
import { pack, unpack } from '../../../functions/domain/packing.ts'
import { clip, isAbandoned, isExpired } from '../../../functions/domain/record.ts'
import { auditOf, replayed } from '../../../functions/domain/replayed.ts'
import { Secret } from '../../../functions/domain/secret.ts'
import { isMark, readSecretList, withCapture, withOffered } from '../../../functions/domain/secret-list.ts'
import { senderAttempt } from '../../../functions/domain/sender-attempt.ts'
import { someAtOnce } from '../../../functions/domain/some-at-once.ts'
import { anyFence, claimedRecord, NOON } from '../../support/events.ts'

describe('a fingerprint', () => {
  const of = (environment: string, source: string, ...parts: string[]) =>
    fingerprint(new Secret('k'), { environment, source, kind: 'id', parts })

  test('the fingerprints of two events differ, however their names are cut', () => {
    const prints = [
      of('a', 'b', 'cd'),
      of('a', 'b', 'c', 'd'),
      of('ab', '', 'cd'),
      of('a', 'bc', 'd'),
      of('', 'ab', 'cd'),
    ]
    expect(new Set(prints).size).toBe(prints.length)
    expect(fingerprint(new Secret('other'), { environment: 'a', source: 'b', kind: 'id', parts: ['cd'] })).not.toBe(
      prints[0],
    )
  })
})

describe('canonical JSON', () => {
  test.each([
    ['{"b":1,"a":[{"d":2,"c":null}]}', [], '{"a":[{"c":null,"d":2}],"b":1}'],
    [' { "a" : "x" } ', [], '{"a":"x"}'],
    ['{"a":1,"m":{"try":2,"id":3}}', ['m.try'], '{"a":1,"m":{"id":3}}'],
    ['{"l":[{"try":1,"id":2}],"try":3}', ['l.try'], '{"l":[{"id":2}],"try":3}'],
    ['[true,"a",0.5]', [], '[true,"a",0.5]'],
    ['12345678901234567890', [], '12345678901234567890'],
    ['1.50', [], '1.50'],
  ])('the canonical JSON of %s without %j is %s', (text, exclude, canonical) => {
    expect(canonicalJson(text, exclude)).toBe(canonical)
  })

  test('canonical JSON keeps two ids apart that a double would make one', () => {
    expect(canonicalJson('{"id":12345678901234567890}', [])).not.toBe(canonicalJson('{"id":12345678901234567891}', []))
  })

  test('canonical JSON of what is not JSON throws', () => {
    expect(() => canonicalJson('{', [])).toThrow(SyntaxError)
  })
})

describe('an instant', () => {
  test('an instant in seconds is rounded down, and loses nothing on the way back', () => {
    expect([toSeconds(millis(1_999.9)), toMillis(seconds(7.9))]).toEqual([1, 7_000])
  })

  test('an instant is over when it is reached: a record expires, a lease passes', () => {
    const record = claimedRecord(NOON, { expiresAt: seconds(100), leaseUntil: millis(50) })
    expect([99, 100, 101].map(now => isExpired(record, seconds(now)))).toEqual([false, true, true])
    expect([49, 50, 51].map(now => isAbandoned(record, millis(now)))).toEqual([false, true, true])
    expect(isAbandoned({ ...record, status: 'queued' }, millis(99))).toBe(false)
  })
})

test.each([
  ['90s', 90],
  ['15m', 900],
  ['36h', 129_600],
  ['30d', 2_592_000],
  ['36500d', 3_153_600_000],
] as const)('the duration %s is %i seconds', (duration, expected) => {
  expect([isDuration(duration), durationSeconds(duration)]).toEqual([true, expected])
})

test.each(['0s', '1', 's', '1w', '-1s', '1.5h', ' 1s', '1s ', '1234567890s', '36501d', '999999999h', 7])(
  'the value %j is not a duration',
  value => {
    expect(isDuration(value)).toBe(false)
    expect(() => durationSeconds(value as '1s')).toThrow('is not a duration')
  },
)

describe('a text in a record', () => {
  test('a text in a record is cut between characters, and only when it is too long', () => {
    expect(clip('type', 'x'.repeat(80))).toBe('x'.repeat(80))
    expect(clip('type', 'x'.repeat(81))).toBe('x'.repeat(80))
    expect(clip('type', `${'x'.repeat(79)}é`)).toBe('x'.repeat(79))
  })
})

describe('a body that is packed', () => {
  test('a packed body comes back as it was, and is smaller if that is worth it', () => {
    const large = Buffer.alloc(4_096, 'a')
    const packed = pack(large)
    expect([packed.compressed, packed.bytes.length < 100, Buffer.from(unpack(packed)).equals(large)]).toEqual([
      true,
      true,
      true,
    ])
    expect(pack(Buffer.alloc(2_048)).compressed).toBe(true)
    expect(pack(Buffer.alloc(2_047)).compressed).toBe(false)
    expect(pack(Uint8Array.of(1, 2, 3), 1)).toEqual({ compressed: false, bytes: Uint8Array.of(1, 2, 3) })
  })

  test('a packed body is not unpacked when it is larger than any that was let in', () => {
    expect(() => unpack(pack(Buffer.alloc(8_000_000)))).toThrow()
  })

  test('a packed body to be kept has its headers with it, and is refused when its bytes are others', () => {
    const kept = {
      fingerprint: 'f' as Fingerprint,
      sha256: sha256(Buffer.from('a\nb')),
      bytes: Buffer.from('a\nb'),
      eventId: 'evt\n1',
      headers: { 'content-type': 'text/plain' },
      ordering: { key: 'k', version: 1 },
    }
    expect(unpackKeptBody(packKeptBody(kept), kept.fingerprint, kept.sha256)).toEqual(kept)
    const older = { compressed: false, bytes: Buffer.from('{"eventId":"e","headers":{}}\na\nb') }
    expect(unpackKeptBody(older, kept.fingerprint, kept.sha256)).toMatchObject({ eventId: 'e', ordering: null })
    expect(() => unpackKeptBody(packKeptBody(kept), kept.fingerprint, '0' as Sha256)).toThrow(BodyDamaged)
  })
})

describe('a replay', () => {
  const by = { fence: anyFence(), now: millis(NOON + 5), leaseUntil: millis(NOON + 20) }
  const body = { now: by.now, expiresAt: seconds(9), bodySha256: 'b' as Sha256, bodySize: 3, bodyAt: 'memory' }
  const act = { actor: 'ada', reason: 'mended', job: null }

  test.each([
    ['done', 4],
    ['failed', 3],
    ['claimed', 3],
  ] as const)('of a %s event is its next generation, of edition %i', (status, edition) => {
    const seen = claimedRecord(NOON, { status, generation: 2, edition: 3, attempts: 5, lastError: 'x' })
    const next = replayed(seen, by, body)
    const { now: _now, ...kept } = body
    expect(next).toEqual({
      ...seen,
      ...kept,
      status: 'claimed',
      generation: 3,
      edition,
      fence: by.fence,
      leaseUntil: by.leaseUntil,
      claimedAt: by.now,
      updatedAt: by.now,
      attempts: 0,
      lastError: null,
    })
    expect(auditOf(seen, next, by, act)).toEqual({
      ...act,
      fingerprint: seen.fingerprint,
      generation: 3,
      act: 'replay',
      was: status,
      at: by.now,
      fence: by.fence,
      before: { claimedAt: NOON, updatedAt: NOON, says: 'x' },
    })
  })
})

describe('a secret', () => {
  test('a secret does not print, is never empty, and equals only itself', () => {
    const secret = new Secret('hidden')
    expect(`${secret} ${JSON.stringify({ secret })} ${inspect(secret)}`).not.toContain('hidden')
    expect([secret.equals('hidden'), secret.equals('hidde'), secret.reveal()]).toEqual([true, false, 'hidden'])
    expect(() => new Secret('')).toThrow('a secret is empty')
  })
})

describe('a list of secrets', () => {
  const until = millis(NOON)
  const at = new Date(NOON).toISOString()

  test('a list of secrets holds secrets, and marks that are not secrets', () => {
    const list = readSecretList(['', 7, 'k', `await:${at}`, `hooklatch-capture:${at} 503`])
    expect(list.secrets.map(secret => secret.reveal())).toEqual(['k'])
    expect(list).toMatchObject({ awaitedUntil: until, offered: [], capture: { until, answer: 503 } })
    expect(readSecretList(['k'])).toMatchObject({ awaitedUntil: null, offered: [], capture: null })
    expect([`await:${at}`, `hooklatch-capture:${at}`, 'k', 'k await:'].map(isMark)).toEqual([true, true, false, false])
  })

  test.each([
    [`hooklatch-capture:${at}`, { until, answer: null }],
    [`hooklatch-capture:${at} 200`, { until, answer: null }],
    [`hooklatch-capture:${at} 5000`, { until, answer: null }],
    ['hooklatch-capture:never', null],
  ])('a list of secrets with %s captures %j', (mark, capture) => {
    expect(readSecretList([mark]).capture).toEqual(capture)
  })

  test('a list of secrets has one capture, after the secrets, or none', () => {
    const captured = withCapture(['k', `hooklatch-capture:${at}`, 'old'], { until, answer: 500 })
    expect(captured).toEqual(['k', 'old', `hooklatch-capture:${at} 500`])
    expect(withCapture(captured, { until, answer: null })).toEqual(['k', 'old', `hooklatch-capture:${at}`])
    expect(withCapture(captured, null)).toEqual(['k', 'old'])
  })

  test.each([
    [[`await:${at}`], 'offered-1', NOON - 1, [`await:${at} offered-1`]],
    [[`await:${at} offered-1`], 'offered-2', NOON - 1, [`await:${at} offered-1 offered-2`]],
    [[`await:${at} offered-1`], 'offered-1', NOON + 1, 'known'],
    [[`await:${at} offered-1`], 'offered-2', NOON, 'closed'],
    [[`await:${at} a b c d`], 'offered-5', NOON - 1, 'closed'],
    [
      [`await:${at}`, `hooklatch-capture:${at}`],
      'offered-1',
      NOON - 1,
      [`await:${at} offered-1`, `hooklatch-capture:${at}`],
    ],
    [[`await:${at}`], 'offered-1', NOON, 'closed'],
    [[`await:${at}`, 'k'], 'offered-1', NOON - 1, 'closed'],
    [[], 'offered-1', NOON - 1, 'closed'],
    [['offered-1'], 'offered-1', NOON + 1, 'known'],
    [[`await:${at}`], 'short', NOON - 1, 'closed'],
    [[`await:${at}`], 'await:for-ever', NOON - 1, 'closed'],
  ])('a list of secrets %j that is offered %s at %i becomes %j', (values, offered, now, expected) => {
    expect(withOffered(values, offered, millis(now))).toEqual(expected)
  })
})

test('what was handed over is kept in the mark of a list, and is none of its secrets', () => {
  const mark = `await:${new Date(NOON).toISOString()} offered-1 offered-2`
  const list = readSecretList([mark])
  expect(list).toMatchObject({ secrets: [], awaitedUntil: NOON })
  expect(list.offered.map(secret => secret.reveal())).toEqual(['offered-1', 'offered-2'])
  expect(isMark(mark)).toBe(true)
})

describe('a caller', () => {
  const session = { id: 'AROA1', accountId: '123456789012', arn: 'arn:aws:sts::123456789012:assumed-role/app/i-1' }
  const user = { id: 'AIDA1', accountId: '123456789012', arn: 'arn:aws:iam::123456789012:user/ada' }

  test.each([
    ['*', session, true],
    [['AROA1'], session, true],
    [['123456789012'], session, true],
    [['arn:aws:iam::123456789012:role/app'], session, true],
    [['arn:aws:iam::123456789012:role/path/of/app'], session, true],
    [['x', 'arn:aws:iam::123456789012:user/ada'], user, true],
    [[], session, false],
    [['AROA2'], session, false],
    [['arn:aws:iam::210987654321:role/app'], session, false],
    [['arn:aws-cn:iam::123456789012:role/app'], session, false],
    [['arn:aws:iam::123456789012:role/app2'], session, false],
    [['arn:aws:iam::123456789012:user/app'], session, false],
    [['arn:aws:iam::123456789012:user/ad'], user, false],
    [['arn:aws:iam::123456789012:role/ada'], user, false],
  ] as const)('the list %j lets in the caller %j: %s', (allowed, caller, expected) => {
    expect(isAllowed(allowed, caller)).toBe(expected)
  })

  test('the id of a caller loses its session if it is a role, and nothing if it is not', () => {
    expect(['AROA1:i-1', 'AROA1', 'AIDA1', '123456789012:federated'].map(withoutSession)).toEqual([
      'AROA1',
      'AROA1',
      'AIDA1',
      '123456789012:federated',
    ])
  })

  test.each([
    ['AROA1', true],
    ['arn:aws:iam::123456789012:role/a/b', true],
    ['arn:aws:iam::123456789012:user/ada', true],
    ['arn:aws:iam::123456789012:root', true],
    ['', false],
    [7, false],
    ['arn:aws:iam::123:role/a', false],
    ['arn:aws:sts::123456789012:assumed-role/app/i-1', false],
  ])('the value %j can be in a list of callers: %s', (value, expected) => {
    expect(isPrincipal(value)).toBe(expected)
  })
})

test.each([
  [{ 'x-slack-retry-num': ['2'] }, 2],
  [{ 'aeg-delivery-count': ['0'] }, 0],
  [{ 'x-attempt-number': ['x', '3'] }, 3],
  [{ 'x-attempt-number': ['123456'] }, undefined],
  [{ 'x-attempt-number': ['1a'] }, undefined],
  [{ other: ['1'] }, undefined],
])('the headers %j say that this is the try %s', (headers, expected) => {
  expect(senderAttempt(new Map(Object.entries(headers)))).toBe(expected)
})

test('someAtOnce runs all items, never more at once than it may, and answers in order', async () => {
  let running = 0
  let most = 0
  const act = async (item: string, index: number) => {
    running += 1
    most = Math.max(most, running)
    await new Promise(setImmediate)
    running -= 1
    return `${item}${index}`
  }
  expect(await someAtOnce(['a', 'b', 'c', 'd', 'e'], 2, act)).toEqual(['a0', 'b1', 'c2', 'd3', 'e4'])
  expect(most).toBe(2)
  expect(await someAtOnce([], 2, act)).toEqual([])
})
