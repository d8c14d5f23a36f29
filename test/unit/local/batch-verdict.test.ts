import { expect, it } from 'vitest'
import { batchVerdict } from '../../../lib/local/batch-verdict.ts'

const BATCH = new Set(['a', 'b', 'c'])
const failed = (...ids: string[]) => ({ kind: 'understood', failed: new Set(ids) })

// docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html, "Success and failure conditions"
it.each([
  ['an empty list', { batchItemFailures: [] }, failed()],
  ['a null list', { batchItemFailures: null }, failed()],
  ['an empty answer', {}, failed()],
  ['a null answer', null, failed()],
  ['no answer', undefined, failed()],
  ['one of its messages', { batchItemFailures: [{ itemIdentifier: 'b' }] }, failed('b')],
  ['one of them twice', { batchItemFailures: [{ itemIdentifier: 'b' }, { itemIdentifier: 'b' }] }, failed('b')],
])('%s as the answer of a function says which messages failed', (_, answer, expected) => {
  expect(batchVerdict(BATCH, answer)).toEqual(expected)
})

it.each([
  ['a text', 'done'],
  ['a list that is none', { batchItemFailures: 'a' }],
  ['an empty identifier', { batchItemFailures: [{ itemIdentifier: '' }] }],
  ['a null identifier', { batchItemFailures: [{ itemIdentifier: null }] }],
  ['a bad key name', { batchItemFailures: [{ identifier: 'a' }] }],
  ['an item that is none', { batchItemFailures: ['a', null] }],
  ['a message of another batch', { batchItemFailures: [{ itemIdentifier: 'a' }, { itemIdentifier: 'z' }] }],
])('%s as the answer of a function is malformed, so nothing is deleted', (_, answer) => {
  expect(batchVerdict(BATCH, answer)).toEqual({ kind: 'malformed', why: expect.any(String) })
})
