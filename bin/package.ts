import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { billOfMaterials } from '../lib/packaging/bill-of-materials.ts'
import { build } from '../lib/packaging/build.ts'
import { packedManifest } from '../lib/packaging/packed-manifest.ts'
import { restoreManifest, swapManifest } from '../lib/packaging/swap-manifest.ts'

// npm runs `package.ts prepack` before it packs and `package.ts postpack` after: in between, package.json is the tarball's.
const root = join(import.meta.dirname, '..')
const [step, npm] = process.argv.slice(2)

restoreManifest(root)
if (step === 'prepack') {
  await build(root)
  const packed = packedManifest(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  writeFileSync(join(root, 'dist/sbom.cdx.json'), JSON.stringify(billOfMaterials(root, packed), null, 1))
  // Last: whatever fails before has changed nothing.
  swapManifest(root, packed, Number(npm))
} else {
  rmSync(join(root, 'dist'), { recursive: true, force: true })
}
