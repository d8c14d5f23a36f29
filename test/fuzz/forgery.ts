import fc from 'fast-check'
import { type Attempt, withHeader } from './attempt.ts'
import { edited } from './bodies.ts'
import { honest } from './deliveries.ts'
import { secretOf, TARGET_NAMES, type TargetName, target } from './targets.ts'

/** A delivery that somebody without the secret made of one that was genuine. */
export interface Forgery {
  readonly name: TargetName
  readonly how: string
  readonly attempt: Attempt
}

type Forge = (name: TargetName, genuine: Attempt) => fc.Arbitrary<Attempt>

const proofOf = (name: TargetName): string => target(name).proof[0] ?? ''

/** Where a forger's edit counts: the word `Basic` may be in any case. */
const editedFrom = (name: TargetName): number => (name === 'custom-basic' ? 'Basic '.length : 0)

const onProof = (name: TargetName, attempt: Attempt, change: (value: string) => string): Attempt => ({
  ...attempt,
  headers: withHeader(attempt.headers, proofOf(name), change),
})

const character = fc.constantFrom(...'0123456789abcdefABCDEF=,;. +/-_\u00e9\u0000\ud83d'.split(''))

const editText = (text: string, at: number, what: string, how: string): string => {
  const [before, after] = [text.slice(0, at), text.slice(at)]
  if (how === 'replace') return before + what + after.slice(1)
  if (how === 'insert') return before + what + after
  return how === 'drop' ? before + after.slice(1) : before
}

const editedProof: Forge = (name, genuine) =>
  fc.tuple(fc.nat(), character, fc.constantFrom('replace', 'insert', 'drop', 'cut')).map(([where, what, how]) =>
    onProof(name, genuine, value => {
      const from = editedFrom(name)
      return editText(value, from + (where % (value.length - from)), what, how)
    }),
  )

const swappedCase = (letter: string): string =>
  letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()

const otherCase: Forge = (name, genuine) =>
  fc.nat().map(where =>
    onProof(name, genuine, value => {
      const from = editedFrom(name)
      const at = from + (where % (value.length - from))
      return value.slice(0, at) + swappedCase(value.charAt(at)) + value.slice(at + 1)
    }),
  )

const repeatedProof: Forge = (name, genuine) => {
  const again = genuine.headers.filter(([header]) => header === proofOf(name))
  return fc.constantFrom(
    { ...genuine, headers: [...genuine.headers, ...again] },
    onProof(name, genuine, value => `${value}, ${value}`),
    onProof(name, genuine, value => `${value},${value}`),
  )
}

const noProof: Forge = (name, genuine) =>
  fc.constantFrom(
    { ...genuine, headers: genuine.headers.filter(([header]) => header !== proofOf(name)) },
    onProof(name, genuine, () => ''),
    onProof(name, genuine, () => 'null'),
  )

const editedBody: Forge = (_name, genuine) => edited(fc.constant(genuine.body)).map(body => ({ ...genuine, body }))

/** Decoded as text, both are U+FFFD; signed as bytes, they differ. */
const otherBytes: Forge = name => {
  const genuine = honest(name, { id: 'genuine', extra: '"\ufffd"' })
  const bytes = Buffer.from(genuine.body).toString('latin1')
  return fc
    .constantFrom('\xff', '\xc0\x80', '\xed\xa0\x80', '\x80')
    .map(invalid => ({ ...genuine, body: Buffer.from(bytes.replace('\xef\xbf\xbd', invalid), 'latin1') }))
}

/** A secret of the right form that is not the right one. */
const otherSecret: Forge = name => fc.constant(honest(name, { id: 'forged', secret: secretOf(name, 'x') }))

/** What was signed for one source, posted to another. */
const otherSource: Forge = (name, genuine) =>
  fc.constantFrom(...TARGET_NAMES.filter(other => other !== name)).map(source => ({ ...genuine, source }))

const FORGES: Readonly<Record<string, Forge>> = {
  'edited proof': editedProof,
  'other case': otherCase,
  'repeated proof': repeatedProof,
  'no proof': noProof,
  'edited body': editedBody,
  'other bytes for U+FFFD': otherBytes,
  'other secret': otherSecret,
  'other source': otherSource,
}

/** Not everybody signs the body, and nobody here has Discord's other keys. */
const applies = (name: TargetName, how: string): boolean =>
  ((how !== 'edited body' && how !== 'other bytes for U+FFFD') || target(name).covers) &&
  (how !== 'other secret' || name !== 'discord')

const PAIRS = TARGET_NAMES.flatMap(name =>
  Object.entries(FORGES).flatMap(([how, forge]) => (applies(name, how) ? [{ name, how, forge }] : [])),
)

/** Only what really differs: an edit may put back what was there. */
export const anyForgery: fc.Arbitrary<Forgery> = fc.constantFrom(...PAIRS).chain(({ name, how, forge }) => {
  const genuine = honest(name, { id: 'genuine' })
  return forge(name, genuine)
    .filter(attempt => !isSame(attempt, genuine))
    .map(attempt => ({ name, how, attempt }))
})

const isSame = (left: Attempt, right: Attempt): boolean =>
  left.source === right.source &&
  JSON.stringify(left.headers) === JSON.stringify(right.headers) &&
  Buffer.compare(left.body, right.body) === 0
