import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SCRIPTS } from '../tools/scripts.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: ROOT })]
/** A sample imports from where it lies, a page from where its reader would put it: the last two parts of a path are the same. A page may name the entry of the package instead. */
const placed = (code: string): string =>
  code
    .trim()
    .replaceAll(/from 'hooklatch\/([\w-]+)'/g, "from 'lib/$1.ts'")
    .replaceAll(/from '[./\w-]*?([\w-]+\/[\w-]+\.ts)'/g, "from '$1'")

const samples = globSync('docs/samples/*.ts', { cwd: ROOT }).map(file => placed(read(file)))
const blocks = (page: string, language: string): string[] =>
  [...read(page).matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, block]) =>
    (block ?? '').trim(),
  )

describe.each(pages)('%s', page => {
  it(`${page} shows only TypeScript that is compiled as a sample`, () => {
    for (const block of blocks(page, 'ts')) expect(samples).toContain(placed(block))
  })

  it(`${page} names only npm scripts and CLI commands that exist`, () => {
    const { scripts } = JSON.parse(read('package.json'))
    const text = read(page)
    const run = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name)
    expect(run.filter(name => !((name as string) in scripts))).toEqual([])
    const tools = [...text.matchAll(/npm run (prove|bench) ([a-z]+)/g)]
    expect(tools.filter(([, script, tool]) => !((tool as string) in SCRIPTS[script as 'prove' | 'bench']))).toEqual([])
    const verbs = [...text.matchAll(/npx hooklatch ([a-z]+)/g)].map(([, name]) => name)
    expect(verbs.filter(verb => !existsSync(join(ROOT, `lib/cli/verbs/${verb}.ts`)))).toEqual([])
  })

  it(`${page} links only to files that exist`, () => {
    const links = [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target]) => target ?? '')
    expect(links.filter(target => !existsSync(join(ROOT, dirname(page), target)))).toEqual([])
  })
})
