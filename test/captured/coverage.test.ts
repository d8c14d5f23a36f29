import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { capturedId } from '../../functions/providers/captured-id.ts'
import { everyProvider, type Played } from '../unit/providers/every-provider.ts'
import { coveragePage } from './page.ts'
import { type Probed, probe } from './probe.ts'
import { COVERAGE_PAGE, mistakes } from './run.ts'

const all = new Map<Played, Probed>()

describe.each(everyProvider)('a captured delivery of $name', played => {
  let probed: Probed
  beforeAll(async () => {
    probed = await probe(played)
    all.set(played, probed)
  })

  it('is believed under exactly the changes that its row does not cover', () => {
    expect(mistakes(probed)).toEqual([])
    expect(probed.changes.length).toBeGreaterThan(20)
  })

  it('becomes a new event if the source is named for that, and only then', () => {
    expect({ named: capturedId(played.source) !== null, found: probed.newEvents }).toEqual(
      probed.newEvents.length > 0 ? { named: true, found: probed.newEvents } : { named: false, found: [] },
    )
  })

  it('never becomes a new event under a guard', () => {
    expect(probed.newEventsUnderGuard ?? []).toEqual([])
    if (capturedId(played.source)?.stop === "guard: 'body'") expect(probed.newEventsUnderGuard).toBeDefined()
  })
})

describe('docs/coverage.md', () => {
  it('is what the probe measured', () => {
    expect(readFileSync(COVERAGE_PAGE, 'utf8')).toBe(coveragePage([...all]))
  })
})
