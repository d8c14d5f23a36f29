import { describe, expect, test } from 'vitest'
import { providers } from '../../functions/providers/catalogue.ts'
import { judged, source } from '../unit/providers/rig.ts'
import catalogue from './catalogue.json' with { type: 'json' }

interface Vector {
  readonly id: string
  readonly provider: string
  readonly expect: 'valid' | 'invalid'
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string
  readonly secret?: string
  readonly certificate_pem?: string
  readonly public_key_pem?: string
  readonly config?: Record<string, string>
  readonly now: number
  readonly origin: string
  readonly made_by: string
  readonly from?: string
}

const vectors = catalogue.vectors as unknown as readonly Vector[]

const secretOf = ({ secret, certificate_pem, public_key_pem }: Vector): string =>
  secret ?? certificate_pem ?? public_key_pem ?? ''

/** SNS signs for every account: a source says whose topics it means. The second key of Box is a second secret with us. */
const configOf = ({ provider, config = {}, body }: Vector): Record<string, unknown> | undefined => {
  const { secondary_key: _, ...others } = config
  if (provider === 'aws-sns') return { topics: [JSON.parse(body).TopicArn] }
  return Object.keys(others).length > 0 ? others : undefined
}

const verdictOf = (vector: Vector): Promise<string> => {
  const config = configOf(vector)
  return judged(source({ provider: vector.provider, ...(config && { config }) }), vector, secretOf(vector), vector.now)
}

describe('vectors of the catalogue', () => {
  test.each(vectors.filter(({ expect: expected }) => expected === 'valid'))(
    'the vector $id is genuine',
    async vector => {
      expect(await verdictOf(vector)).toBe('genuine')
    },
  )

  test.each(vectors.filter(({ expect: expected }) => expected === 'invalid'))(
    'the vector $id is refused',
    async vector => {
      expect(await verdictOf(vector)).toMatch(
        vector.id.endsWith('--stale')
          ? /^timestamp-stale$/
          : /^(?:signature-mismatch|header-malformed|header-missing)$/,
      )
    },
  )

  test('the second key of Box stands for the second signature', async () => {
    const box = vectors.find(({ id }) => id === 'box-sdk-1') as Vector
    const { 'box-signature-primary': _, ...headers } = box.headers
    const second = (key: string) => judged(source({ provider: 'box' }), { ...box, headers }, key, box.now)
    expect(await second('SampleSecondaryKey')).toBe('genuine')
    expect(await second('SamplePrimaryKey')).toBe('signature-mismatch')
  })

  test('every provider that signs or sends a secret has a vector, and every vector a provider', () => {
    const named = new Set(vectors.map(({ provider }) => provider))
    const proving = Object.values(providers).filter(({ scheme }) => scheme.kind !== 'none')
    expect(proving.filter(({ id }) => !named.has(id)).map(({ id }) => id)).toEqual([])
    expect([...named].filter(provider => !Object.hasOwn(providers, provider))).toEqual([])
  })

  test('a new vector says where it is from, unless it was made from another', () => {
    const derived = (made: string) => /^(?:derived from|signed by|computed)/.test(made)
    const published = vectors.filter(({ origin }) => origin === 'official-sdk-test')
    expect(published.length).toBeGreaterThanOrEqual(13)
    expect(published.filter(({ from, made_by }) => !from?.startsWith('https://') && !derived(made_by))).toEqual([])
  })
})
