import { randomInt } from 'node:crypto'

/**
 * For an engine that answers everybody: one of 16 million loopback addresses, which a web page would have to guess together
 * with the port. Only Linux has them all without being told; elsewhere the port alone is random.
 */
export const hiddenAddress = (platform: NodeJS.Platform = process.platform): string =>
  platform === 'linux' ? `127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}` : '127.0.0.1'
