import { describe, expect, it } from 'vitest'
import { isPassing } from '../../../lib/operator/explain-fault.ts'

const fault = (fields: object): Error => Object.assign(new Error('x'), fields)

describe('a fault that passes', () => {
  it.each([
    ['a network that is away after sleep', fault({ code: 'ENETUNREACH' })],
    ['a name that cannot be looked up', fault({ code: 'ENOTFOUND' })],
    ['several addresses, none of which answers', new AggregateError([fault({ code: 'ECONNREFUSED' })])],
    ['an answer that took too long', fault({ name: 'TimeoutError' })],
    ['a limit of AWS', fault({ name: 'ThrottlingException' })],
    ['a fault inside AWS', fault({ name: 'InternalServerError', $fault: 'server' })],
  ])('%s is worth another try', (_, error) => {
    expect(isPassing(error)).toBe(true)
  })

  it.each([
    ['a denied call', fault({ name: 'AccessDeniedException', $fault: 'client' })],
    ['credentials that have expired', fault({ name: 'ExpiredTokenException', $fault: 'client' })],
    ['a mistake of ours', new TypeError('x is not a function')],
    ['what is no error', 'ENOTFOUND'],
  ])('%s is not worth another try', (_, error) => {
    expect(isPassing(error)).toBe(false)
  })
})
