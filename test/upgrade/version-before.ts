import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const SUITE = 'test/integration'

/** Of 17 November 2026. Until there is a tag, this is the version to upgrade from. */
const BEFORE_ANY_TAG = '0654d1b715ade27bccbfca1fd2aed248be1e817b'

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

/** The last tag before the commit that is checked out, so at a release the version before it. */
export const versionBefore = (): string => {
  try {
    return git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^')
  } catch {
    return BEFORE_ANY_TAG
  }
}

/**
 * That version in a directory of its own, with the packages of today, and with the app, the sources and the workers of today's suite:
 * between both deployments nothing changes but Hooklatch.
 */
export const checkOut = (version: string): { readonly root: string; remove(): void } => {
  const root = mkdtempSync(join(tmpdir(), 'hooklatch-before-'))
  const archive = join(root, 'version.tar')
  try {
    git('archive', '--format=tar', `--output=${archive}`, version)
  } catch (error) {
    rmSync(root, { recursive: true })
    throw new Error(
      `This clone has no ${version}, the version to upgrade from (${(error as Error).message.split('\n').at(-1)}). git fetch --unshallow --tags brings it.`,
    )
  }
  execFileSync('tar', ['-xf', archive, '-C', root])
  rmSync(archive)
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
  const own = readdirSync(join(ROOT, SUITE)).filter(name => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  for (const name of own) cpSync(join(ROOT, SUITE, name), join(root, SUITE, name))
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) }
}
