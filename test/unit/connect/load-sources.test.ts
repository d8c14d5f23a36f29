import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadBoth, loadSources } from '../../../lib/connect/load-sources.ts'
import { isRefusal } from '../../../lib/connect/refusal.ts'
import { scratchDirectory } from '../../support/scratch-directory.ts'

const load = (name: string, content: string) => {
  const file = join(scratchDirectory(), name)
  writeFileSync(file, content)
  return loadSources(file)
}

describe('a source file', () => {
  it.each([
    ['sources.json', '{"pay":{"provider":"stripe"}}'],
    ['sources.ts', "type Names = 'pay'\nexport default { pay: { provider: 'stripe' } } as Record<Names, object>"],
    ['sources.mjs', "export default { pay: { provider: 'stripe' } }"],
  ])('a source file may be %s', async (name, content) => {
    const sources = await load(name, content)
    expect(!isRefusal(sources) && sources.get('pay')?.provider.id).toBe('stripe')
  })

  it.each([
    ['is missing', () => loadSources('/nowhere/sources.ts'), /does not exist/],
    ['is not JSON', () => load('a.json', '{'), /cannot be read/],
    ['does not compile', () => load('a.ts', 'export default {'), /cannot be read/],
    ['exports nothing', () => load('a.mjs', 'export const sources = {}'), /no default export/],
    ['is not a map', () => load('a.json', '[]'), /one mistake:\n- /],
    [
      'is wrong twice',
      () => load('a.json', '{"A":{"provider":"stripe"},"b":{"provider":"strip"}}'),
      /2 mistakes:\n- .*\n- .*stripe/,
    ],
  ])('a source file that %s is refused with a sentence', async (_, loaded, words) => {
    expect(await loaded()).toMatchObject({ exitCode: 1, refused: expect.stringMatching(words) })
  })

  it('the destinations beside a source file are read with it, and their mistakes are in the same message', async () => {
    const directory = scratchDirectory()
    const file = join(directory, 'sources.json')
    writeFileSync(file, '{"pay":{"provider":"stripe"}}')
    expect(await loadBoth(file)).toMatchObject({ destinations: {} })
    writeFileSync(join(directory, 'destinations.ts'), "export default { crm: { queue: 'crm-events' } }")
    expect(await loadBoth(file)).toMatchObject({ destinations: { crm: { queue: 'crm-events' } } })
    // Of the same kind as the sources, so read before the other.
    writeFileSync(join(directory, 'destinations.json'), '{"crm":{"queue":"crm-events","rate":"0/s"}}')
    writeFileSync(file, '{"pay":{"provider":"strpe"}}')
    const refused = await loadSources(file)
    expect(refused).toMatchObject({
      refused: expect.stringMatching(/have 2 mistakes:\n- pay\.provider.*\n- .*crm.*rate/),
    })
    writeFileSync(join(directory, 'destinations.json'), '{')
    expect(await loadSources(file)).toMatchObject({ refused: expect.stringContaining('file of destinations') })
  })
})
