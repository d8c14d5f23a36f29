import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Source, Sources } from '../../../functions/domain/source.ts'
import { checks } from '../../../functions/providers/checks.ts'
import { resolveSources } from '../../../functions/providers/sources.ts'
import { sourcesModule } from '../../../lib/constructs/sources-module.ts'
import defaultSources from '../../../sources.ts'
import { oneSourceEach } from '../../bench/one-source-each.ts'

const directory = mkdtempSync(join(tmpdir(), 'hooklatch-module-'))
afterAll(() => rmSync(directory, { recursive: true }))

const load = async (sources: Sources): Promise<{ default: Map<string, Source>; checks: object }> => {
  const file = join(directory, `${Object.keys(sources).length}.mjs`)
  writeFileSync(file, sourcesModule(resolveSources(sources)))
  return import(/* @vite-ignore */ file)
}

/** What the functions read: of a provider little, of a custom config nothing. */
const readByFunctions = ({ provider, ...source }: Source) => {
  const { id, coversBody, emptyBody, handshake } = provider
  const config = id === 'custom' ? {} : source.config
  return {
    ...source,
    config,
    provider: { id, coversBody, emptyBody, handshake: handshake && { ...handshake, answer: typeof handshake.answer } },
  }
}
const comparable = (source: Source): unknown => JSON.parse(JSON.stringify(readByFunctions(source)))

describe('the module of the sources in a bundle', () => {
  it.each([
    ['our own sources', defaultSources],
    ['a source for every provider', oneSourceEach()],
  ])('says of %s what the functions would resolve themselves', async (_name, sources) => {
    const module = await load(sources)
    const resolved = resolveSources(sources)
    expect([...module.default.keys()]).toEqual([...resolved.keys()])
    for (const [name, source] of module.default) {
      expect(comparable(source)).toEqual(comparable(resolved.get(name) as Source))
    }
  })

  it('brings the checks of its sources, and no others', async () => {
    const { checks: brought } = await load({
      sns: { provider: 'aws-sns', config: { topics: ['arn:aws:sns:eu-west-1:1:t'] } },
    })
    expect(brought).toEqual({ 'aws-sns': checks['aws-sns'] })
    expect((await load(oneSourceEach())).checks).toEqual(checks)
  })

  it('takes names that look like code as names', async () => {
    const sources = {
      'a-b': { provider: 'stripe' },
      c: { provider: 'slack', publicUrl: 'https://x.example/(handshake)' },
    }
    const { default: map } = await load(sources)
    expect(map.get('c')?.publicUrl).toBe('https://x.example/(handshake)')
    expect(map.get('c')?.provider.handshake?.signed).toBe(true)
  })
})
