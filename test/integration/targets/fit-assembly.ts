import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Change, fitTemplate } from './fit-template.ts'

/** Changes the template of one stack in a cdk.out, under the name that its new content has. Answers what was changed. */
export const fitAssembly = (assembly: string, stack: string): readonly Change[] => {
  const file = join(assembly, `${stack}.template.json`)
  const { template, changes } = fitTemplate(JSON.parse(readFileSync(file, 'utf8')))
  const text = JSON.stringify(template)
  writeFileSync(file, text)
  rename(assembly, stack, createHash('sha256').update(text).digest('hex'))
  return changes
}

/** The CLI uploads nothing that is there already by its name, and the name is the hash of what was synthesized. */
const rename = (assembly: string, stack: string, hash: string): void => {
  const manifest = join(assembly, `${stack}.assets.json`)
  const { files } = JSON.parse(readFileSync(manifest, 'utf8')) as { files: Readonly<Record<string, Asset>> }
  const [old] = Object.entries(files).find(([, { source }]) => source.path === `${stack}.template.json`) ?? []
  if (old === undefined) throw new Error(`${manifest} does not name the template of ${stack}.`)
  for (const name of [manifest, join(assembly, 'manifest.json')]) {
    writeFileSync(name, readFileSync(name, 'utf8').replaceAll(old, hash))
  }
}

interface Asset {
  readonly source: { readonly path?: string }
}
