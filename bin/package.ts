import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { billOfMaterials } from '../lib/packaging/bill-of-materials.ts'
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
  const packed = packedManifest(JSON.parse(text))
  writeFileSync(join(root, 'dist/sbom.cdx.json'), JSON.stringify(billOfMaterials(root, packed), null, 1))
  writeFileSync(ours, text)
  writeFileSync(manifest, `${JSON.stringify(packed, null, 2)}\n`)
} else {
  renameSync(ours, manifest)
  rmSync(join(root, 'dist'), { recursive: true, force: true })
}
