import { describe, expect, it } from 'vitest'
import { CLASSES } from './classes.ts'
import { fuzz } from './fuzz.ts'

/** `npm run prove fuzz -- --inputs 1000000` for more, with a new seed each time. */
const INPUTS = 20_000
const SEED = 1

describe(`hostile input through the whole HTTP path (seed ${SEED})`, () => {
  it.each(Object.entries(CLASSES))(
    'no law is broken and nothing is answered 5xx by the class "%s"',
    { timeout: 60_000 },
    async (_name, kind) => {
      const { violation, inputs, statuses } = await fuzz(kind, INPUTS * kind.share, SEED)
      expect(violation).toBeUndefined()
      expect(inputs).toBeGreaterThanOrEqual(INPUTS * kind.share)
      expect([...statuses.keys()].filter(status => status >= 500)).toEqual([])
    },
  )
})
