import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RECEIVER_METADATA, type ReceiverMetadata } from '../../functions/contract/receiver-metadata.ts'

export interface AppResource {
  readonly Type: string
  readonly Properties?: Readonly<Record<string, unknown>>
  readonly Condition?: string
}

export interface Template {
  readonly Resources?: Readonly<Record<string, AppResource>>
  readonly Outputs?: Readonly<
    Record<string, { readonly Value?: unknown; readonly Export?: { readonly Name?: unknown } }>
  >
  readonly Parameters?: Readonly<Record<string, { readonly Default?: unknown }>>
  readonly Mappings?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>
  readonly Conditions?: Readonly<Record<string, unknown>>
}

/** A receiver as its construct describes it, with the path that all of its parts lie under. */
export interface AppReceiver extends ReceiverMetadata {
  readonly path: string
}

export interface AppStack {
  readonly name: string
  /** The stage it is in; stacks of one stage are deployed together. */
  readonly stage: string
  readonly template: Template
  /** The construct path of each logical id. */
  readonly paths: Readonly<Record<string, string>>
  readonly receivers: readonly AppReceiver[]
  /** Names the files it refers to: from the root of the assembly. Absent: there are none. */
  readonly assetsFile?: string | undefined
}

/** Every stack of a cloud assembly, those of its stages too. */
export const readAssembly = (root: string, stage = '', within = ''): readonly AppStack[] => {
  const directory = join(root, within)
  const { artifacts = {} } = readJson<Manifest>(directory, 'manifest.json')
  const assetsOf = ({ dependencies = [] }: Artifact): string | undefined =>
    dependencies.map(id => artifacts[id]).find(found => found?.type === 'cdk:asset-manifest')?.properties?.file
  return Object.entries(artifacts).flatMap(([id, artifact]) => {
    const { directoryName, templateFile, stackName } = artifact.properties ?? {}
    if (artifact.type === 'cdk:cloud-assembly' && directoryName)
      return readAssembly(root, id, join(within, directoryName))
    if (artifact.type !== 'aws:cloudformation:stack' || !templateFile) return []
    const metadata = metadataOf(directory, artifact)
    const assetsFile = assetsOf(artifact)
    return [
      {
        name: stackName ?? artifact.displayName ?? id,
        stage,
        template: readJson<Template>(directory, templateFile),
        paths: pathsOf(metadata),
        receivers: receiversOf(metadata),
        ...(assetsFile && { assetsFile: join(within, assetsFile) }),
      },
    ]
  })
}

interface Artifact {
  readonly type: string
  readonly displayName?: string
  readonly properties?: {
    readonly directoryName?: string
    readonly templateFile?: string
    readonly stackName?: string
    readonly file?: string
  }
  readonly dependencies?: readonly string[]
  /** Newer versions of CDK keep it in a file beside. */
  readonly metadata?: Metadata
  readonly additionalMetadataFile?: string
}

interface Manifest {
  readonly artifacts?: Readonly<Record<string, Artifact>>
}

type Metadata = Readonly<Record<string, readonly { readonly type: string; readonly data?: unknown }[]>>

const readJson = <Content>(directory: string, file: string): Content =>
  JSON.parse(readFileSync(join(directory, file), 'utf8'))

const metadataOf = (directory: string, { metadata = {}, additionalMetadataFile }: Artifact): Metadata => ({
  ...metadata,
  ...(additionalMetadataFile && readJson<Metadata>(directory, additionalMetadataFile)),
})

const pathsOf = (metadata: Metadata): Record<string, string> =>
  Object.fromEntries(
    Object.entries(metadata).flatMap(([path, entries]) =>
      entries.filter(({ type }) => type === 'aws:cdk:logicalId').map(({ data }) => [String(data), path]),
    ),
  )

const receiversOf = (metadata: Metadata): readonly AppReceiver[] =>
  Object.entries(metadata).flatMap(([path, entries]) =>
    entries
      .filter(({ type }) => type === RECEIVER_METADATA)
      .map(({ data }) => ({ ...(data as ReceiverMetadata), path })),
  )
