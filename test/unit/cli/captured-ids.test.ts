import { describe, expect, it } from 'vitest'
import type { SourceConfig } from '../../../functions/domain/source.ts'
import { providers } from '../../../functions/providers/catalogue.ts'
import { resolveSources } from '../../../functions/providers/sources.ts'
import { coverageWords } from '../../../lib/catalogue/coverage-words.ts'
import { checkSources } from '../../../lib/cli/checks/check-sources.ts'
import type { Deployment } from '../../../lib/cli/checks/finding.ts'
import { sourceView } from '../../../lib/cli/print/source-view.ts'

const sourcesOf = (config: SourceConfig) => resolveSources({ shop: config })
const viewOf = (config: SourceConfig) =>
  [...sourcesOf(config).values()].map(each => sourceView(each, 'https://x', 'present'))
const found = (config: SourceConfig) =>
  checkSources({
    connection: { kind: 'local', urlOf: () => 'https://x' },
    sources: sourcesOf(config),
  } as unknown as Deployment)

describe('a source whose id a captured delivery could change', () => {
  it('is named by sources, with the line that stops it', () => {
    expect(viewOf({ provider: 'github' })).toMatchObject([
      { capturedId: { says: expect.stringContaining('Does not sign the id'), stop: "guard: 'body'" } },
    ])
    expect(viewOf({ provider: 'github', guard: 'body' })).toMatchObject([{ guard: 'body', capturedId: null }])
  })

  it('is a warning of the doctor, with the line that stops it', async () => {
    expect(await found({ provider: 'github' })).toEqual([
      {
        level: 'warning',
        subject: 'shop',
        says: 'does not sign the id, so a captured delivery could come back as a new event',
        fix: "guard: 'body' in sources.ts",
      },
    ])
    expect(await found({ provider: 'github', guard: 'body' })).toMatchObject([{ level: 'ok' }])
    expect(await found({ provider: 'telegram' })).toMatchObject([
      { says: expect.stringContaining('look it up at the sender'), fix: 'npx hooklatch providers telegram' },
    ])
  })

  it('a provider whose facts are not confirmed is a warning of the doctor, with what is not known', async () => {
    expect(await found({ provider: 'ramp' })).toEqual([
      {
        level: 'warning',
        subject: 'shop',
        says: expect.stringMatching(/^the facts on Ramp are not confirmed \(.*hex or base64.*\) Try a real delivery/),
        fix: 'npx hooklatch providers ramp',
      },
    ])
  })

  it.each([
    [
      'github',
      "signs the body. Does not sign the id, so a captured delivery could come back as a new event: set `guard: 'body'`",
    ],
    ['stripe', 'signs the body and the time. The id is signed'],
    ['twilio', 'The id is made of what is signed'],
    ['mailgun', '`json:signature.token` is and belongs to one event: with another id it is refused'],
    ['telegram', 'signs nothing. Whoever has seen one delivery can send any other in its place'],
  ])('the catalogue says in a sentence what %s covers', (id, sentence) => {
    const provider = providers[id]
    expect(provider && coverageWords(provider)).toContain(sentence)
  })
})
