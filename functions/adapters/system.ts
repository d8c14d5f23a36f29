import { randomBytes } from 'node:crypto'
import { type Fence, millis } from '../domain/brands.ts'
import type { Clock, FenceMaker } from '../domain/ports.ts'

export const systemClock: Clock = () => millis(Date.now())

export const randomFence: FenceMaker = () => randomBytes(16).toString('hex') as Fence
