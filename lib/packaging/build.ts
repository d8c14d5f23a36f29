import { execFileSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { buildPage } from '../console/build-page.ts'

/** JavaScript and types in dist/, laid out as the sources are: Node runs no TypeScript inside node_modules. */
export const build = async (root: string): Promise<void> => {
  const out = join(root, 'dist')
  rmSync(out, { recursive: true, force: true })
  execFileSync(process.execPath, [tsc(root), '-p', join(root, 'tsconfig.build.json')], { cwd: root, stdio: 'inherit' })
  for (const file of globSync('**/*.d.ts', { cwd: out })) rewrite(join(out, file))
  const beside = globSync('{lib,functions}/**/*', { cwd: root, withFileTypes: true })
  for (const entry of beside.filter(each => each.isFile() && !SOURCE.has(extname(each.name)))) {
    const file = join(entry.parentPath, entry.name)
    if (!file.includes(PAGE)) cpSync(file, file.replace(root, out), { recursive: true })
  }
  writeFileSync(join(out, 'lib/console/page.json'), JSON.stringify(await buildPage()))
}

/** Goes in bundled: what it is bundled from is not needed there. */
const PAGE = join('lib', 'console', 'page')

/** What the compiler reads; all else, such as the local secrets, is copied as it is. */
const SOURCE = new Set(['.ts', '.tsx', '.js'])

const tsc = (root: string): string => {
  const require = createRequire(join(root, 'package.json'))
  return join(dirname(require.resolve('typescript/package.json')), 'bin/tsc')
}

/** The compiler rewrites the imports of the JavaScript, and leaves those of the types. */
const rewrite = (file: string): void => {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replaceAll(/((?:from |import\()['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'))
}
