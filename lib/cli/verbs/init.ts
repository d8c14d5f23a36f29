import { existsSync } from 'node:fs'
import { basename, relative, resolve } from 'node:path'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import { appFiles } from '../../init/app-files.ts'
import { ownSpec } from '../../init/own-spec.ts'
import { readSources } from '../../init/read-sources.ts'
import { writeApp } from '../../init/write-app.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { verb } from '../verb.ts'

export const init = verb({
  summary: 'Make an app of your own: sources, a worker with a table, its test, and the stack.',
  operands: ['[dir]'],
  flags: {
    sources: { value: 'NAMES', help: 'Who will post to it (default stripe,github).', choices: 'providers' },
    package: { value: 'SPEC', help: 'What it depends on: a version or a tarball (default: what made it).' },
  },
  teaches: [
    'Writes a few small files into the directory (default: this one), and none if one of them is there already. The app runs on',
    'this machine, is tested without AWS, and is deployed with CDK. `npx hooklatch providers` lists the senders.',
    '',
    '  npx hooklatch init my-hooks',
    '  npx hooklatch init my-hooks --sources shopify,slack',
    '  npx --package ./hooklatch-0.1.0.tgz hooklatch init my-hooks',
  ].join('\n'),
  async run({ flags, positionals: [place = '.'] }, terminal) {
    const sources = readSources(flags.sources ?? 'stripe,github')
    if (isRefusal(sources)) return sources
    const directory = resolve(place)
    const hooklatch = flags.package === undefined ? ownSpec(directory) : specFor(flags.package, directory)
    if (isRefusal(hooklatch)) return hooklatch
    const files = appFiles({ name: packageName(directory), sources, hooklatch })
    const refused = writeApp(directory, files)
    if (refused) return refused
    tellNext(directory, Object.keys(files), Object.keys(sources), terminal)
    return 0
  },
})

const packageName = (directory: string): string =>
  basename(directory)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '') || 'webhooks'

/** A path is meant from here, and npm reads it from the app. */
const specFor = (spec: string, directory: string): string | Refusal => {
  const path = /^(?:file:)?((?:\.{0,2}\/|[\w.-]*\.tgz$).*)$/.exec(spec)?.[1]
  if (path === undefined) return spec
  if (!existsSync(path)) return refuse(`--package: there is no ${resolve(path)}. In a clone, npm pack makes one.`)
  return `file:${relative(directory, resolve(path)).replaceAll('\\', '/')}`
}

const tellNext = (
  directory: string,
  files: readonly string[],
  [first = '']: readonly string[],
  { out, style }: Terminal,
): void => {
  const here = relative('.', directory)
  out(`Made ${files.join(', ')}${here === '' ? '' : ` in ${here}`}.`)
  out('')
  out(style('dim', 'Next:'))
  if (here !== '') out(`  cd ${here}`)
  for (const line of ['npm install', 'npm test', 'npm start']) out(`  ${line}`)
  out(`  npx hooklatch send ${first}      ${style('dim', 'in another terminal, while it runs')}`)
}
