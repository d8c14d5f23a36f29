import fc from 'fast-check'
import { order } from '../../../lib/memory-aws/compare.ts'

/** An expression with what its placeholders stand for. */
export interface Rendered {
  readonly text: string
  readonly names: Record<string, string>
  readonly values: Record<string, unknown>
}

const bytes = (...values: number[]): Uint8Array => new Uint8Array(values)

const TEXTS = ['', 'a', 'ab', 'b', 'é', '\uffff', '😀']
const NUMBERS = [0, 1, 2, -1, 10, 0.1, 0.2]
const BYTES = [bytes(), bytes(1), bytes(1, 2)]
const SETS = [new Set(['a', 'b']), new Set(['b']), new Set([1, 2]), new Set([2])]
const LISTS = [[], [1, 'a'], ['a', ['b']]]
const MAPS = [{}, { x: 1 }, { x: { y: 'a' } }]

/** Few, so that they meet: of every type, and such that sort differently by type, by UTF-16 and by UTF-8. */
export const anyValue = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown[]>(...TEXTS, ...NUMBERS) },
  fc.constantFrom<unknown[]>(true, false, null, ...BYTES),
  fc.constantFrom<unknown[]>(...LISTS, ...MAPS, ...SETS),
)

/** `status` is a reserved word, so it is always named. */
const anyPath = fc.constantFrom(
  'a',
  'b',
  'c',
  '#status',
  'm',
  'l',
  'm.x',
  'm.x.y',
  'm.#status',
  'l[0]',
  'l[1]',
  'l[1][0]',
)
const ORDERING = ['<', '<=', '>', '>='] as const
const COMPARATORS = ['=', '<>', ...ORDERING] as const
const TYPES = ['S', 'N', 'B', 'BOOL', 'NULL', 'L', 'M', 'SS', 'NS', 'BS', 'X']

/** A part of an expression: texts, and values that a placeholder is made for. */
type Piece = string | { readonly value: unknown }
type Pieces = readonly Piece[]

const value = fc.record({ value: anyValue })
/** Mostly of the types that its place takes. */
const of = (right: readonly unknown[]): fc.Arbitrary<Piece> =>
  fc.oneof({ weight: 40, arbitrary: fc.record({ value: fc.constantFrom(...right) }) }, value)
const numeric = of(NUMBERS)
const ordered = of([...TEXTS, ...NUMBERS, ...BYTES])
const sorted = fc
  .constantFrom<(readonly unknown[])[]>(TEXTS, NUMBERS)
  .chain(values => fc.subarray([...values], { minLength: 1, maxLength: 2 }))
  .map(values => values.toSorted((left, right) => order(left, right) ?? 0))

const leaf: fc.Arbitrary<Pieces> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(anyPath, fc.constantFrom('=', '<>'), value) },
  { weight: 3, arbitrary: fc.tuple(anyPath, fc.constantFrom(...ORDERING), ordered) },
  fc.tuple(anyPath, fc.constantFrom(...COMPARATORS), anyPath),
  fc.tuple(ordered, fc.constantFrom(...COMPARATORS), anyPath),
  fc.tuple(anyPath, ordered, ordered).map(([path, low, high]) => [path, 'BETWEEN', low, 'AND', high]),
  fc
    .tuple(anyPath, sorted)
    .map(([path, bounds]) => [path, 'BETWEEN', { value: bounds[0] }, 'AND', { value: bounds.at(-1) }]),
  fc.tuple(anyPath, value, value).map(([path, one, other]) => [path, 'IN (', one, ',', other, ')']),
  fc.tuple(fc.constantFrom('attribute_exists(', 'attribute_not_exists('), anyPath, fc.constant(')')),
  fc
    .tuple(anyPath, fc.constantFrom(...TYPES))
    .map(([path, type]) => ['attribute_type(', path, ',', { value: type }, ')']),
  fc.tuple(anyPath, of([...TEXTS, ...BYTES])).map(([path, beginning]) => ['begins_with(', path, ',', beginning, ')']),
  fc.tuple(anyPath, value).map(([path, part]) => ['contains(', path, ',', part, ')']),
  fc
    .tuple(anyPath, fc.constantFrom(...COMPARATORS), numeric)
    .map(([path, operator, size]) => ['size(', path, ')', operator, size]),
)

const tree: fc.Arbitrary<Pieces> = fc.letrec<{ node: Pieces }>(tie => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc
      .tuple(fc.constantFrom('AND', 'OR', 'and'), tie('node'), tie('node'))
      .map(([word, left, right]) => ['(', ...left, ')', word, '(', ...right, ')']),
    tie('node').map(inner => ['NOT', '(', ...inner, ')']),
  ),
})).node

const assignment: fc.Arbitrary<Pieces> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(anyPath, value).map(([path, to]) => [path, '=', to]) },
  fc
    .tuple(anyPath, anyPath, fc.constantFrom('+', '-'), numeric)
    .map(([path, from, sign, by]) => [path, '=', from, sign, by]),
  fc.tuple(anyPath, anyPath).map(([path, from]) => [path, '=', from]),
  fc.tuple(anyPath, anyPath, value).map(([path, from, to]) => [path, '= if_not_exists(', from, ',', to, ')']),
  fc
    .tuple(anyPath, anyPath, numeric)
    .map(([path, from, by]) => [path, '= if_not_exists(', from, ',', by, ') +', { value: 1 }]),
  fc.tuple(anyPath, anyPath, of(LISTS)).map(([path, from, more]) => [path, '= list_append(', from, ',', more, ')']),
)
const removal: fc.Arbitrary<Pieces> = anyPath.map(path => [path])
const addition: fc.Arbitrary<Pieces> = fc.tuple(anyPath, of([...NUMBERS, ...SETS]))
const subtraction: fc.Arbitrary<Pieces> = fc.tuple(anyPath, of(SETS))

const section = (word: string, action: fc.Arbitrary<Pieces>): fc.Arbitrary<Pieces> =>
  fc
    .array(action, { minLength: 1, maxLength: 2 })
    .map(actions => [word, ...actions.flatMap((each, place) => (place === 0 ? each : [',', ...each]))])

const update: fc.Arbitrary<Pieces> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: section('SET', assignment) },
      section('REMOVE', removal),
      section('ADD', addition),
      section('DELETE', subtraction),
    ),
    { minLength: 1, maxLength: 2 },
  )
  .map(sections => sections.flat())

/** What a caller may get wrong, beside wrong types. */
const mistake = fc.constantFrom<((rendered: Rendered) => Rendered)[]>(
  rendered => ({ ...rendered, values: { ...rendered.values, ':unused': 1 } }),
  rendered => ({ ...rendered, names: { ...rendered.names, '#unused': 'a' } }),
  rendered => ({ ...rendered, values: {} }),
  rendered => ({ ...rendered, text: rendered.text.replaceAll('#', ''), names: {} }),
  rendered => ({ ...rendered, text: `${rendered.text} )` }),
  rendered => ({ ...rendered, text: rendered.text.slice(0, -2) }),
  rendered => ({ ...rendered, text: `( ( ${rendered.text} ) )` }),
  rendered => ({ ...rendered, text: rendered.text.replace('attribute_exists', 'attribute_is') }),
)

const render =
  (prefix: string) =>
  (pieces: Pieces): Rendered => {
    const values: Record<string, unknown> = {}
    const texts = pieces.map(piece => {
      if (typeof piece === 'string') return piece
      const name = `:${prefix}${Object.keys(values).length}`
      values[name] = piece.value
      return name
    })
    const text = texts.join(' ')
    return { text, names: text.includes('#status') ? { '#status': 'status' } : {}, values }
  }

const sometimesWrong = (right: fc.Arbitrary<Rendered>): fc.Arbitrary<Rendered> =>
  fc.oneof(
    { weight: 30, arbitrary: right },
    fc.tuple(right, mistake).map(([rendered, make]) => make(rendered)),
  )

export const anyCondition = sometimesWrong(tree.map(render('c')))
export const anyUpdate = sometimesWrong(update.map(render('u')))
