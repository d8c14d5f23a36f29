import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Attributes, fromAttributes, toAttributes } from '../../../functions/adapters/lean/attribute-values.ts'

const scalar = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }).map(value => (value === 0 ? 0 : value)),
  fc.boolean(),
  fc.constant(null),
)
/** The SDK takes a map with the key `constructor` for an instance of a class, and refuses it. */
const name = fc.string({ minLength: 1 }).filter(each => !['__proto__', 'constructor'].includes(each))
const { value } = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
}))
const item = fc.dictionary(name, value)

/** Over the wire, binary is base64. */
const onTheWire = (attributes: object): unknown =>
  JSON.parse(
    JSON.stringify(attributes, (_key, each) =>
      each instanceof Uint8Array ? Buffer.from(each).toString('base64') : each,
    ),
  )

describe('a plain item', () => {
  it('a plain item is spelled as the SDK spells it, and read back as it was', () => {
    fc.assert(
      fc.property(item, plain => {
        expect(toAttributes(plain)).toEqual(marshall(plain))
        expect(fromAttributes(toAttributes(plain))).toEqual(unmarshall(marshall(plain)))
      }),
    )
  })

  it('bytes in an item are base64 on the wire, also if they are part of a larger buffer', () => {
    const bytes = new Uint8Array(Buffer.from('..packed..').buffer.slice(0)).subarray(2, 5)
    expect(toAttributes({ bytes })).toEqual(onTheWire({ bytes: { B: bytes } }))
    expect(fromAttributes(toAttributes({ bytes }))).toEqual({ bytes })
  })

  it('an item leaves out what is undefined', () => {
    expect(toAttributes({ a: undefined, b: 1 })).toEqual({ b: { N: '1' } })
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
    'an item with the number %d is refused, as by the SDK',
    number => {
      expect(() => toAttributes({ number })).toThrow(/cannot be stored/)
      expect(() => marshall({ number })).toThrow()
    },
  )

  it('an item with a value of any other kind is refused', () => {
    expect(() => toAttributes({ big: 1n })).toThrow('a bigint cannot be stored in DynamoDB')
    expect(() => fromAttributes({ set: { SS: ['a'] } } as unknown as Attributes)).toThrow('not ours: SS')
  })
})
