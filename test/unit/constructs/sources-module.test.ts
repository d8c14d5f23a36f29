import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { isCoded, type Scheme } from '../../../functions/domain/scheme.ts'
import type { Source, Sources } from '../../../functions/domain/source.ts'
import { providers } from '../../../functions/providers/catalogue.ts'
import { resolveSources } from '../../../functions/providers/sources.ts'
import { sourcesModule } from '../../../lib/constructs/sources-module.ts'
import defaultSources from '../../../sources.ts'
import { oneSourceEach } from '../../bench/one-source-each.ts'

const directory = mkdtempSync(join(tmpdir(), 'hooklatch-module-'))
afterAll(() => rmSync(directory, { recursive: true }))

const write = (sources: Sources): string => {
  const file = join(directory, `${Object.keys(sources).length}.mjs`)
  writeFileSync(file, sourcesModule(resolveSources(sources)))
  return file
}
const load = async (sources: Sources): Promise<Map<string, Source>> =>
  (await import(/* @vite-ignore */ write(sources))).default

/** With its names and texts as they are written. */
const bundled = async (sources: Sources): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [write(sources)],
    bundle: true,
    platform: 'node',
    format: 'esm',
    charset: 'utf8',
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

const waysOf = (scheme: Scheme): readonly Scheme[] => (scheme.kind === 'any' ? Object.values(scheme.of) : [scheme])
const modulesOf = (sources: Iterable<{ readonly scheme: Scheme }>) =>
  [...sources].flatMap(({ scheme }) => waysOf(scheme).filter(isCoded)).map(({ code }) => code)

/** What the functions read: of a provider little, of a custom config nothing. */
const readByFunctions = ({ provider, ...source }: Source) => {
  const { id, emptyBody, handshake } = provider
  const config = id === 'custom' ? {} : source.config
  return {
    ...source,
    config,
    provider: { id, emptyBody, handshake: handshake && { ...handshake, answer: typeof handshake.answer } },
  }
}
/** As JSON, where code is only said to be there: which it is, the next test says. */
const comparable = (source: Source): unknown =>
  JSON.parse(JSON.stringify(readByFunctions(source), (name, value) => (name === 'code' ? typeof value.check : value)))

describe('the module of the sources in a bundle', () => {
  it.each([
    ['our own sources', defaultSources],
    ['a source for every provider', oneSourceEach()],
  ])('the module of the sources says of %s what the functions would resolve themselves', async (_name, sources) => {
    const module = await load(sources)
    const resolved = resolveSources(sources)
    expect([...module.keys()]).toEqual([...resolved.keys()])
    for (const [name, source] of module) {
      expect(comparable(source)).toEqual(comparable(resolved.get(name) as Source))
    }
  })

  it('the module of the sources brings the checks of its sources, without their signing', async () => {
    const brought = modulesOf((await load(oneSourceEach())).values())
    const known = modulesOf(Object.values(providers))
    expect(brought.length).toBeGreaterThan(10)
    expect(brought).toEqual(known.map(({ check, reads }) => ({ check, reads })))
  })

  it('the module of the sources becomes a bundle without other checks, without signing code and without words for people', async () => {
    const sources = { plivo: { provider: 'plivo' }, aws: { provider: 'stripe' } }
    expect(await bundled(sources)).toContain('x-plivo-signature-v3')
    expect(await bundled(sources)).not.toMatch(/contentful|paypal/)

    const text = await bundled(oneSourceEach())
    expect(text.match(/^var check\d* = /gm)).toHaveLength(new Set(modulesOf(Object.values(providers))).size)
    expect(text).not.toMatch(/^var (?:sign|words|covers)\d* = /m)
  })

  it('the module of the sources can download keys only if one of its senders publishes them', async () => {
    const opens = async (sources: Sources) => typeof (await import(/* @vite-ignore */ write(sources))).openKeys
    const topics = { topics: ['arn:aws:sns:us-west-2:123456789012:MyTopic'] }
    const without = { a: { provider: 'stripe' }, b: { provider: 'github' }, c: { provider: 'plaid' } }
    const sns = { ...without, d: { provider: 'aws-sns', config: topics } }
    const jwks = { ...sns, d: { provider: 'fireblocks' }, e: { provider: 'slack' } }
    expect([await opens(without), await opens(sns), await opens(jwks)]).toEqual(['undefined', 'function', 'function'])
    expect(await bundled(without)).not.toContain('node:https')
    expect(await bundled(sns)).toContain('node:https')
  })

  it('the module of the sources takes names that look like code as names', async () => {
    const sources = {
      'a-b': { provider: 'stripe' },
      c: { provider: 'slack', publicUrl: 'https://x.example/(handshake)' },
    }
    const map = await load(sources)
    expect(map.get('c')?.publicUrl).toBe('https://x.example/(handshake)')
    expect(map.get('c')?.provider.handshake?.signed).toBe(true)
  })
})
