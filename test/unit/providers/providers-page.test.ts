import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { providers } from '../../../functions/providers/catalogue.ts'
import { validateSources } from '../../../functions/providers/sources.ts'
import { describeProvider } from '../../../lib/catalogue/describe-provider.ts'
import { providersPage } from '../../../lib/catalogue/providers-page.ts'
import { spanWords } from '../../../lib/catalogue/span-words.ts'
import { run } from '../../../lib/cli/run.ts'

const PAGE = join(import.meta.dirname, '../../../docs/providers.md')

describe('docs/providers.md', () => {
  test('docs/providers.md is what `npm run docs` makes of the rows', () => {
    expect(readFileSync(PAGE, 'utf8')).toBe(providersPage(providers))
  })

  test('docs/providers.md has a section for each provider', () => {
    const page = readFileSync(PAGE, 'utf8')
    for (const { name } of Object.values(providers)) expect(page).toContain(`\n## ${name}\n`)
  })

  test.each(Object.values(providers))(
    'the lines of sources.ts for $id are valid, and its notes are there',
    provider => {
      const { source } = describeProvider(provider)
      // Strict JavaScript of our own making, read the way a user's file is.
      const sources = new Function(`return {${source}}`)()
      expect(validateSources(sources)).toEqual([])
      expect(provider.secret).toMatch(/\w/)
    },
  )
})

test.each([
  [1, '1s'],
  [300, '5m'],
  [5_100, '85m'],
  [86_400, '1d'],
  [99_305, '27h 35m 5s'],
  [2_592_000, '30d'],
])('a span of %i s is written as %s', (seconds, words) => {
  expect(spanWords(seconds)).toBe(words)
})

describe('hooklatch providers', () => {
  const typed = async (...argv: string[]) => {
    const out: string[] = []
    const err: string[] = []
    const terminal = {
      out: (text: string | readonly string[]) => void out.push(...[text].flat()),
      err: (text: string) => void err.push(text),
      interactive: false,
      style: (_: string, text: string) => text,
      closed: new AbortController().signal,
    }
    return { code: await run(['providers', ...argv], terminal), out: out.join('\n'), err: err.join('\n') }
  }

  test('hooklatch providers lists all of them, one on each line', async () => {
    const { code, out } = await typed()
    expect(code).toBe(0)
    expect(out.split('\n')).toHaveLength(Object.keys(providers).length)
    expect(out).toContain('stripe\tStripe\thigh')
    expect(out).toContain('ramp\tRamp\texperimental')
  })

  test('hooklatch providers shows one, with what sources.ts needs', async () => {
    const { out } = await typed('google-pubsub-push')
    expect(out).toContain("provider: 'google-pubsub-push'")
    expect(out).toContain('audience')
  })

  test('hooklatch providers --json prints JSON for programs', async () => {
    expect(JSON.parse((await typed('github', '--json')).out)).toMatchObject({ id: 'github', deadline: '10s' })
    expect(JSON.parse((await typed('--json')).out)).toHaveLength(Object.keys(providers).length)
  })

  test('hooklatch providers suggests what was meant', async () => {
    const { code, err } = await typed('strpe')
    expect(code).toBe(1)
    expect(err).toContain('did you mean "stripe"?')
  })
})
