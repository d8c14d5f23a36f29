import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Verdict {
  /** The promise that was violated; null if every one holds. */
  readonly violated: string | null
  /** It has looked at all there is, or stopped at a violation; false if TLC itself failed. */
  readonly finished: boolean
  readonly states: number
  readonly distinct: number
  readonly depth: number
  readonly seconds: number
  /** What TLC wrote, with the steps to a violation. */
  readonly text: string
}

/** TLC on the specification in a folder, under one of its configurations. */
export const runTlc = async (jar: string, folder: string, config: string): Promise<Verdict> => {
  const scratch = mkdtempSync(join(tmpdir(), 'tlc-'))
  const startedAt = Date.now()
  try {
    const java = spawn(
      'java',
      // biome-ignore format: an option and its value stand together
      ['-XX:+UseParallelGC', '-Xmx4g', '-cp', jar, 'tlc2.TLC', '-workers', 'auto', '-metadir', scratch, '-difftrace',
        '-config', `${config}.cfg`, 'Promises.tla'],
      { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    const parts: string[] = []
    for (const stream of [java.stdout, java.stderr]) stream.setEncoding('utf8').on('data', part => parts.push(part))
    const [code, signal] = await once(java, 'close')
    parts.push(`TLC ended with ${signal ?? code}`)
    return { ...readVerdict(parts.join('')), seconds: (Date.now() - startedAt) / 1000 }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** What TLC says at the end of a run. */
export const readVerdict = (text: string): Omit<Verdict, 'seconds'> => {
  const violated =
    text.match(/Error: (?:Invariant|Action property) (\w+) is violated/)?.[1] ??
    (text.includes('Error: Temporal properties were violated') ? 'EveryAcknowledgedEventEnds' : null)
  const counts = text.match(/^(\d+) states generated, (\d+) distinct states found/m)
  return {
    violated,
    finished: violated !== null || text.includes('No error has been found.'),
    states: Number(counts?.[1] ?? 0),
    distinct: Number(counts?.[2] ?? 0),
    depth: Number(text.match(/depth of the complete state graph search is (\d+)/)?.[1] ?? 0),
    text,
  }
}
