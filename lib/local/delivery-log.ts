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
  let size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return line => {
    if (size + line.length > LIMIT_BYTES) {
      renameSync(file, `${file}.1`)
      size = 0
    }
    appendFileSync(file, line)
    size += line.length
    terminal.out(inShort(JSON.parse(line), terminal.style))
  }
}
