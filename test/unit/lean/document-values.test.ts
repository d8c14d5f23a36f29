import { marshall, NumberValueImpl as NumberValue, unmarshall } from '@aws-sdk/util-dynamodb'
import { describe, expect, it } from 'vitest'
import type { Attributes } from '../../../functions/adapters/lean/attribute-values.ts'
import { documentSpelling } from '../../../functions/adapters/lean/document-values.ts'

const { toAttributes, fromAttributes } = documentSpelling

describe('an item of a handler', () => {
  it('an item of a handler with values as ours is spelled and read as the SDK does', () => {
    const item = { text: 'a', number: 1.5, no: false, nothing: null, list: ['b', 2], map: { deep: [true] } }
    expect(toAttributes(item)).toEqual(marshall(item))
    expect(fromAttributes(toAttributes(item))).toEqual(item)
  })

  it.each([
    ['a set of texts', new Set(['a', 'b'])],
    ['a set of numbers', new Set([1, 2.5])],
    ['a set of large numbers', new Set([2n ** 70n])],
    ['a large number', 2n ** 70n],
    ['a number of the SDK', NumberValue.from('1.00000000000000000000001')],
    ['a map', new Map<string, unknown>([['a', new Set(['b'])]])],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 })],
  ])('%s that a handler commits is spelled as the SDK spells it', (_, value) => {
    expect(toAttributes({ value })).toEqual(marshall({ value }))
  })

  it('sets and large numbers are read back as the SDK reads them', () => {
    const attributes = { texts: { SS: ['a'] }, numbers: { NS: ['1', '2.5'] }, large: { N: String(2n ** 70n) } }
    expect(fromAttributes(attributes as unknown as Attributes)).toEqual(unmarshall(attributes))
    const bytes = new Set([Buffer.from('a'), Buffer.from('b')])
    expect(fromAttributes(toAttributes({ bytes }))).toEqual({
      bytes: new Set([new Uint8Array([97]), new Uint8Array([98])]),
    })
  })

  it.each([
    ['a date', new Date(0)],
    ['an empty set', new Set()],
    ['an instance of a class', new URL('https://example.com')],
  ])('%s in an item is refused, as by the SDK', (_, value) => {
    expect(() => toAttributes({ value })).toThrow(/cannot be stored/)
    expect(() => marshall({ value })).toThrow()
  })

  it('an item of a handler leaves out what is undefined', () => {
    expect(toAttributes({ a: undefined, b: { c: undefined } })).toEqual({ b: { M: {} } })
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('the number %d of a handler is refused', number => {
    expect(() => toAttributes({ number })).toThrow(/cannot be stored/)
  })

  it('bytes of a handler are read back as they were', () => {
    const bytes = Uint8Array.of(0, 233, 255)
    expect(toAttributes({ bytes })).toEqual({ bytes: { B: 'AOn/' } })
    expect(fromAttributes(toAttributes({ bytes }))).toEqual({ bytes })
  })

  it('a field of a map that is called as the method of a number of the SDK is stored as any other', () => {
    expect(toAttributes({ map: { toAttributeValue: 'a' } })).toEqual({ map: { M: { toAttributeValue: { S: 'a' } } } })
  })

  it('a set of bytes and texts is refused', () => {
    expect(() => toAttributes({ value: new Set([Uint8Array.of(1), 'a']) })).toThrow(/cannot be stored/)
  })

  it('a set of several kinds is refused, which the SDK would send as if all of it were of the first', () => {
    expect(() => toAttributes({ value: new Set(['a', 1]) })).toThrow(/cannot be stored/)
  })

  it('a value that DynamoDB does not have is refused', () => {
    expect(() => toAttributes({ symbol: Symbol('s') })).toThrow('a symbol cannot be stored in DynamoDB')
    expect(() => fromAttributes({ other: { X: 'a' } } as unknown as Attributes)).toThrow('did not have: X')
  })
})
