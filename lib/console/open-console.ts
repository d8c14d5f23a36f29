import { randomBytes } from 'node:crypto'
import { type Listening, listenOn } from '../connect/listen-on.ts'
import { isRefusal, type Refusal } from '../connect/refusal.ts'
import type { Page } from './build-page.ts'
import { consoleServer } from './server.ts'
import type { ConsoleWorld } from './world.ts'

export interface Opening {
  readonly world: ConsoleWorld
  readonly page: () => Promise<Page>
  /** 0 takes any free one. */
  readonly port: number
  readonly complain: (sentence: string) => void
  readonly explain: (error: unknown) => string | undefined
}

/** Opens the console on loopback; its `url` is whole, with the token of this run. */
export const openConsole = async ({ port, ...options }: Opening): Promise<Listening | Refusal> => {
  const token = randomBytes(24).toString('base64url')
  const closing = new AbortController()
  let hosts: readonly string[] = []
  const server = consoleServer({ ...options, closing: closing.signal, door: () => ({ hosts, token }) })
  const listening = await listenOn(server, port, '--console-port')
  if (isRefusal(listening)) return listening
  const { host, port: taken } = new URL(listening.url)
  hosts = [host, `localhost:${taken}`]
  return {
    url: `${listening.url}/?token=${token}`,
    close: () => {
      closing.abort()
      return listening.close()
    },
  }
}
