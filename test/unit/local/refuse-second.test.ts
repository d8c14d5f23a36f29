import { createServer, type RequestListener } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { type Instance, writeInstance } from '../../../lib/connect/instance.ts'
import { type Listening, listenOn } from '../../../lib/connect/listen-on.ts'
import { isRefusal } from '../../../lib/connect/refusal.ts'
import { refuseSecond, WELCOME } from '../../../lib/local/refuse-second.ts'
import { scratchDirectory } from '../../support/scratch-directory.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const serving = async (listener: RequestListener): Promise<Listening> => {
  const listening = await listenOn(createServer(listener), 0)
  if (isRefusal(listening)) throw new Error(listening.refused)
  closing.push(listening.close)
  return listening
}

/** A directory in which an instance with this address and process id has left its file. */
const left = (url: string, pid = process.pid): string => {
  const directory = scratchDirectory()
  writeInstance(directory, { url, pid } as Instance)
  return directory
}

describe('a second start in a directory', () => {
  it('a second start is refused with the address and the process of the first one', async () => {
    const { url } = await serving((_, response) => response.end(`${WELCOME}\n`))
    expect(await refuseSecond(left(url))).toMatchObject({
      refused: expect.stringContaining(`${url} (process ${process.pid})`),
    })
  })

  it('a second start is refused while the first one is too busy to answer', async () => {
    const { url } = await serving(request => void closing.push(async () => void request.destroy()))
    expect(await refuseSecond(left(url), 50)).toMatchObject({ refused: expect.stringContaining(url) })
  })

  it('the file of an instance that ended is no reason to refuse', async () => {
    expect(await refuseSecond(scratchDirectory())).toBeUndefined()
    const { url } = await serving((_, response) => response.end(`${WELCOME}\n`))
    // No process has it: Linux counts to 4,194,304 at most.
    expect(await refuseSecond(left(url, 99_999_999))).toBeUndefined()
  })

  it('a process that got the number of an instance that ended is not taken for it', async () => {
    const other = await serving((_, response) => response.end('another program'))
    expect(await refuseSecond(left(other.url))).toBeUndefined()
    const gone = await serving(() => {})
    await gone.close()
    expect(await refuseSecond(left(gone.url))).toBeUndefined()
  })
})
