import type { Ending } from '../domain/outcome.ts'
import type { Verified } from '../domain/stages.ts'
import { readBody } from '../providers/read-body.ts'

/** A provider's "are you there?", answered as it asks for and not stored. */
export const greet = ({ source, delivery }: Verified): Ending<'handshake'> | undefined => {
  if (!source.provider.handshake) return undefined
  const json = readBody(delivery.body).json()
  const reply = source.provider.handshake(delivery, json.kind === 'parsed' ? json.value : undefined)
  return reply && { outcome: 'handshake', reply }
}
