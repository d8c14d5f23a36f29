import { expect, it } from 'vitest'
import type { PauseAnswer } from '../../../functions/operate/pause.ts'
import { tellPause } from '../../../lib/cli/print/pause-sentence.ts'

const told = (answer: PauseAnswer, destination: string) => {
  const errors: string[] = []
  const terminal = { err: (text: string) => errors.push(text) } as unknown as Parameters<typeof tellPause>[3]
  return { code: tellPause(answer, destination, false, terminal), said: errors.join() }
}

it('a pause that comes too soon says why and from when on it is possible, and ends with exit code 1', () => {
  const again = '2026-11-30T12:00:00.000Z'
  const { code, said } = told({ kind: 'too-soon', destination: 'crm', again }, 'crm')
  expect(code).toBe(1)
  expect(said).toMatch(/^crm is not paused: .* events have to be handled first.* from 2026-11-30T12:00/)
})

it.each([
  [['worker'], 'crm', 'There is no destination "crm": there is only worker.'],
  [['worker', 'crm', 'billing'], 'legacy', 'There is no destination "legacy": there are worker, crm, billing.'],
  [['worker', 'crm', 'billing'], 'biling', 'There is no destination "biling": did you mean "billing"?'],
])('of the destinations %j, %s is none: the sentence says which there are', (destinations, name, sentence) => {
  expect(told({ kind: 'no-destination', destinations }, name)).toEqual({ code: 1, said: sentence })
})
