import fc from 'fast-check'
import { parseItem, serializeItem, Token } from 'structured-headers'
import { describe, expect, it } from 'vitest'
import { readIdempotencyKey, writeIdempotencyKey } from '../../functions/domain/idempotency-key.ts'

const keyOf = (header: string): string | undefined => {
  const read = readIdempotencyKey([header])
  return read.kind === 'key' ? read.key : undefined
}

/** Another implementation of RFC 9651: what it reads as a string without parameters. */
const stringOf = (header: string): string | undefined => {
  try {
    const [value, parameters] = parseItem(header)
    return typeof value === 'string' && parameters.size === 0 ? value : undefined
  } catch {
    return undefined
  }
}

/** Header, and the key it is; undefined where it is none. */
const CORPUS: readonly (readonly [header: string, key: string | undefined])[] = [
  ['"abc"', 'abc'],
  ['  "abc"  ', 'abc'],
  ['"a\\"b"', 'a"b'],
  ['"a\\\\b"', 'a\\b'],
  ['"\\\\\\""', '\\"'],
  ['"a,b"', 'a,b'],
  ['"a;b=c"', 'a;b=c'],
  ['"123"', '123'],
  ['"?1"', '?1'],
  ['"(a)"', '(a)'],
  ['"\'"', "'"],
  ['"~"', '~'],
  ['""', undefined],
  ['" "', undefined],
  ['"a b"', undefined],
  ['"a\tb"', undefined],
  ['"a\u0000b"', undefined],
  ['"a\u007fb"', undefined],
  ['"\u00e9"', undefined],
  ['"\ud83d\ude00"', undefined],
  ['"', undefined],
  ['"a', undefined],
  ['a"', undefined],
  ['"a"b"', undefined],
  ['"a\\"', undefined],
  ['"a\\x"', undefined],
  ['"a\\u0041"', undefined],
  ['"a" "b"', undefined],
  ['"a","b"', undefined],
  ['"a", "b"', undefined],
  ['"a";q=1', undefined],
  ['"a";q', undefined],
  ['("a" "b")', undefined],
  ['("a")', undefined],
  ['()', undefined],
  ['%"a"', undefined],
  ['?0', undefined],
  ['?1', undefined],
  [':YWJj:', undefined],
  ['@1659578233', undefined],
  ['1', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['999999999999999', undefined],
  ['1234567890123456', undefined],
  ['-1234567890123456', undefined],
  ['12345678901234567890.12345', undefined],
  ['"1234567890123456"', '1234567890123456'],
  ['a, b', undefined],
  ['a;b', undefined],
  ['a b', undefined],
  ['', undefined],
  [' ', undefined],
  ['abc', 'abc'],
  ['*abc', '*abc'],
  ['8e03978e-40d5-43dd-bc93-6894a57f9324', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
  ['1e5', '1e5'],
  ['1.', '1.'],
  ['-', '-'],
  ['a:b/c', 'a:b/c'],
  ['a=b', 'a=b'],
  ['?2', '?2'],
  ["'abc'", "'abc'"],
]

describe('the corpus of structured-field strings', () => {
  it.each(CORPUS)('the Idempotency-Key header %j is read as %j', (header, key) => expect(keyOf(header)).toBe(key))

  it('every quoted key of the corpus is read as another implementation reads it', () => {
    for (const [header, key] of CORPUS.filter(([each]) => each.trim().startsWith('"'))) {
      if (key !== undefined) expect([header, stringOf(header)]).toEqual([header, key])
      else expect([header, VISIBLE.test(stringOf(header) ?? '')]).toEqual([header, false])
    }
  })
})

const VISIBLE = /^[\x21-\x7e]{1,255}$/
const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map(code => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 255,
})

describe('any key', () => {
  it('a key that another implementation writes is read as it was', () => {
    fc.assert(
      fc.property(visible, key => keyOf(serializeItem(key)) === key),
      { numRuns: 2_000 },
    )
  })

  it('a key that we write is read by another implementation as it was', () => {
    fc.assert(
      fc.property(visible, key => stringOf(writeIdempotencyKey(key)) === key),
      { numRuns: 2_000 },
    )
  })

  it('a text in quotes is a key exactly if another implementation reads a string of 1 to 255 visible characters', () => {
    const quoted = fc.string({
      unit: fc.constantFrom('"', '\\', 'a', ',', ';', ' ', '\t', '\u0000', '\u00fc', '(', '=', '1'),
      maxLength: 12,
    })
    fc.assert(
      fc.property(quoted, rest => {
        const header = `"${rest}`
        const theirs = stringOf(header.replace(/^[ \t]+|[ \t]+$/g, ''))
        expect(keyOf(header)).toBe(theirs !== undefined && VISIBLE.test(theirs) ? theirs : undefined)
      }),
      { numRuns: 5_000 },
    )
  })

  it('a key without quotes is nothing that another implementation reads as anything but a token', () => {
    fc.assert(
      fc.property(visible, text => {
        if (keyOf(text) === undefined || text.startsWith('"')) return
        let read: unknown
        try {
          const [value, parameters] = parseItem(text)
          read = parameters.size === 0 ? value : 'with parameters'
        } catch {
          return
        }
        expect(read).toBeInstanceOf(Token)
      }),
      { numRuns: 5_000 },
    )
  })

  it('a key sent more than once is refused, and one that is not sent is missing', () => {
    expect(readIdempotencyKey(['a', 'a']).kind).toBe('malformed')
    expect(readIdempotencyKey([]).kind).toBe('missing')
    expect(readIdempotencyKey(undefined).kind).toBe('missing')
  })
})
