import { expect, it } from 'vitest'
import { tellPause } from '../../../lib/cli/print/pause-sentence.ts'

it('a pause that comes too soon says why and from when on it is possible, and ends with exit code 1', () => {
  const errors: string[] = []
  const terminal = { err: (text: string) => errors.push(text) } as unknown as Parameters<typeof tellPause>[3]
  const again = '2026-11-30T12:00:00.000Z'
  expect(tellPause({ kind: 'too-soon', destination: 'crm', again }, 'crm', false, terminal)).toBe(1)
  expect(errors.join()).toMatch(/^crm is not paused: .* events have to be handled first.* from 2026-11-30T12:00/)
})
