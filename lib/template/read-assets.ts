import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { type Refusal, refuse } from '../connect/refusal.ts'

/** A file that a stack refers to, and where CDK would have put it. */
export interface FileAsset {
  /** What it is packed from: a directory, or one file. */
  readonly path: string
  readonly isZip: boolean
  /** Its name in the output: with a hash of its content, since CloudFormation sees a change of code only by its name. */
  readonly file: string
  readonly bucket: string
  readonly key: string
}

/** The assets of one stack, the template itself left out. */
export const readAssets = (assembly: string, assetsFile: string): readonly FileAsset[] | Refusal => {
  const { files = {}, dockerImages = {} }: Assets = JSON.parse(readFileSync(join(assembly, assetsFile), 'utf8'))
  const images = Object.values(dockerImages).map(({ displayName }) => displayName ?? 'an image')
  if (images.length > 0) return refuse(`The stack has Docker images (${images.join(', ')}): a plain template cannot.`)
  const assets: FileAsset[] = []
  for (const [hash, { displayName = 'file', source, destinations }] of Object.entries(files)) {
    const [destination] = Object.values(destinations)
    if (destination === undefined || source.executable)
      return refuse(`${displayName} is made by a command: a plain template cannot.`)
    if (source.path.endsWith('.nested.template.json'))
      return refuse(`${displayName} is a nested stack: a plain template has none.`)
    if (source.path.endsWith('.template.json')) continue
    const isZip = source.packaging === 'zip'
    assets.push({
      path: join(assembly, source.path),
      isZip,
      file: `${nameOf(displayName)}-${hash.slice(0, 12)}${isZip ? '.zip' : extname(source.path)}`,
      bucket: destination.bucketName,
      key: destination.objectKey,
    })
  }
  return assets
}

interface Assets {
  readonly files?: Readonly<
    Record<
      string,
      {
        readonly displayName?: string
        readonly source: { readonly path: string; readonly packaging?: string; readonly executable?: unknown }
        readonly destinations: Readonly<Record<string, { readonly bucketName: string; readonly objectKey: string }>>
      }
    >
  >
  readonly dockerImages?: Readonly<Record<string, { readonly displayName?: string }>>
}

/** `Receiver/Receive/Function/Code` is `receiver-receive`. */
const nameOf = (displayName: string): string =>
  displayName
    .split('/')
    .filter(part => part !== 'Function' && part !== 'Code')
    .join('-')
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
