import { createHmac } from 'node:crypto'
import type { World } from '../../../functions/domain/world.ts'
import { GITHUB_SECRET, type Post, type ReceiveRig, receiveRig } from '../../support/receive-rig.ts'

/** A delivery of a sender that never retries: its body is stored before the claim. */
export const push = (delivery: string, body = '{"ref":"main"}'): Post => ({
  source: 'github',
  body,
  headers: {
    'content-type': 'application/json',
    'x-github-event': 'push',
    'x-github-delivery': delivery,
    'x-hub-signature-256': `sha256=${createHmac('sha256', GITHUB_SECRET).update(body).digest('hex')}`,
  },
})

/** The same stores behind a receiver some of whose calls end otherwise. */
export const where = (
  at: ReceiveRig,
  changed: { readonly [Port in keyof World]?: Partial<World[Port]> },
): ReceiveRig => {
  const ports = Object.entries(changed).map(([name, port]) => [
    name,
    { ...(at.world[name as keyof World] as object), ...(port as object) },
  ])
  return receiveRig({ world: { ...at.world, ...Object.fromEntries(ports) } })
}

export const down = { kind: 'unavailable', cause: 'down' } as const
export const isDown = async () => down
export const neverAnswers = () => new Promise<never>(() => {})

/** Starts what will not end, and lets it come as far as it can. */
export const begin = async (endless: Promise<unknown>): Promise<void> => {
  void endless
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
}

export const onlyRecord = (at: ReceiveRig) => {
  const [record] = at.records.values()
  if (!record) throw new Error('there is no record')
  return record
}

export const lastLine = (at: ReceiveRig) => JSON.parse(at.lines.at(-1) ?? '{}')
