import { statSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { join, resolve, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The modules of a worker, as they were when they were last loaded. */
export type WorkerModules = ReturnType<typeof workerModules>

/** Node keeps a module for as long as it runs: under another address the same file is another module. */
export const workerModules = (file: string) => {
  const { cache } = createRequire(import.meta.url)
  const loaded = new Map<string, string>()
  const note = (path: string): void => void loaded.set(path, stateOf(path))
  // Of several workers in one process, each has its own modules.
  const own = `?edition=${process.hrtime.bigint()}-`
  let version = 0

  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context)
      const edition = EDITION.exec(context.parentURL ?? '')?.[0]
      if (!edition?.startsWith(own) || !isUsers(resolved.url)) return resolved
      note(fileURLToPath(resolved.url))
      return { ...resolved, url: resolved.url + edition }
    },
  })

  const commonJs = (): string[] => Object.keys(cache).filter(path => isUsers(pathToFileURL(path).href))

  return {
    /** Imports the worker and the user's own modules anew; packages stay as they are. */
    load: async (): Promise<unknown> => {
      version += 1
      loaded.clear()
      for (const path of commonJs()) delete cache[path]
      note(file)
      try {
        return await import(`${pathToFileURL(file).href}${own}${version}`)
      } finally {
        commonJs().forEach(note)
      }
    },
    /** Whether one of these files is no longer what was loaded. */
    changed: (): boolean => [...loaded].some(([path, state]) => stateOf(path) !== state),
  }
}

const EDITION = /\?edition=\d+-\d+$/

const ROOT = resolve(import.meta.dirname, '../..')

/** Ours are the code that runs now, and there must be one of each; of them only the sample is the user's to change. */
const OURS = [join(ROOT, 'functions') + sep, join(ROOT, 'lib') + sep]
const SAMPLE = join(ROOT, 'functions/worker') + sep

const isUsers = (url: string): boolean => {
  if (!url.startsWith('file:') || url.includes('/node_modules/') || EDITION.test(url)) return false
  const path = fileURLToPath(url)
  return path.startsWith(SAMPLE) || !OURS.some(folder => path.startsWith(folder))
}

const stateOf = (path: string): string => {
  const found = statSync(path, { throwIfNoEntry: false })
  return found ? `${found.mtimeMs} ${found.size}` : 'gone'
}
