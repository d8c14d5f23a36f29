import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Page {
  readonly html: string
  readonly js: string
  readonly css: string
  readonly icon: string
}

const FOLDER = join(import.meta.dirname, 'page')

/** The page in its files, bundled in memory in some 50 ms; a package brings them ready-made. */
export const buildPage = async (): Promise<Page> => {
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
