import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { asInAnApp } from '../support/as-in-an-app.ts'
import { SCRIPTS } from '../tools/scripts.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: ROOT })]
const samples = globSync('docs/samples/*.ts', { cwd: ROOT }).map(file => asInAnApp(read(file)).trim())
const blocks = (page: string, language: string): string[] =>
  [...read(page).matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, block]) =>
    (block ?? '').trim(),
  )

describe.each(pages)('%s', page => {
  it(`${page} shows only TypeScript that is compiled as a sample, with the imports of an app`, () => {
    for (const block of blocks(page, 'ts')) expect(samples).toContain(block)
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
