import { describe, expect, test } from 'vitest'
import { millis } from '../../../functions/domain/brands.ts'
import { readBody } from '../../../functions/providers/read-body.ts'
import { select } from '../../../functions/providers/select.ts'
import { resolveSources } from '../../../functions/providers/sources.ts'
import secrets from '../../../lib/local/secrets.json' with { type: 'json' }
import { sample } from '../../../lib/sender/sample.ts'
import { sign } from '../../../lib/sender/sign.ts'
import rootSources from '../../../sources.ts'
import { delivery, judged } from './rig.ts'

const NOW = 1_760_000_000
const URL = 'http://localhost:4000/webhooks/acme'
/** Of those that sign: an internal source has callers with credentials. */
const sources = [...resolveSources(rootSources).values()]
  .filter(({ publish }) => publish === null)
  .map(source => ({ name: source.name, source }))
const local: Readonly<Record<string, readonly string[]>> = secrets

describe.each(sources)('$name on a laptop', ({ name, source }) => {
  const secret = local[name]?.[0] ?? ''
  const send = (id: string) => {
    const made = sample(source, { unique: 'u-1', id, type: 'thing.happened', now: millis(NOW * 1000) })
    const { headers } = sign(source, secret, {
      url: URL,
      body: made.body,
      headers: made.headers,
      now: millis(NOW * 1000),
    })
    return { url: URL, headers, body: made.body }
  }

  test(`the source ${name} has a fake secret on a laptop, and its signed sample is genuine`, async () => {
    expect(await judged(source, send('id-1'), secret, NOW)).toBe('genuine')
    expect(await judged(source, { ...send('id-1'), headers: {} }, secret, NOW)).toBe('header-missing')
  })

  test(`the sample of ${name} carries the id and type that were asked for`, () => {
    const posted = delivery(send('id-1'))
    const view = readBody(posted.body)
    const read = (selector: Parameters<typeof select>[0] | undefined) => selector && select(selector, posted, view)
    if (source.identity.kind === 'id') expect(read(source.identity.id[0])).toEqual({ kind: 'found', value: 'id-1' })
    if (source.identity.kind === 'business')
      expect(read(source.identity.parts[0])).toEqual({ kind: 'found', value: 'id-1' })
    if (source.type[0]) expect(read(source.type[0])).toEqual({ kind: 'found', value: 'thing.happened' })
  })

  test(`a sample of ${name} with another id is another event, even if the bytes are the identity`, () => {
    expect(send('id-1')).not.toEqual(send('id-2'))
    expect(send('id-1')).toEqual(send('id-1'))
  })
})

test('every local secret belongs to a source', () => {
  expect(Object.keys(local).sort()).toEqual(sources.map(({ name }) => name).sort())
})

test('nobody but Discord can sign for a real Discord key', () => {
  const discord = sources.find(({ name }) => name === 'discord')?.source
  if (discord === undefined) throw new Error('no discord')
  const request = { url: URL, body: new Uint8Array(), now: millis(0) }
  const real = '574bdaceeb869ce6afef98213df788d6f6ed8a07a1605ebeb09d41d5d7c67df8'
  expect(() => sign(discord, real, request)).toThrow('only the sender has the private key')
})
