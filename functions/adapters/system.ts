import { randomUUID } from 'node:crypto'
import { type Fence, millis } from '../domain/brands.ts'
import type { Clock, FenceMaker } from '../domain/ports.ts'

export const systemClock: Clock = () => millis(Date.now())

/** Node draws random bytes for 128 of these at a time. */
export const randomFence: FenceMaker = () => randomUUID() as Fence

/** Not console.log: Lambda's JSON log format would wrap the line, and CloudWatch would no longer see the metrics in it. */
export const writeLine = (line: string): void => void process.stdout.write(line)
