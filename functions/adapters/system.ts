import { randomBytes } from 'node:crypto'
import { type Fence, millis } from '../domain/brands.ts'
import type { Clock, FenceMaker } from '../domain/ports.ts'

export const systemClock: Clock = () => millis(Date.now())

export const randomFence: FenceMaker = () => randomBytes(16).toString('hex') as Fence

/** Not console.log: Lambda's JSON log format would wrap the line, and CloudWatch would no longer see the metrics in it. */
export const writeLine = (line: string): void => void process.stdout.write(line)
