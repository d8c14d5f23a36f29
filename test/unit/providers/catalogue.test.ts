import { describe, expect, test } from 'vitest'
import { millis } from '../../../functions/domain/brands.ts'
import { isExperimental, type Provider } from '../../../functions/domain/provider.ts'
import { isSigned, type Scheme } from '../../../functions/domain/scheme.ts'
import { providers } from '../../../functions/providers/catalogue.ts'
import { parseTemplate } from '../../../functions/providers/parse-template.ts'
import { resolveSources } from '../../../functions/providers/sources.ts'
import { exampleSecret } from '../../../lib/sender/example-secret.ts'
import { exampleSource } from '../../../lib/sender/example-source.ts'
import { sample } from '../../../lib/sender/sample.ts'
import { sign } from '../../../lib/sender/sign.ts'
import { NOON } from '../../support/events.ts'
import { receiveRig } from '../../support/receive-rig.ts'

const rows = Object.entries(providers).map(([id, provider]) => ({ id, provider }))
const DAY = 86_400

const waysOf = (scheme: Scheme): readonly Scheme[] => (scheme.kind === 'any' ? Object.values(scheme.of) : [scheme])

describe.each(rows)('the row of $id', ({ id, provider }) => {
  test(`the row of ${id} has a name, a window, documents and a confidence`, () => {
    expect(provider.id).toBe(id)
    expect(id).toMatch(/^[a-z][a-z0-9-]+$/)
    expect(provider.name).not.toBe('')
    expect(provider.docs).toMatch(/^https:\/\//)
    expect(['high', 'medium', 'low']).toContain(provider.confidence)
    expect(provider.replayWindowSeconds).toBeGreaterThanOrEqual(DAY)
    expect(provider.replayWindowSeconds).toBeGreaterThanOrEqual(provider.retry.windowSeconds ?? 0)
    expect(provider.deadlineSeconds ?? 1).toBeGreaterThan(0)
  })

  test(`the row of ${id} names headers in lower case, and keeps no proof`, () => {
    const proof = waysOf(provider.scheme).flatMap(scheme => (isSigned(scheme) ? [scheme.sig.name] : []))
    for (const name of provider.keepHeaders ?? []) expect(name).toBe(name.toLowerCase())
    expect((provider.keepHeaders ?? []).filter(name => proof.includes(name))).toEqual([])
  })

  test(`the row of ${id} has templates that parse, and signs the time that it checks`, () => {
    for (const scheme of waysOf(provider.scheme).filter(isSigned)) {
      const template = parseTemplate(scheme.signed)
      if ('problem' in template) throw new Error(template.problem)
      const tokens = template.parts.flatMap(part => (typeof part === 'string' ? [] : [part.token]))
      if (scheme.ts)
        expect(tokens.some(token => token === 'ts' || (token === 'body' && scheme.ts?.in === 'json'))).toBe(true)
      expect(tokens.includes('secret')).toBe(scheme.kind === 'digest')
    }
  })

  test('does not say that a body is signed when the secret itself is sent, or nothing', () => {
    const uncovered = waysOf(provider.scheme).some(({ kind }) => ['token', 'basic', 'none'].includes(kind))
    const [source] = resolveSources({ acme: exampleSource(provider) }).values()
    if (uncovered) expect(source?.bodySigned).toBe(false)
  })
})

describe.each(rows)('a signed sample of $id', ({ provider }) => {
  const sources = { acme: exampleSource(provider) }
  const [source] = resolveSources(sources).values()
  if (source === undefined) throw new Error('no source')
  const secret = exampleSecret(source.scheme)
  const deliver = (to: ReturnType<typeof receiveRig>, id: string) => {
    const made = sample(source, { unique: 'u-1', id, now: millis(NOON) })
    const url = 'https://hooks.example.com/webhooks/acme'
    const { headers, body, url: target } = sign(source, secret, { url, ...made, now: millis(NOON) })
    return to.post({ source: 'acme', body, headers, query: target.split('?')[1] ?? '' })
  }

  test(`a signed sample of ${provider.id} is accepted once, and another event is another`, async () => {
    const local = receiveRig({ sources, secrets: secret === '' ? {} : { acme: [secret] } })
    const answers = [await deliver(local, 'id-1'), await deliver(local, 'id-1'), await deliver(local, 'id-2')]
    const again = provider.identity.kind === 'delivery' ? 202 : 200
    expect(answers.map(({ status }) => status)).toEqual([202, again, 202])
  })
})

describe('the catalogue', () => {
  test('the catalogue has lost none of its first 141 providers', () => {
    expect(rows.length).toBeGreaterThanOrEqual(141)
  })

  test('the catalogue marks as experimental what nobody could check', () => {
    const experimental = rows.filter(({ provider }) => isExperimental(provider)).map(({ id }) => id)
    expect(experimental).toContain('ramp')
    expect(experimental).not.toContain('stripe')
  })

  test('a row of low confidence says exactly what is not known', () => {
    const silent = rows.filter(({ provider }) => isExperimental(provider) && !provider.uncertain?.length)
    expect(silent.map(({ id }) => id)).toEqual([])
  })

  // The whole delivery of these two has an id of its own.
  test('the catalogue names batches by their body, so one event is not taken for all', () => {
    const batches = rows.filter(({ provider }) => provider.batch)
    const named = batches.filter(({ provider }) => !['body', 'json'].includes(provider.identity.kind))
    expect(batches.length).toBeGreaterThanOrEqual(15)
    expect(named.map(({ id }) => id).sort()).toEqual(['okta', 'xero'])
  })
})

describe('freshness', () => {
  const toleranceOf = (id: string): number | undefined => {
    const { scheme } = providers[id] as Provider
    const [way] = waysOf(scheme)
    if (way && 'ts' in way) return way.ts?.toleranceSeconds
    return way && 'toleranceSeconds' in way ? way.toleranceSeconds : undefined
  }

  test.each([
    ['stripe', 300, 'refreshed on retry: the row says 300'],
    ['recharge', 172_800, 'not refreshed: as long as it retries'],
    ['aws-sns', 3600, 'the time of publishing: as long as it retries'],
    ['linear', 60, "not known, but its SDK's own"],
    ['customerio', 604_800, 'not known and none published: as long as it retries'],
    ['mailgun', 28_800, 'not known and none published: as long as it retries'],
    ['kick', 300, 'nothing known at all: five minutes'],
  ])('the timestamp of %s is fresh for %i s (%s)', (id, expected) => {
    expect(toleranceOf(id)).toBe(expected)
  })
})
