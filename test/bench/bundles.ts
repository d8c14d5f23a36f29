import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { providers } from '../../functions/providers/catalogue.ts'
import { print, tool } from '../tools/tool.ts'
import { type Bundle, type Bundling, bundle } from './bundle.ts'
import { oneSourceEach } from './one-source-each.ts'

export const bundleSizes = tool({
  summary: 'Prints what each function ships, by package.',
  flags: {},
  async run() {
    const directory = mkdtempSync(join(tmpdir(), 'hooklatch-bundles-'))
    try {
      for (const shipped of FUNCTIONS) print(show(shipped, shipped.name, await bundle({ ...shipped, directory })))
      return 0
    } finally {
      rmSync(directory, { recursive: true })
    }
  },
})

type Shipped = Omit<Bundling, 'directory'> & { readonly note?: string }

const RECEIVE = { entry: 'functions/receive/handler.ts', awaitsAtStart: true } as const

const PUBLISH = {
  entry: 'functions/publish/handler.ts',
  aliases: { '#aws': 'functions/adapters/lean/aws.ts' },
} as const

/** What the stack deploys, and two measures beside it. */
const FUNCTIONS: readonly Shipped[] = [
  { name: 'receive', ...RECEIVE },
  { name: 'publish', ...PUBLISH },
  { name: 'worker', entry: 'functions/worker/handler.ts' },
  { name: 'bury', entry: 'functions/bury/handler.ts' },
  { name: 'recover', entry: 'functions/recover/handler.ts' },
  { name: 'receive-sdk', note: "receive with client: 'sdk'", ...RECEIVE, client: 'sdk' },
  {
    name: 'receive-all',
    note: `receive with a source for each of the ${Object.keys(providers).length} providers of the catalogue`,
    ...RECEIVE,
    sources: oneSourceEach(),
  },
]

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`.padStart(10)

const show = ({ note }: Shipped, name: string, { bytes, parts }: Bundle): string =>
  [
    `${kilobytes(bytes)}  ${name}${note ? ` (${note})` : ''}`,
    ...Object.entries(parts)
      .sort(([, left], [, right]) => right - left)
      .filter(([, size]) => size > 0)
      .map(([part, size]) => `  ${kilobytes(size)}  ${part}`),
    '',
  ].join('\n')
