import { appendFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makePrivate } from '../connect/private-directory.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { inShort } from './log-line.ts'

/** Then a new file is begun, and the old one is kept as `.1`. */
const LIMIT_BYTES = 50_000_000

export interface DeliveryLog {
  readonly file: string
  /** The lines of earlier runs are kept. */
  readonly keep: boolean
  readonly terminal: Pick<Terminal, 'out' | 'style'>
}

/** Where the functions' own log lines go on a laptop: whole into a file, and in short to the person who watches. */
export const deliveryLog = ({ file, keep, terminal }: DeliveryLog): ((line: string) => void) => {
  makePrivate(dirname(file))
  if (!keep) writeFileSync(file, '')
  const untold: string[] = []
  const tell = (): void => terminal.out(untold.splice(0))
  let size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return line => {
    if (size + line.length > LIMIT_BYTES) {
      renameSync(file, `${file}.1`)
      size = 0
    }
    appendFileSync(file, line)
    size += line.length
    // Under load, what has come by the next turn of the loop is one write to the terminal.
    if (untold.push(inShort(JSON.parse(line), terminal.style)) === 1) setImmediate(tell)
  }
}
