import { claim } from '../accept/claim.ts'
import { forward } from '../accept/forward.ts'
import { keep } from '../accept/keep.ts'
import { settle } from '../accept/settle.ts'
import type { Delivery } from '../domain/delivery.ts'
import type { Verified } from '../domain/evidence.ts'
import { ended, type Outcome } from '../domain/outcome.ts'
import type { Receiving, TakingIn } from '../domain/world.ts'
import { admit } from './admit.ts'
import { drill, drillOf } from './drill.ts'
import { greet, welcome } from './greet.ts'
import { identify } from './identify.ts'
import { quarantine } from './quarantine.ts'
import { receiveBatch } from './receive-batch.ts'
import { split } from './split.ts'
import { verify } from './verify.ts'

/** The flow: a delivery is verified, identified, claimed, forwarded and settled, or it ends where it stands. */
export const receive = async (world: Receiving, delivery: Delivery): Promise<Outcome> => {
  const admitted = admit(world, delivery)
  if (ended(admitted)) return admitted

  // Most senders have none: then it is a POST, and there is nothing to wait for.
  const { handshake } = admitted.source.provider
  const welcomed = handshake && (await welcome(world, admitted))
  if (welcomed) return welcomed

  const verified = await verify(world, admitted)
  if (ended(verified)) return quarantine(world, admitted, verified)

  const greeting = handshake?.signed ? await greet(world, verified) : undefined
  const outcome = greeting ?? (await take(world, verified))
  if (outcome.outcome === 'rejected' && outcome.reason === 'proof-reused') return quarantine(world, admitted, outcome)
  return verified.matched > 0 ? { ...outcome, previousSecret: true } : outcome
}

const take = (world: Receiving, verified: Verified): Promise<Outcome> => {
  const status = drillOf(world, verified)
  return status === null ? receiveVerified(world, verified) : drill(world, verified, status)
}

/** The rest of it, for whoever has a delivery that is genuine. */
export const receiveVerified = async (world: TakingIn, verified: Verified): Promise<Outcome> => {
  const parts = split(verified)
  if (parts) return receiveBatch(world, parts)

  const identified = await identify(world, verified)
  if (ended(identified)) return identified

  const kept = await keep(world, identified)
  if (ended(kept)) return kept

  const claimed = await claim(world, kept)
  if (ended(claimed)) return claimed

  const forwarded = await forward(world, claimed)
  if (ended(forwarded)) return forwarded

  return settle(world, forwarded)
}
