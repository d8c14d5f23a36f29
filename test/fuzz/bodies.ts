import fc from 'fast-check'
import { JSON_TEXTS, NAUGHTY_STRINGS } from './corpora.ts'
import { CANARY } from './targets.ts'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Any UTF-16 at all, halves of pairs included. */
const anyUnits = fc
  .array(fc.integer({ min: 0, max: 0xff_ff }), { maxLength: 24 })
  .map(units => String.fromCharCode(...units))

export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 40 }),
  anyUnits,
  fc.constantFrom(...NAUGHTY_STRINGS),
  fc.constantFrom(
    `${CANARY}body`,
    `${CANARY}body\r\nx-injected: 1`,
    '',
    ' ',
    '\0',
    '\ufeff',
    '\u2028',
    '\ud800',
    '\udfff',
  ),
)

/** As long as an id may be. */
const long = 1_000

/** What is put where an id, a type or a time is looked for; no canary, since an accepted id is logged. */
export const anyName: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 200, arbitrary: fc.string({ minLength: 1, maxLength: 40 }) },
    { weight: 200, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }) },
    { weight: 100, arbitrary: anyUnits },
    { weight: 100, arbitrary: fc.constantFrom(...NAUGHTY_STRINGS) },
    { weight: 50, arbitrary: fc.integer({ min: 1, max: 400 }).map(times => 'é'.repeat(times)) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: long }).map(length => 'x'.repeat(length)) },
  )
  // Half a surrogate pair is no id: test/fuzz/once-harmful.test.ts.
  .map(text => text.toWellFormed())

/** Names that may be refused, but must do no harm: halves of pairs, and more than a queue holds. */
const wildName: fc.Arbitrary<string> = fc.oneof(
  { weight: 1_000, arbitrary: anyName },
  { weight: 300, arbitrary: anyUnits },
  { weight: 30, arbitrary: fc.integer({ min: 1_000, max: 2_000 }).map(length => 'x'.repeat(length)) },
  { weight: 1, arbitrary: fc.integer({ min: 1_000_000, max: 2_000_000 }).map(length => 'x'.repeat(length)) },
)

const NUMBERS = [
  '-0',
  '1e400',
  '-1e400',
  '1E+2',
  '0.1e-7',
  '9007199254740993',
  '1234567890'.repeat(9),
  '0x1F',
  '01',
  '1.',
  'NaN',
]

/** JSON text of one value, some of it no JSON. */
const anyValue: fc.Arbitrary<string> = fc.oneof(
  anyText.map(text => JSON.stringify(text)),
  anyText.map(text => `"${text}"`),
  fc.constantFrom(...NUMBERS),
  fc.constantFrom('null', 'true', 'false', '[]', '{}', '""', '"\\ud800"', '"\\u0000"', '{"toString":1}', '[["a"]]'),
  fc.json({ maxDepth: 4 }),
  fc.constantFrom(...JSON_TEXTS.map(({ input }) => input)).filter(text => text.length < 500),
)

const FIELDS = ['id', 'event_id', 'trigger_id', 'type', 'event_type', 'event', 'order', 'data', 'created', 'updated_at']
const TRAPS = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length', 'then', 'toJSON']

const anyKey: fc.Arbitrary<string> = fc.oneof(fc.constantFrom(...FIELDS), fc.constantFrom(...TRAPS), anyText)

/** Objects by hand, so that keys may repeat and values may be anything. */
const anyObject: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(
      anyKey,
      fc.oneof(
        wildName.map(name => JSON.stringify(name)),
        anyValue,
      ),
    ),
    { maxLength: 6 },
  )
  .map(pairs => `{${pairs.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`)

const NO_IDS = [
  '""',
  '" "',
  'null',
  '0',
  '-1',
  'true',
  '[]',
  '{}',
  '["a"]',
  '{"a":1}',
  '1e400',
  '9007199254740993',
  '"\\u0000"',
]

/** Something else than an id wherever one is looked for. */
const withoutId: fc.Arbitrary<string> = fc
  .constantFrom(...NO_IDS)
  .map(no => `{"id":${no},"event_id":${no},"trigger_id":${no},"order":{"number":${no},"state":${no}},"type":${no}}`)

const nested = fc
  .tuple(
    fc.constantFrom(['[', ']'], ['{"a":', '}'], ['[{"id":', '}]'], ['[', '']),
    fc.integer({ min: 1, max: 600 }),
    anyValue,
  )
  .map(([[open = '', close = ''], depth, inside]) => open.repeat(depth) + inside + close.repeat(depth))

const HANDSHAKES = ['{"type":0}', '{"type":1}', '{"type":1,"event":{}}', '{"type":"url_verification","challenge":7}']

const handshake = fc.oneof(
  fc.constantFrom(...HANDSHAKES),
  anyName.map(challenge => JSON.stringify({ type: 'url_verification', challenge })),
)

const escaped = (text: string): string => encodeURIComponent(text.toWellFormed())

const form = fc
  .array(fc.tuple(fc.constantFrom('payload', 'trigger_id', 'MessageSid', 'Body', 'a', ''), anyText, fc.boolean()), {
    maxLength: 8,
  })
  .map(pairs => pairs.map(([name, value, raw]) => `${name}=${raw ? value : escaped(value)}`).join('&'))

const manyParameters = fc.integer({ min: 990, max: 1_010 }).map(count => 'a=1&'.repeat(count))

const formWithJson = anyObject.map(json => `payload=${escaped(json)}`)

const jsonText: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: anyObject },
  { weight: 2, arbitrary: anyValue },
  { weight: 1, arbitrary: fc.constantFrom(...JSON_TEXTS.map(({ input }) => input)) },
  { weight: 1, arbitrary: nested },
  { weight: 1, arbitrary: handshake },
  { weight: 1, arbitrary: withoutId },
)

/** One edit to bytes: what a flipped bit, a lost byte or a forger does. */
export const edited = (bytes: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> =>
  fc
    .tuple(bytes, fc.nat(), fc.integer({ min: 0, max: 255 }), fc.constantFrom('flip', 'drop', 'insert', 'cut', 'twice'))
    .map(([body, where, byte, how]) => edit(body, where % (body.length + 1), byte, how))

const edit = (body: Uint8Array, at: number, byte: number, how: string): Uint8Array => {
  const [before, after] = [body.subarray(0, at), body.subarray(at)]
  const [first = 0] = after
  switch (how) {
    case 'flip':
      return Buffer.concat([before, Buffer.from([first ^ (1 << (byte % 8))]), after.subarray(1)])
    case 'drop':
      return Buffer.concat([before, after.subarray(1)])
    case 'insert':
      return Buffer.concat([before, Buffer.from([byte]), after])
    case 'cut':
      return before
    default:
      return Buffer.concat([body, after])
  }
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf])

const strangeEncoding = fc.tuple(jsonText, fc.constantFrom('bom', 'utf16', 'latin1')).map(([text, how]) => {
  if (how === 'bom') return Buffer.concat([BOM, utf8(text)])
  return Buffer.from(text, how === 'utf16' ? 'utf16le' : 'latin1')
})

const textBody = fc.oneof(jsonText, form, formWithJson, anyText, fc.constantFrom('<xml>&lol;</xml>')).map(utf8)

/** Bodies no sender would send, and a few that one might. Around 4 MiB now and then, since those cost the most. */
export const anyBody: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 2_000, arbitrary: textBody },
  { weight: 750, arbitrary: edited(textBody) },
  { weight: 500, arbitrary: fc.uint8Array({ maxLength: 300 }) },
  { weight: 250, arbitrary: strangeEncoding },
  { weight: 50, arbitrary: manyParameters.map(utf8) },
  { weight: 25, arbitrary: fc.integer({ min: 1_000, max: 200_000 }).map(size => Buffer.alloc(size, '{"a":')) },
  { weight: 1, arbitrary: fc.integer({ min: -2, max: 2 }).map(more => Buffer.alloc(4_194_304 + more, 'x')) },
)

/** JSON text that parsers accept, at most 100 levels deep, hostile in every other way. */
export const validJson: fc.Arbitrary<string> = fc.oneof(
  anyText.map(text => JSON.stringify(text)),
  fc.json({ maxDepth: 4 }),
  fc.constantFrom(...NUMBERS.slice(0, 7)),
  fc.constantFrom(
    '{"__proto__":{"id":"x","type":0}}',
    '{"constructor":{"prototype":{"id":1}}}',
    '{"a":1,"a":2,"":{}}',
    '"\\ud800"',
  ),
  fc.integer({ min: 1, max: 100 }).map(depth => '[{"a":'.repeat(depth / 2) + 1 + '}]'.repeat(depth / 2)),
)
