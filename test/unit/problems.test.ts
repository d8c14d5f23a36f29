import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROBLEMS_PAGE } from '../../functions/contract/problems.ts'
import { PROBLEMS as ofIdempotent } from '../../functions/idempotent/reply.ts'
import { PROBLEMS as ofPublish } from '../../functions/publish/reply.ts'
import { PROBLEMS as ofReceive, reply } from '../../functions/receive/reply.ts'
import { PROBLEMS as ofConsole, problem } from '../../lib/console/problem.ts'
import { problemType } from '../support/problem-type.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

it('the page of the problems is at the homepage of package.json', () => {
  expect(PROBLEMS_PAGE).toBe(`${JSON.parse(read('package.json')).homepage}/docs/problems.md`)
})

it('docs/problems.md explains every problem once, and no other', () => {
  const explained = [...read('docs/problems.md').matchAll(/^### (.+)$/gm)].map(([, word]) => word)
  const words = [ofReceive, ofPublish, ofIdempotent, ofConsole].flatMap(list => Object.keys(list))
  expect(explained.toSorted()).toEqual([...new Set(words)].toSorted())
})

it('a problem of the receiver has a number as its status and a URI as its type', () => {
  const answer = reply({ outcome: 'in-flight', id: 'e'.repeat(64), status: 503 } as Parameters<typeof reply>[0], 'c-1')
  expect(answer.headers['content-type']).toBe('application/problem+json')
  expect(JSON.parse(answer.body)).toMatchObject({
    type: problemType('processing'),
    status: 503,
    state: 'processing',
    correlationId: 'c-1',
  })
})

it('a problem of the console has a number as its status and a URI as its type', () => {
  expect(problem('token', 'Open the URL.')).toMatchObject({ type: problemType('token'), status: 401 })
})
