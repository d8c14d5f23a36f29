import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type Proof, proveGrants } from '../iam/proof.ts'
import { OPERATE_PAGE, withProof } from '../iam/run.ts'

const proof: Proof = await proveGrants()

it('every call that the functions were seen to make is allowed, and every grant is used or has its reason', () => {
  expect(proof.mistakes).toEqual([])
})

it('every function was seen to call AWS', () => {
  const callers = new Set(proof.calls.map(({ caller }) => caller))
  expect([...callers].toSorted()).toEqual(['Bury', 'Operate', 'Publish', 'Receive', 'Recover', 'Worker'])
})

it('a grant that is taken away is missed by the function that needs it', async () => {
  const [first] = proof.rows.filter(({ by }) => by === 'used')
  expect(first).toBeDefined()
  const { mistakes } = await proveGrants(proof.calls, { identity: {}, resource: {} })
  expect(mistakes).toContainEqual(expect.stringContaining(`${first?.caller} needs ${first?.action} on`))
})

it('docs/operate.md shows the tables that npm run prove iam prints', () => {
  const page = readFileSync(OPERATE_PAGE, 'utf8')
  expect(page).toBe(withProof(page, proof))
})
