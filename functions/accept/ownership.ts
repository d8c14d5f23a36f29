import { plus } from '../domain/brands.ts'
import type { Ownership } from '../domain/record.ts'
import type { World } from '../domain/world.ts'

/** What a new owner brings: a fence that nobody had before, and a lease from now on. */
export const ownership = (world: World<'now' | 'newFence' | 'leaseMillis'>): Ownership => {
  const now = world.now()
  return { fence: world.newFence(), now, leaseUntil: plus(now, world.leaseMillis) }
}
