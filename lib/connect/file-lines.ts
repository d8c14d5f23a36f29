import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { LineSource } from '../operator/line-source.ts'

/** The local instance's own log (lib/local/delivery-log.ts): first the older file, then the current one. */
export const fileLines = (file: string): LineSource => ({
  async *lines({ contains }) {
    for (const each of [`${file}.1`, file]) {
      if (!existsSync(each)) continue
      for await (const line of createInterface({
        input: createReadStream(each),
        crlfDelay: Number.POSITIVE_INFINITY,
      })) {
        if (contains === undefined || line.includes(contains)) yield line
      }
    }
  },
})
