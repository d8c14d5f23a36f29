import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { AppSettings } from '../app/app-settings.ts'
import { findReceiver } from '../app/find-receiver.ts'
import { readAssembly } from '../app/read-assembly.ts'
import { type Purpose, runApp } from '../app/run-app.ts'
import { isRefusal, type Refusal, refuse } from '../connect/refusal.ts'
import { plainTemplate } from './plain-template.ts'
import { readAssets } from './read-assets.ts'
import { readmeText } from './readme-text.ts'
import { zipDirectory } from './zip-directory.ts'

export interface MadeTemplate {
  readonly stack: string
  readonly files: readonly string[]
  readonly notes: readonly string[]
}

/** Writes template, code and README of the app's receiver into a directory, and nothing if one of them cannot be made. */
export const makeTemplate = async (
  settings: AppSettings,
  wanted: string | undefined,
  out: string,
): Promise<MadeTemplate | Refusal> => {
  const foreign = existsSync(out) ? readdirSync(out).filter(name => !OURS.test(name)) : []
  if (foreign.length > 0) {
    return refuse(
      `Nothing was written: ${out} has files of another kind (${foreign.slice(0, 3).join(', ')}). Choose an empty directory.`,
    )
  }
  const assembly = settings.isAssembly
    ? resolve(settings.directory, settings.app)
    : mkdtempSync(join(tmpdir(), 'hooklatch-template-'))
  try {
    const refused = settings.isAssembly ? undefined : await runApp(settings, assembly, FOR_ANY_ACCOUNT)
    return refused ?? write(assembly, wanted, out)
  } finally {
    if (!settings.isAssembly) rmSync(assembly, { recursive: true, force: true })
  }
}

/** What an earlier run may have left, which is replaced. */
const OURS = /^(?:template\.json|README\.md|[a-z0-9-]+-[0-9a-f]{12}\.\w+)$/

const FOR_ANY_ACCOUNT: Purpose = {
  context: { 'aws:cdk:bundling-stacks': ['**'], 'aws:cdk:disable-asset-staging': false },
  environment: {},
  withoutIt: 'there is no template',
  instead: 'Fix the app and run this again.',
}

const write = (assembly: string, wanted: string | undefined, out: string): MadeTemplate | Refusal => {
  const found = findReceiver(readAssembly(assembly), wanted)
  if (found === undefined) return refuse('The app makes no stack with a WebhookReceiver.')
  if (isRefusal(found)) return found
  const { stack, notes } = found
  const assets = stack.assetsFile === undefined ? [] : readAssets(assembly, stack.assetsFile)
  if (isRefusal(assets)) return assets
  const template = plainTemplate({ ...stack.template }, assets)
  if (isRefusal(template)) return template

  // All of it is made before anything is written.
  const files: readonly (readonly [name: string, content: string | Uint8Array])[] = [
    ['template.json', `${JSON.stringify(template, null, 1)}\n`],
    ['README.md', readmeText(stack.name, assets.length)],
    ...assets.map(({ file, path, isZip }) => [file, isZip ? zipDirectory(path) : readFileSync(path)] as const),
  ]
  mkdirSync(out, { recursive: true })
  for (const name of readdirSync(out)) rmSync(join(out, name))
  for (const [name, content] of files) writeFileSync(join(out, name), content)
  return { stack: stack.name, files: files.map(([name]) => name), notes }
}
