import { createReadStream, existsSync } from 'node:fs'
import type { LineSource } from '../operator/line-source.ts'

/** The local instance's own log (lib/local/delivery-log.ts): first the older file, then the current one. */
export const fileLines = (file: string): LineSource => ({
  async *lines({ contains }) {
    for (const each of [`${file}.1`, file]) {
      if (!existsSync(each)) continue
      for await (const line of linesIn(each)) {
        if (contains === undefined || line.includes(contains)) yield line
      }
    }
  },
})

/** Not with `readline`: U+2028 ends a line for it, and a sender who puts one into an id would hide its deliveries. */
async function* linesIn(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const text of createReadStream(file, 'utf8')) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}
