import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { restoreManifest, swapManifest } from '../../../lib/packaging/swap-manifest.ts'
import { scratchDirectory } from '../../support/scratch-directory.ts'

const SWAP = resolve(import.meta.dirname, '../../../lib/packaging/swap-manifest.ts')
const PACKED = { name: 'one', version: '1.0.0', description: 'of the tarball' }
const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)

/** A package whose prepack and postpack swap its package.json as ours do. */
const setUp = () => {
  const root = scratchDirectory()
  const manifest = join(root, 'package.json')
  const scripts = { prepack: 'node swap.mjs prepack $PPID', postpack: 'node swap.mjs postpack' }
  const own = JSON.stringify({ name: 'one', version: '1.0.0', scripts })
  writeFileSync(manifest, own)
  writeFileSync(
    join(root, 'swap.mjs'),
    [
      `import { restoreManifest, swapManifest } from ${JSON.stringify(SWAP)}`,
      'const [step, npm] = process.argv.slice(2)',
      'restoreManifest(import.meta.dirname)',
      `if (step === 'prepack') swapManifest(import.meta.dirname, ${JSON.stringify(PACKED)}, Number(npm))`,
      "if (process.env.FAILS === step) throw new Error('full disk')",
    ].join('\n'),
  )
  return {
    root,
    own,
    current: () => readFileSync(manifest, 'utf8'),
    left: () => existsSync(join(root, 'dist.package.json')),
    pack: (args: readonly string[] = [], fails = '') =>
      spawnSync('npm', ['pack', ...args], { cwd: root, env: { ...process.env, PATH, FAILS: fails }, encoding: 'utf8' }),
  }
}

describe('a pack swaps package.json', () => {
  it('a pack that works has the manifest of the tarball in it, and leaves the one of the repository', () => {
    const { root, own, current, left, pack } = setUp()
    expect(pack().status).toBe(0)
    const inside = spawnSync('tar', ['-xOzf', 'one-1.0.0.tgz', 'package/package.json'], { cwd: root, encoding: 'utf8' })
    expect(JSON.parse(inside.stdout)).toEqual(PACKED)
    expect([current(), left()]).toEqual([own, false])
  })

  it.each([
    ['prepack fails after the swap', [], 'prepack'],
    ['npm cannot write the tarball', ['--pack-destination', 'nowhere/at/all'], ''],
    ['postpack fails', [], 'postpack'],
  ])('a pack in which %s leaves package.json as it was', async (_, args, fails) => {
    const { own, current, left, pack } = setUp()
    expect(pack(args, fails).status).not.toBe(0)
    await expect.poll(current, { timeout: 10_000 }).toBe(own)
    expect(left()).toBe(false)
  })

  it('a kill of npm while package.json is swapped puts it back', async () => {
    const { root, own, current, left } = setUp()
    const npm = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    swapManifest(root, PACKED, Number(npm.pid))
    expect(JSON.parse(current())).toEqual(PACKED)
    npm.kill('SIGKILL')
    await expect.poll(current, { timeout: 10_000 }).toBe(own)
    expect(left()).toBe(false)
  })

  it('what a pack left behind is restored before the next one begins, and twice changes nothing', () => {
    const { root, own, current } = setUp()
    swapManifest(root, PACKED, Number.NaN)
    expect(JSON.parse(current())).toEqual(PACKED)
    restoreManifest(root)
    restoreManifest(root)
    expect(current()).toBe(own)
  })
})
