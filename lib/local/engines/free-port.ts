import { createServer } from 'node:net'

/** For engines that cannot tell which port they chose. Another process may take it first; then the engine ends at once. */
export const freePort = (address: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, address, () => {
      const bound = server.address()
      server.close(() => (typeof bound === 'object' && bound ? resolve(bound.port) : reject(new Error('no port'))))
    })
  })
