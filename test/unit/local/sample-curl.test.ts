import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { resolveSources } from '../../../functions/providers/sources.ts'
import { checkSecrets } from '../../../lib/local/check-secrets.ts'
import { sampleCurl } from '../../../lib/local/sample-curl.ts'
import { NOON } from '../../support/events.ts'
import { scratchDirectory } from '../../support/scratch-directory.ts'

const SVIX = { svix: { provider: 'svix' } } as const
const GITHUB = { github: { provider: 'github' } } as const

const started = (
  sources: Parameters<typeof resolveSources>[0],
  secrets: Readonly<Record<string, readonly string[]>>,
) => {
  const file = join(scratchDirectory(), 'secrets.json')
  writeFileSync(file, JSON.stringify(secrets))
  const resolved = resolveSources(sources)
  return {
    notes: checkSecrets(file, resolved),
    curl: sampleCurl('http://127.0.0.1:4000', resolved, file, NOON)?.source,
  }
}

describe('the delivery that a local instance suggests', () => {
  it.each([
    ['first', { ...SVIX, ...GITHUB }],
    ['last', { ...GITHUB, ...SVIX }],
  ])('the suggested delivery is of a source whose secret can sign, with the unusable one %s', (_, sources) => {
    expect(started(sources, { svix: ['whsec_%%%'], github: ['github-0123456789abcdef'] })).toEqual({
      notes: [expect.stringContaining('svix: the secret is not base64')],
      curl: 'github',
    })
  })

  it('no delivery is suggested while no source has a secret: a mark is not a secret', () => {
    const marked = ['await:2026-11-16T12:00:00.000Z']
    expect(started(GITHUB, { github: marked }).curl).toBeUndefined()
    expect(started(GITHUB, {}).curl).toBeUndefined()
  })

  it('the suggested delivery is of Stripe if possible, because everybody knows it', () => {
    const secrets = { github: ['github-0123456789abcdef'], stripe: ['whsec_0123456789abcdef'] }
    expect(started({ ...GITHUB, stripe: { provider: 'stripe' } }, secrets).curl).toBe('stripe')
  })
})
