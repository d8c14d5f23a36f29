import { existsSync, readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'

/**
 * What a new app depends on to get the package that made it: the tarball that this one was installed from, else its version.
 * npm writes down where it took each package from, also for what `npx --package` runs.
 */
export const ownSpec = (directory: string, manifest = findPackageJSON(import.meta.url) ?? ''): string => {
  const { name, version } = JSON.parse(readFileSync(manifest, 'utf8'))
  const modules = dirname(dirname(manifest))
  const lock = join(modules, '.package-lock.json')
  if (basename(modules) !== 'node_modules' || !existsSync(lock)) return version
  const { packages = {} } = JSON.parse(readFileSync(lock, 'utf8'))
  const from = /^file:(.*\.(?:tgz|tar\.gz))$/.exec(packages[`node_modules/${name}`]?.resolved ?? '')?.[1]
  if (from === undefined) return version
  return `file:${relative(directory, resolve(dirname(modules), from)).replaceAll('\\', '/')}`
}
