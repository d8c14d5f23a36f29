import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Page {
  readonly html: string
  readonly js: string
  readonly css: string
  readonly icon: string
}

const FOLDER = join(import.meta.dirname, 'page')

/** Written when the package is built. */
const READY_MADE = join(import.meta.dirname, 'page.json')

/** The page in its files, bundled in memory in some 50 ms; a package brings them ready-made. */
export const buildPage = async (): Promise<Page> =>
  existsSync(READY_MADE) ? JSON.parse(await readFile(READY_MADE, 'utf8')) : bundle()

const bundle = async (): Promise<Page> => {
  // Loaded here: a machine that has the page ready-made needs no bundler.
  const { build } = await import('esbuild')
  const [html, icon, { outputFiles }] = await Promise.all([
    readFile(join(FOLDER, 'index.html'), 'utf8'),
    readFile(join(FOLDER, 'icon.svg'), 'utf8'),
    build({
      entryPoints: { app: join(FOLDER, 'main.tsx'), style: join(FOLDER, 'style.css') },
      outdir: 'page',
      bundle: true,
      write: false,
      minify: true,
      format: 'esm',
      target: 'es2022',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      legalComments: 'none',
      logLevel: 'silent',
    }),
  ])
  const textOf = (name: string): string => outputFiles.find(({ path }) => path.endsWith(name))?.text ?? ''
  return { html, icon, js: textOf('app.js'), css: textOf('style.css') }
}
