import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import sources from '#sources'
import type { Destinations } from '../../functions/domain/destinations.ts'
import type { Sources } from '../../functions/domain/source.ts'
import { providers } from '../../functions/providers/catalogue.ts'
import { resolveSources } from '../../functions/providers/sources.ts'
import type { AwsClient } from '../../lib/constructs/bundle-settings.ts'
import { bundleSettings, everyCall, fromRoot } from '../../lib/constructs/bundle-settings.ts'
import { receiveAliases } from '../../lib/constructs/receive-function.ts'
import { sourcesModule, withoutProof } from '../../lib/constructs/sources-module.ts'

export interface Bundle {
  readonly file: string
  readonly bytes: number
  /** Bytes of the output by what they are from: a package, or a folder of ours. */
  readonly parts: Readonly<Record<string, number>>
}

export interface Bundling {
  readonly entry: string
  /** Where the files go. */
  readonly directory: string
  readonly name: string
  readonly client?: AwsClient
  readonly sources?: Sources
  readonly destinations?: Destinations
  readonly awaitsAtStart?: boolean
  /** @default those of the receive function, where it awaits */
  readonly aliases?: Readonly<Record<string, string>>
}

/** One file, as the construct bundles it, and what is in it. */
export const bundle = async (bundling: Bundling): Promise<Bundle> => {
  const { entry, directory, name, client = 'lean', awaitsAtStart = false } = bundling
  const resolved = join(directory, `${name}.sources.mjs`)
  const all = resolveSources(bundling.sources ?? sources, providers, bundling.destinations)
  writeFileSync(resolved, sourcesModule(awaitsAtStart ? all : withoutProof(all)))
  const {
    aliases = awaitsAtStart ? receiveAliases(resolved, client) : { '#resolved': resolved, ...everyCall(client) },
  } = bundling
  const { banner, ...settings } = bundleSettings(aliases, awaitsAtStart)
  const file = join(directory, `${name}.${awaitsAtStart ? 'mjs' : 'cjs'}`)
  const { metafile } = await build({
    ...settings,
    ...(banner && { banner }),
    entryPoints: [fromRoot(entry)],
    absWorkingDir: fromRoot(''),
    bundle: true,
    platform: 'node',
    target: 'node24',
    outfile: file,
    metafile: true,
    logLevel: 'error',
  })
  const [output] = Object.values(metafile.outputs)
  const parts: Record<string, number> = {}
  for (const [input, { bytesInOutput }] of Object.entries(output?.inputs ?? {})) {
    const part = partOf(input)
    parts[part] = (parts[part] ?? 0) + bytesInOutput
  }
  return { file, bytes: output?.bytes ?? 0, parts }
}

const partOf = (input: string): string => {
  const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)(?!.*node_modules)/.exec(input) ?? []
  if (name) return name
  const [, folder] = /(functions\/\w+(?:\/\w+(?=\/))?)/.exec(input) ?? []
  return folder ?? 'sources'
}
