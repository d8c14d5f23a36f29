import type { IncomingMessage } from 'node:http'

/** API Gateway's own limit, which no setting changes; the receiver's, a smaller one, is checked by the receiver. */
export const GATEWAY_LIMIT_BYTES = 10 * 1024 * 1024

/** Every byte, or why not: cut off as soon as it is known to be too large, `gone` when the sender left half way. */
export const readBody = (request: IncomingMessage): Promise<Buffer | 'too-large' | 'gone'> =>
  new Promise(resolve => {
    if (Number(request.headers['content-length'] ?? 0) > GATEWAY_LIMIT_BYTES) {
      resolve('too-large')
      return
    }
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > GATEWAY_LIMIT_BYTES) {
        // What is still to come is read and dropped: closing now would take the answer away from a sender in mid-body.
        chunks.length = 0
        resolve('too-large')
      } else chunks.push(chunk)
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('close', () => resolve('gone'))
  })
