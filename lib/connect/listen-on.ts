import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Refusal, refuse } from './refusal.ts'

const FINISH_WITHIN_MS = 5_000

export interface Listening {
  readonly url: string
  /** Lets running deliveries finish, then closes. */
  close(): Promise<void>
}

/** On loopback only: nobody else in the network may reach what runs on a laptop. */
export const listenOn = async (server: Server, port: number, flag = '--port'): Promise<Listening | Refusal> => {
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch (error) {
    return refuse(sentenceFor(error as NodeJS.ErrnoException, port, flag))
  }
  const { port: actual } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${actual}`, close: () => close(server) }
}

const sentenceFor = (error: NodeJS.ErrnoException, port: number, flag: string): string => {
  if (error.code === 'EADDRINUSE') {
    return `Port ${port} is already in use: stop the program that listens there, or choose another with ${flag}.`
  }
  if (error.code === 'EACCES')
    return `Port ${port} needs more rights than you have: choose one above 1023 with ${flag}.`
  return `Cannot listen on port ${port}: ${error.message}`
}

const close = async (server: Server): Promise<void> => {
  const impatient = setTimeout(() => server.closeAllConnections(), FINISH_WITHIN_MS)
  await new Promise<void>(resolve => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
  clearTimeout(impatient)
}
