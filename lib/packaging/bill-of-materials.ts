import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { packedManifest } from './packed-manifest.ts'

/** What an app gets when it installs us, as a CycloneDX document: name, version, licence and hash of each package. */
export const billOfMaterials = (root: string, packed: ReturnType<typeof packedManifest>): Bill => {
  const { metadata, components, dependencies, ...bill } = everything(root)
  const own = metadata.component['bom-ref']
  const edges = new Map(dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]))
  const wanted = { ...packed.dependencies, ...packed.optionalDependencies }
  const first = (edges.get(own) ?? []).filter(ref => Object.hasOwn(wanted, nameIn(ref)))
  const reached = new Set(first)
  const isOptionalPeer = optionalPeers(root)
  // A set is walked in the order of its growth, to its end.
  for (const ref of reached) {
    for (const next of edges.get(ref) ?? []) if (!isOptionalPeer(nameIn(ref), nameIn(next))) reached.add(next)
  }
  // Of the moment, not of the content, are serial number, time and tools: the same code makes the same file.
  const made = {
    ...bill,
    metadata: {
      ...metadata,
      timestamp: undefined,
      tools: undefined,
      component: { ...metadata.component, name: packed.name },
    },
    components: components.filter(component => reached.has(component['bom-ref'])),
    dependencies: [{ ref: own, dependsOn: first }, ...dependencies.filter(({ ref }) => reached.has(ref))].map(edge => ({
      ...edge,
      dependsOn: (edge.dependsOn ?? []).filter(ref => reached.has(ref)),
    })),
  }
  return { ...made, serialNumber: serialOf({ ...made, serialNumber: undefined }) }
}

/** A UUID of version 8, made of the content. */
const serialOf = (bill: Bill): string => {
  const hex = createHash('sha256').update(JSON.stringify(bill)).digest('hex')
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export interface Bill {
  readonly metadata: { readonly component: Component; readonly [field: string]: unknown }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
  readonly [field: string]: unknown
}

interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly [field: string]: unknown
}

/** Tools and tests too; npm reads it from the lock file, and needs no network. */
const everything = (root: string): Bill => {
  const npm = process.env.npm_execpath
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only']
  const [command, ...before] = npm === undefined ? ['npm'] : [process.execPath, npm]
  const text = execFileSync(command ?? 'npm', [...before, ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return JSON.parse(text)
}

/** What npm counts as a dependency because a tool of this repository happens to fit it. */
const optionalPeers = (root: string): ((of: string, name: string) => boolean) => {
  const { packages }: Lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return (of, name) => packages[`node_modules/${of}`]?.peerDependenciesMeta?.[name]?.optional === true
}

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>> }>
  >
}

/** `@aws-sdk/client-sqs@3.1.0` is `@aws-sdk/client-sqs`. */
const nameIn = (ref: string): string => ref.slice(0, ref.lastIndexOf('@'))
