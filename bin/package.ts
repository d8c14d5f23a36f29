import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../lib/packaging/build.ts'
import { packedManifest } from '../lib/packaging/packed-manifest.ts'

// npm runs `package.ts prepack` before it packs and `package.ts postpack` after: in between, package.json is the tarball's.
const root = join(import.meta.dirname, '..')
const manifest = join(root, 'package.json')
const ours = join(root, 'dist.package.json')

if (process.argv[2] === 'prepack') {
  await build(root)
  // One that a broken pack left behind is the real one.
  const text = readFileSync(existsSync(ours) ? ours : manifest, 'utf8')
  writeFileSync(ours, text)
  writeFileSync(manifest, `${JSON.stringify(packedManifest(JSON.parse(text)), null, 2)}\n`)
} else {
  renameSync(ours, manifest)
  rmSync(join(root, 'dist'), { recursive: true, force: true })
}
