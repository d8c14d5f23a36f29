import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { providers } from '../../../functions/providers/catalogue.ts'
import { type Bundle, bundle } from '../../bench/bundle.ts'
import { oneSourceEach } from '../../bench/one-source-each.ts'

const directory = mkdtempSync(join(tmpdir(), 'hooklatch-bundle-'))
const receive = { name: 'receive', directory, entry: 'functions/receive/handler.ts', awaitsAtStart: true }
const publish = { entry: 'functions/publish/handler.ts', aliases: { '#aws': 'functions/adapters/lean/aws.ts' } }
let lean: Bundle
beforeAll(async () => {
  lean = await bundle(receive)
})
afterAll(() => rmSync(directory, { recursive: true }))

describe('the bundle of the receive function', () => {
  it('the bundle of receive holds no part of the AWS SDK', () => {
    expect(Object.keys(lean.parts).filter(part => /^@(aws|smithy)/.test(part))).toEqual([])
  })

  it('the bundle of receive is our own code, middy and the sources, and no more than 106 KB of it', () => {
    expect(Object.keys(lean.parts).filter(part => !part.startsWith('functions/'))).toEqual(
      expect.arrayContaining(['sources', '@middy/core']),
    )
    expect(lean.bytes).toBeLessThan(106_000)
  })

  it('the bundle of receive holds the SDK when the construct asks for it', async () => {
    const { parts } = await bundle({ ...receive, name: 'sdk', client: 'sdk' })
    expect(Object.keys(parts)).toContain('@aws-sdk/client-dynamodb')
  })
})

describe('the bundles of the functions that hand over', () => {
  it.each(['queue', 'bus', 'url'])(
    'the bundle for a %s is our own code alone, and no more than 80 KB of it',
    async kind => {
      const aliases = { '#every-call': 'functions/adapters/lean/every-call.ts' }
      const { parts, bytes } = await bundle({
        name: kind,
        directory,
        entry: `functions/deliver/${kind}/handler.ts`,
        aliases,
      })
      expect(Object.keys(parts).filter(part => !part.startsWith('functions/'))).toEqual([])
      expect(bytes).toBeLessThan(80_000)
    },
  )
})

describe('what the catalogue tells people', () => {
  const texts = Object.values(providers)
    .flatMap(({ secret = '', beware = [], uncertain = [] }) => [secret, ...beware, ...uncertain])
    .filter(text => text.length > 30)

  it.each([
    ['receive, with a source for every provider', { ...receive, sources: oneSourceEach() }],
    ['recover, with a source for every provider', { entry: 'functions/recover/handler.ts', sources: oneSourceEach() }],
    ['publish', publish],
  ])('what the catalogue tells people is not in the bundle of %s', async (_, bundling) => {
    const { file } = await bundle({ ...bundling, name: 'words', directory })
    const code = readFileSync(file, 'utf8')
    expect(texts.length).toBeGreaterThan(100)
    expect(texts.filter(text => code.includes(text))).toEqual([])
  })
})

describe('the bundles of functions that verify nothing', () => {
  it.each([
    ['publish', publish],
    ['recover', { entry: 'functions/recover/handler.ts', sources: oneSourceEach() }],
  ])('the bundle of %s has no rows, checks and handshakes', async (name, bundling) => {
    const { parts } = await bundle({ ...bundling, name, directory })
    expect(Object.keys(parts).filter(part => /providers\/(rows|coded|handshakes)/.test(part))).toEqual([])
  })
})
