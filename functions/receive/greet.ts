import type { Admitted, Verified } from '../domain/evidence.ts'
import { type Ending, reject } from '../domain/outcome.ts'
import type { Asked } from '../domain/provider.ts'
import type { Source } from '../domain/source.ts'
import type { Receiving } from '../domain/world.ts'
import { readBody } from '../providers/read-body.ts'

/** A provider's "are you there?", answered as it asks for and not stored. Asked once the signature has passed. */
export const greet = (world: Receiving, verified: Verified): Promise<Ending<'handshake'> | undefined> =>
  answer(world, verified, verified.matched)

/**
 * The same of senders that ask before they sign: nothing is known about the caller, and the answer tells it nothing.
 * What is neither an answer nor a POST goes no further.
 */
export const welcome = async (
  world: Receiving,
  admitted: Admitted,
): Promise<Ending<'handshake'> | Ending<'rejected'> | undefined> => {
  const { handshake } = admitted.source.provider
  const answered = handshake && !handshake.signed ? await answer(world, admitted, CURRENT) : undefined
  if (answered || admitted.delivery.method === 'POST') return answered
  return reject('method')
}

const CURRENT = 0

const answer = async (
  world: Receiving,
  { source, delivery }: Admitted,
  secretAt: number,
): Promise<Ending<'handshake'> | undefined> => {
  const asked: Asked = {
    delivery,
    source,
    json: () => {
      const json = readBody(delivery.body).json()
      return json.kind === 'parsed' ? json.value : undefined
    },
    secret: async () => {
      const found = await world.secrets.signingSecrets(source.name)
      return found.kind === 'found' ? found.secrets[secretAt] : undefined
    },
    keys: world.keys,
  }
  const offered = source.provider.handshake?.offers?.read(asked)
  if (offered !== undefined && !(await taken(world, source, offered))) return undefined
  const reply = await source.provider.handshake?.answer(asked)
  return reply && { outcome: 'handshake', reply }
}

/** An offer that nobody waits for goes on to be verified, and fails there: 503 while the source has no secret, 401 once it has. */
const taken = async (world: Receiving, source: Source, offered: string): Promise<boolean> => {
  const { kind } = await world.secrets.accept(source.name, offered)
  return kind === 'stored' || kind === 'known'
}
