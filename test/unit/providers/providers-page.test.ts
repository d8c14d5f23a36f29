import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { providers } from '../../../functions/providers/catalogue.ts'
import { validateSources } from '../../../functions/providers/sources.ts'
import { describeProvider } from '../../../lib/catalogue/describe-provider.ts'
import { providersPage } from '../../../lib/catalogue/providers-page.ts'
import { inWords, spanText, spanWords } from '../../../lib/catalogue/span-words.ts'
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
])('a span of %i s is %s in sources.ts', (seconds, text) => {
  expect(spanText(seconds)).toBe(text)
})

test.each([
  [1, '1 second'],
  [45, '45 seconds'],
  [60, '1 minute'],
  [300, '5 minutes'],
  [5_100, '85 minutes'],
  [3_600, '1 hour'],
  [86_400, '1 day'],
  [99_305, '28 hours'],
  [604_800, '7 days'],
  [1_209_600, '2 weeks'],
  [25_926 * 60, '18 days'],
  [1_827_305, '3 weeks'],
  [2_592_000, '30 days'],
])('a span of %i s is "%s" to people', (seconds, words) => {
  expect(spanWords(seconds)).toBe(words)
})

test.each([
  ['507h 35m 5s', '3 weeks'],
  ['7d', '7 days'],
  ['none', 'none'],
  ['for 7d', 'for 7d'],
  ['', ''],
])('the text "%s" is "%s" to people', (text, words) => {
  expect(inWords(text)).toBe(words)
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
